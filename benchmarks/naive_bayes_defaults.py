"""Log loss of naive Bayes by default, beside its parts, the base rate and peers at their best.

usage: naive_bayes_defaults.py DATA [TABLE ...]

DATA is a folder of CSV files. 5-fold cross-validation, at most 5000 rows a table, in nats. A star marks what
is worse than the base rate. "gnb" is scikit-learn's GaussianNB, "lr" its LogisticRegressionCV, each with
columns prepared as is usual.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import likely

# The target of each table; the last column, where there is none of that name.
TARGETS = {
    "adult": "income",
    "anneal": "class",
    "balance_scale": "class",
    "bank_marketing": "y",
    "breast_cancer_ljubljana": "Class",
    "breast_cancer_wdbc": "diagnosis",
    "car": "class",
    "credit_approval": "class",
    "german_credit": "class",
    "glass": "Type",
    "heart_cleveland": "num",
    "heart_cleveland_weka": "num",
    "hepatitis": "Class",
    "house_votes_84": "Class",
    "iris": "species",
    "mushroom": "class",
    "penguins": "species",
    "pima_diabetes": "class",
    "soybean": "class",
    "spambase": "class",
    "tic_tac_toe": "Class",
    "titanic": "survived",
    "vehicle": "Class",
    "wine": "class",
    "wine_quality_red": "quality",
    "zoo": "type",
}
# What leaks the target, or names a row.
DROP = ["boat", "body", "name", "ticket", "animal"]
MOST, LEAST = 5000, 1e-7  # rows of a table; the least probability that is taken at its word


def main(folder: Path, names: list[str]) -> None:
    """Print the table."""
    warnings.filterwarnings("ignore")
    ways = _ways()
    print("table".ljust(24), *(way.rjust(10) for way in ("base rate", *ways)))
    losses = []
    for name in names:
        X, y = _load(folder, name)
        own = [_loss(make, X, y) for make in (None, *ways.values())]
        losses.append(own)
        print(name.ljust(24), *(f"{loss:9.4f}{'*' if loss > own[0] else ' '}" for loss in own), flush=True)
    found = np.array(losses)
    print("geometric mean".ljust(24), *(f"{mean:9.4f} " for mean in np.exp(np.log(found).mean(axis=0))))
    print(
        "worst over base rate".ljust(24), *(f"{worst:9.3f} " for worst in (found / found[:, :1]).max(axis=0))
    )


def _ways() -> dict[str, Callable[[pd.DataFrame], Any]]:
    return {
        "default": lambda X: likely.NaiveBayes(),
        "no weights": lambda X: likely.NaiveBayes(evidence_weights=None),
        "classical": lambda X: likely.NaiveBayes(families="classical", evidence_weights=None),
        "auto": lambda X: likely.NaiveBayes(families="auto", evidence_weights=None),
        "gnb": lambda X: make_pipeline(_prepared(X, dense=True), GaussianNB(var_smoothing=1e-3)),
        "lr": lambda X: make_pipeline(
            _prepared(X), LogisticRegressionCV(Cs=7, cv=3, scoring="neg_log_loss", max_iter=400)
        ),
    }


def _prepared(X: pd.DataFrame, dense: bool = False) -> Any:
    numbers = [name for name in X if pd.api.types.is_numeric_dtype(X[name])]
    levels = [name for name in X if name not in numbers]
    constant = SimpleImputer(strategy="constant", fill_value="missing")
    return make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median", add_indicator=not dense), StandardScaler()), numbers),
        (make_pipeline(constant, OneHotEncoder(handle_unknown="ignore", sparse_output=not dense)), levels),
        sparse_threshold=0 if dense else 0.3,
    )


def _load(folder: Path, name: str) -> tuple[pd.DataFrame, pd.Series]:
    path = folder / f"{name}.csv"
    frame = pd.read_csv(path if path.exists() else folder / f"{name}.csv.gz", na_values="?")
    target = TARGETS[name] if TARGETS[name] in frame else frame.columns[-1]
    frame = frame.drop(columns=[column for column in DROP if column in frame and column != target])
    frame = frame[frame[target].notna()]
    often = frame[target].value_counts()
    frame = frame[frame[target].isin(often.index[often >= 5])]
    if len(frame) > MOST:
        frame, _ = train_test_split(frame, train_size=MOST, stratify=frame[target], random_state=0)
    frame = frame.reset_index(drop=True)
    for column in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            frame[column] = frame[column].astype(object).where(frame[column].notna(), np.nan)
    return frame.drop(columns=target), frame[target].astype(str)


def _loss(make: Callable[[pd.DataFrame], Any] | None, X: pd.DataFrame, y: pd.Series) -> float:
    """The mean over five folds; of the base rate, without a model."""
    losses = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        if make is None:
            rates = y.iloc[train].value_counts(normalize=True)
            losses.append(-np.log(rates.reindex(y.iloc[test]).to_numpy()).mean())
            continue
        model = make(X).fit(X.iloc[train], y.iloc[train])
        p = np.clip(model.predict_proba(X.iloc[test]), LEAST, 1)
        place = {label: i for i, label in enumerate(model.classes_)}
        own = p[np.arange(len(test)), [place[label] for label in y.iloc[test]]] / p.sum(axis=1)
        losses.append(-np.log(own).mean())
    return float(np.mean(losses))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(TARGETS))
