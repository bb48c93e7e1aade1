"""Log loss of logistic regression under Normal(0, 2.5) and under the prior it chooses: docs/regression.md.

python benchmarks/logistic_prior.py FOLDER [names of cases], where FOLDER holds the tables.

Both learn from the same rows and are tested on the same others: 5 folds, twice. The difference has the
standard error of its mean over rows; negative is in favour of the chosen prior. Made-up cases are the mean of
20 draws, tested on 2,000 new rows each.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from figures import keep
from sklearn.model_selection import StratifiedKFold

from likely import LogisticRegression, Normal
from likely.errors import LikelyWarning

MOST = 2000  # rows that are drawn from a larger table
TABLES = {
    "pima_diabetes": ("pima_diabetes.csv", "class", []),
    "breast_cancer_wdbc": ("breast_cancer_wdbc.csv", "diagnosis", []),
    "breast_cancer_ljubljana": ("breast_cancer_ljubljana.csv", "Class", []),
    "wine": ("wine.csv", "class", []),
    "iris": ("iris.csv", None, []),
    "glass": ("glass.csv", "Type", []),
    "vehicle": ("vehicle.csv", "Class", []),
    "german_credit": ("german_credit.csv", "class", []),
    "credit_approval": ("credit_approval.csv", "class", []),
    "heart_cleveland": ("heart_cleveland_weka.csv", "num", []),
    "heart, 5 grades": ("heart_cleveland.csv", "num", []),
    "hepatitis": ("hepatitis.csv", "Class", []),
    "titanic": ("titanic.csv", "survived", ["boat", "body", "name", "ticket", "cabin", "home.dest"]),
    "spambase": ("spambase.csv", "class", []),
    "adult": ("adult.csv.gz", "income", ["fnlwgt"]),
    "bank_marketing": ("bank_marketing.csv.gz", "y", ["duration"]),
    "house_votes_84": ("house_votes_84.csv", "Class", []),
    "tic_tac_toe": ("tic_tac_toe.csv", "Class", []),
    "car": ("car.csv", "class", []),
    "zoo": ("zoo.csv", "type", ["animal"]),
    "balance_scale": ("balance_scale.csv", "class", []),
    "wine_quality_red": ("wine_quality_red.csv", "quality", []),
    "penguins": ("penguins.csv", "species", []),
    "soybean": ("soybean.csv", "class", []),
}
MADE = {  # rows, columns, columns that matter, their coefficients
    "noise, 100 x 30": (100, 30, 0, 0.0),
    "noise, 100 x 3": (100, 3, 0, 0.0),
    "noise, 20 x 10": (20, 10, 0, 0.0),
    "noise, 2000 x 30": (2000, 30, 0, 0.0),
    "separable, 40 x 2": (40, 2, 1, 100.0),
    "separable, 100 x 10": (100, 10, 3, 100.0),
    "strong, 200 x 2": (200, 2, 2, 3.0),
    "one strong of 20, 200": (200, 20, 1, 4.0),
    "weak, 200 x 20": (200, 20, 20, 0.3),
    "few rows, 15 x 2": (15, 2, 2, 1.0),
}
PRIORS: dict[str, Any] = {"fixed": Normal(0, 2.5), "chosen": "default"}


def drawn(n: int, p: int, own: int, size: float, rng: np.random.Generator) -> tuple[Any, Any]:
    x = rng.normal(size=(n, p))
    return x, (x[:, :own].sum(axis=1) * size + rng.logistic(size=n) > 0).astype(int)


def made(name: str) -> Iterator[tuple[Any, Any, Any, Any]]:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n, *rest = MADE[name]
        X, y = drawn(n, *rest, rng)
        if len(set(y)) > 1:
            yield X, y, *drawn(2000, *rest, rng)


def real(folder: Path, name: str) -> Iterator[tuple[Any, Any, Any, Any]]:
    file, target, drop = TABLES[name]
    table = pd.read_csv(folder / file, na_values="?").drop(columns=drop)
    target = target or table.columns[-1]
    table = table.sample(min(MOST, len(table)), random_state=0)
    table = table[table.groupby(target)[target].transform("size") >= 5].reset_index(drop=True)
    y = table.pop(target).to_numpy()
    for repeat in range(2):
        for train, test in StratifiedKFold(5, shuffle=True, random_state=repeat).split(table, y):
            yield table.iloc[train], y[train], table.iloc[test], y[test]


def losses(parts: Iterator[tuple[Any, Any, Any, Any]]) -> tuple[np.ndarray, list[float], list[float]]:
    """Of every test row under each prior, (n, 2); seconds of each prior; the sds that were chosen."""
    found, seconds, sds = [], [0.0] * len(PRIORS), []
    for X, y, new, true in parts:
        own = []
        for place, prior in enumerate(PRIORS.values()):
            began = time.perf_counter()
            model = LogisticRegression(prior).fit(X, y)
            seconds[place] += time.perf_counter() - began
            codes = np.searchsorted(model.classes_, true)
            own.append(-model.predict_log_proba(new)[np.arange(len(true)), codes])
        sds.append(float(np.max(model.prior_.sd)))
        found.append(np.stack(own, axis=1))
    return np.concatenate(found), seconds, sds


def main(folder: Path, names: list[str]) -> None:
    print("| case | rows | fixed | chosen | difference | sd | seconds |\n|---|--:|--:|--:|--:|--:|--:|")
    for name in names or [*TABLES, *MADE]:
        parts = list(made(name) if name in MADE else real(folder, name))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LikelyWarning)
            each, seconds, sds = losses(iter(parts))
        apart = each[:, 1] - each[:, 0]
        rows = len(apart) // (1 if name in MADE else 2)  # each row of a table is tested twice
        error = apart.std() / np.sqrt(rows if name not in MADE else 20)
        if name in MADE:
            error = np.std([part.mean() for part in np.split(apart, len(parts))]) / np.sqrt(len(parts))
        keep(f"{name}: log loss", each[:, 1].mean(), "nats")
        keep(f"{name}: seconds of a fit", seconds[1] / len(parts), "s")
        print(
            f"| {name} | {len(parts[0][1])} | {each[:, 0].mean():.4f} | {each[:, 1].mean():.4f} | "
            f"{apart.mean():+.4f} ± {error:.4f} | {np.median(sds):.2g} | "
            f"{' / '.join(f'{s / len(parts):.2f}' for s in seconds)} |",
            flush=True,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
