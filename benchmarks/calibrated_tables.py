"""Log loss of naive Bayes as it comes and calibrated, on real tables: the table of docs/calibration.md.

python benchmarks/calibrated_tables.py FOLDER, where FOLDER holds the tables.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pandas as pd
from figures import keep

from likely import Calibrated, NaiveBayes
from likely.compare import cross_validate
from likely.errors import LikelyWarning

TABLES = {
    "adult": ("adult.csv.gz", "income", ["fnlwgt"]),
    "bank_marketing": ("bank_marketing.csv.gz", "y", []),
    "german_credit": ("german_credit.csv", "class", []),
    "titanic": ("titanic.csv", "survived", ["boat", "body", "name", "ticket", "cabin", "home.dest"]),
    "spambase": ("spambase.csv", "class", []),
}


def main(folder: Path) -> None:
    print("| table | rows | naive Bayes | calibrated | chosen |\n|---|--:|--:|--:|---|")
    for name, (file, target, drop) in TABLES.items():
        table = pd.read_csv(folder / file, na_values="?").drop(columns=drop)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LikelyWarning)  # of rows that no class explains
            losses = [cross_validate(model, table, target).log_loss for model in (NaiveBayes(), Calibrated())]
            chosen = Calibrated().fit(table, target).method_
        for how, loss in zip(("naive Bayes", "calibrated"), losses, strict=True):
            keep(f"{name}: log loss of {how}", float(loss), "nats")
        said = " | ".join(f"{loss:.3f} ± {loss.standard_error:.3f}" for loss in losses)
        print(f"| {name} | {len(table):,} | {said} | {chosen} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
