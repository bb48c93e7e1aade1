"""How many of the target's bits single columns of levels explain on held-out rows, by each smoothing.

Learnt from four fifths of the rows, and from a fiftieth. The tables are those of LIKELY_DATA.
"""

from __future__ import annotations

import numpy as np
from binning import DATA, DISTINCT, FOLDS, LEAST, TABLES
from figures import keep

import likely

MORE = {
    "breast_cancer_ljubljana.csv": "Class",
    "car.csv": "class",
    "house_votes_84.csv": "Class",
    "mushroom.csv": "class",
    "tic_tac_toe.csv": "Class",
    "zoo.csv": "type",
}
FEW = 50  # of so many parts of the rows one is learnt from
AT_LEAST = 10  # rows


def columns():
    """Every column of few levels, with whether a row is of the most frequent class."""
    for file, target in (TABLES | MORE).items():
        if not (DATA / file).exists():
            continue
        table = likely.read(DATA / file, into="pandas")
        name = next((c for c in table.columns if c.lower() == target.lower()), table.columns[-1])
        classes = table[name].astype(str).to_numpy()
        levels, rows = np.unique(classes, return_counts=True)
        for column in table.columns.drop(name):
            cells = table[column]
            numbers = cells.dtype.kind in "iufM" and cells.nunique() > DISTINCT
            if not numbers and cells.nunique() > 1:
                words = [None if one is None or one != one else str(one) for one in cells]
                yield file, np.array(words, object), classes == levels[rows.argmax()]


def explained(smoothing: str, x, y, parts) -> float:
    """Of the entropy of the target, the share (%) that held-out rows lose of their bits."""
    lost, known = [], []
    for learnt in parts:
        if y[learnt].all() or not y[learnt].any():
            continue
        rate = y[learnt].mean()
        model = likely.Evidence(smoothing=smoothing, missing="neutral").fit({"x": x[learnt]}, y[learnt])
        told = np.asarray(model.transform({"x": x[~learnt]})["x"], float)
        p = 1 / (1 + np.exp(-(np.nan_to_num(told) + np.log(rate / (1 - rate)))))
        for bits, q in ((lost, np.clip(p, LEAST, 1 - LEAST)), (known, np.full(len(p), rate))):
            bits.append(-np.mean(np.log2(np.where(y[~learnt], q, 1 - q))))
    return 100 * (1 - np.mean(lost) / np.mean(known)) if known else np.nan


def main() -> None:
    shares: dict[tuple[str, str], list[float]] = {}
    tables = set()
    for file, x, y in columns():
        tables.add(file)
        order = np.random.default_rng(0).permutation(len(y))
        most = [order % FOLDS != f for f in range(FOLDS)]
        few = [order % FEW == f for f in range(FOLDS)] if len(y) >= FEW * AT_LEAST else []
        for smoothing in ("hierarchical", "neutral", "printed"):
            for rows, parts in (("four fifths", most), ("a fiftieth", few)):
                shares.setdefault((smoothing, rows), []).append(explained(smoothing, x, y, parts))
    if not tables:
        print(f"no real data sets in {DATA} (set LIKELY_DATA)")
        return
    print(f"columns of {len(tables)} tables: % of the target's bits on held-out rows\n")
    for (smoothing, rows), values in shares.items():
        each = np.array(values)
        each = each[~np.isnan(each)]
        told = f"{len(each):4d} columns {each.mean():8.3f}   worst {each.min():9.3f}"
        print(f"{smoothing:14s} from {rows:12s} {told}")
        keep(f"bits of levels explained, {smoothing}, from {rows}", float(each.mean()), "%")


if __name__ == "__main__":
    main()
