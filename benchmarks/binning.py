"""How many of the target's bits single columns of numbers explain on held-out rows, by each way to bin them.

Beside optbinning at its defaults, where it is installed. The tables are those of LIKELY_DATA.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np
from figures import keep

import likely

TABLES = {
    "adult.csv.gz": "income",
    "bank_marketing.csv.gz": "y",
    "breast_cancer_wdbc.csv": "diagnosis",
    "credit_approval.csv": "class",
    "german_credit.csv": "class",
    "heart_cleveland_weka.csv": "num",
    "hepatitis.csv": "Class",
    "pima_diabetes.csv": "class",
    "spambase.csv": "class",
    "titanic.csv": "survived",
}
DATA = Path(os.environ.get("LIKELY_DATA", Path(__file__).parents[2] / "shared" / "data"))
FOLDS = 5
DISTINCT = 10  # columns with fewer values are no numbers
LEAST = 1e-6  # probability


def ours(method: str, **options: object):
    def probabilities(x, y, new):
        model = likely.Evidence(method, missing="neutral", **options).fit({"x": x}, y)
        rate = y.mean()
        return 1 / (1 + np.exp(-(model.transform({"x": new})["x"] + np.log(rate / (1 - rate)))))

    return probabilities


def bins(*options: object):
    def probabilities(x, y, new):
        model = likely.Discretize(*options, encode="codes").fit({"x": x}, y)
        rates = np.array([line["P(True)"] for line in model.table().lines])
        codes = model.transform({"x": new})["x"]
        return np.where(np.isnan(codes), y.mean(), rates[np.nan_to_num(codes).astype(int)])

    return probabilities


def peer():
    from optbinning import OptimalBinning

    def probabilities(x, y, new):
        model = OptimalBinning(dtype="numerical").fit(x, y.astype(int))
        # Missing cells have a bin of their own in the peer; the others get the share of their bin.
        return model.transform(new, metric="event_rate", metric_missing="empirical")

    return probabilities


def explained(probabilities, x, y, fold) -> float:
    """Of the entropy of the target, the share that held-out rows lose of their bits."""
    p = np.empty(len(y))
    for f in range(FOLDS):
        test = fold == f
        p[test] = probabilities(x[~test], y[~test], x[test])
    p = np.clip(p, LEAST, 1 - LEAST)
    rate = np.empty(len(y))
    for f in range(FOLDS):
        rate[fold == f] = y[fold != f].mean()
    lost, known = (-np.mean(np.log2(np.where(y, q, 1 - q))) for q in (p, rate))
    return 100 * (1 - lost / known)


def columns():
    """Every column of numbers, with the classes and the folds of its rows."""
    for file, target in TABLES.items():
        if not (DATA / file).exists():
            continue
        table = likely.read(DATA / file, into="pandas")
        y = table[target].to_numpy() == sorted(table[target].unique())[1]
        fold = np.random.default_rng(0).permutation(len(y)) % FOLDS
        for name in table.columns.drop(target):
            column = table[name]
            if column.dtype.kind in "iuf" and column.nunique() > DISTINCT and name not in ("body", "fnlwgt"):
                yield f"{file.split('.')[0]}.{name}", column.to_numpy(float), y, fold


def main() -> None:
    ways = {
        "Evidence average": ours("average"),
        "Evidence isotonic": ours("isotonic"),
        "Evidence logistic": ours("logistic"),
        "Discretize optimal": bins("optimal"),
        "Discretize recursive, MDL": bins("recursive"),
        "Discretize equal frequency": bins("equal_frequency"),
    }
    try:
        ways["optbinning, defaults"] = peer()
    except ImportError:
        print("optbinning is not installed: left out")
    shares: dict[str, list[float]] = {name: [] for name in ways}
    names = []
    for name, x, y, fold in columns():
        names.append(name)
        for way, probabilities in ways.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                shares[way].append(explained(probabilities, x, y, fold))
    if not names:
        print(f"no real data sets in {DATA} (set LIKELY_DATA)")
        return
    tables = np.array([name.split(".")[0] for name in names])
    print(f"{len(names)} columns of {len(set(tables))} tables: % of the target's bits on held-out rows\n")
    print(f"{'':28s}{'columns':>9s}{'tables':>9s}{'worst':>9s}")
    for way, values in shares.items():
        each = np.array(values)
        by_table = np.mean([each[tables == t].mean() for t in np.unique(tables)])
        print(f"{way:28s}{each.mean():9.3f}{by_table:9.3f}{each.min():9.3f}")
        keep(f"bits explained, {way}", float(each.mean()), "%")


if __name__ == "__main__":
    main()
