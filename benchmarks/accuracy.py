"""Probabilities of the default learner beside those of others by their defaults, on real tables.

python benchmarks/accuracy.py FOLDER [TABLE ...], where FOLDER holds the tables. Five folds, at most 5,000
rows; CPU seconds are those of fitting. CatBoost, LightGBM, XGBoost, EBM and FLAML (half a minute a table) are
run where they are installed. The ablation leaves one member out at a time; --peers leaves the ablation out.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from figures import keep
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler

import likely
from likely.pool.recipe import BUDGETS

MOST = 5000
FLAML_SECONDS = 30 / 5  # of a fold: half a minute a table
TABLES = {
    "titanic": ("survived", ["boat", "body", "name", "ticket"]),
    "adult": ("income", []),
    "mushroom": ("class", []),
    "german_credit": ("class", []),
    "credit_approval": ("class", []),
    "heart_cleveland_weka": ("num", []),
    "hepatitis": ("Class", []),
    "house_votes_84": ("Class", []),
    "car": ("class", []),
    "breast_cancer_ljubljana": ("Class", []),
    "pima_diabetes": ("class", []),
    "spambase": ("class", []),
    "tic_tac_toe": ("Class", []),
    "glass": ("Type", []),
    "vehicle": ("Class", []),
    "soybean": ("class", []),
    "anneal": ("class", []),
    "bank_marketing": ("y", []),
    "wine_quality_red": ("quality", []),
    "balance_scale": ("class", []),
}


def read(folder: Path, name: str) -> tuple[pd.DataFrame, pd.Series]:
    """A table, and its target; classes of fewer than five rows are left out."""
    path = folder / f"{name}.csv"
    target, drop = TABLES[name]
    rows = pd.read_csv(
        path if path.exists() else folder / f"{name}.csv.gz", na_values="?", skipinitialspace=True
    )
    column = next((c for c in rows if c.lower() == target.lower()), rows.columns[-1])
    rows = rows.drop(columns=[c for c in rows if c in drop])
    rows = rows[rows[column].notna()]
    counts = rows[column].value_counts()
    rows = rows[rows[column].isin(counts.index[counts >= 5])]
    y = rows.pop(column).astype(str)
    if len(rows) > MOST:
        rows, _, y, _ = train_test_split(rows, y, train_size=MOST, stratify=y, random_state=0)
    return rows.reset_index(drop=True), y.reset_index(drop=True)


def others(X: pd.DataFrame) -> dict[str, Callable[[], Any]]:
    """Learners by their defaults, with the columns turned into what they take."""
    numbers = [c for c in X if pd.api.types.is_numeric_dtype(X[c])]
    levels = [c for c in X if c not in numbers]
    known = SimpleImputer(strategy="constant", fill_value="missing")
    ordinal = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1)
    middle = SimpleImputer(strategy="median", add_indicator=True)
    one_hot = make_pipeline(known, OneHotEncoder(handle_unknown="ignore", min_frequency=2))
    scaled = make_column_transformer((make_pipeline(middle, StandardScaler()), numbers), (one_hot, levels))
    filled = make_column_transformer((middle, numbers), (ordinal, levels))
    few = [i for i, c in enumerate(levels) if X[c].nunique() < 250]
    gaps = make_column_transformer((ordinal, levels), ("passthrough", numbers))
    return {
        "logistic, cross-validated": lambda: make_pipeline(
            scaled, LogisticRegressionCV(Cs=7, cv=3, scoring="neg_log_loss", max_iter=400)
        ),
        "hist gradient boosting": lambda: make_pipeline(
            gaps,
            HistGradientBoostingClassifier(early_stopping=True, categorical_features=few, random_state=0),
        ),
        "random forest": lambda: make_pipeline(
            filled, RandomForestClassifier(500, min_samples_leaf=2, random_state=0)
        ),
        **boosters(filled, levels, X),
    }


def boosters(filled: Any, levels: list[str], X: pd.DataFrame) -> dict[str, Callable[[], Any]]:
    """Those that are installed."""
    known: dict[str, Callable[[], Any]] = {}

    def as_texts(X: pd.DataFrame) -> pd.DataFrame:
        return X.assign(**{c: X[c].fillna("missing").astype(str) for c in levels})

    try:
        from catboost import CatBoostClassifier

        def catboost() -> Any:
            return CatBoostClassifier(
                verbose=0, random_seed=0, allow_writing_files=False, cat_features=levels
            )

        known["CatBoost"] = lambda: make_pipeline(FunctionTransformer(as_texts), catboost())
    except ImportError:
        pass
    try:
        from lightgbm import LGBMClassifier

        known["LightGBM"] = lambda: make_pipeline(filled, LGBMClassifier(verbose=-1, random_state=0))
    except ImportError:
        pass
    try:
        from xgboost import XGBClassifier

        known["XGBoost"] = lambda: Numbered(make_pipeline(filled, XGBClassifier(random_state=0, n_jobs=1)))
    except ImportError:
        pass
    try:
        from interpret.glassbox import ExplainableBoostingClassifier

        kinds = ["nominal" if c in levels else "continuous" for c in X]
        known["EBM"] = lambda: make_pipeline(
            FunctionTransformer(as_texts),
            ExplainableBoostingClassifier(random_state=0, n_jobs=1, feature_types=kinds),
        )
    except ImportError:
        pass
    try:
        from flaml.automl import AutoML

        settings = {"time_budget": FLAML_SECONDS, "metric": "log_loss", "task": "classification"}
        quiet = {"verbose": 0, "seed": 0, "n_jobs": 1}
        known["FLAML"] = lambda: make_pipeline(filled, AutoML(**settings, **quiet))
    except ImportError:
        pass
    return known


class Numbered(ClassifierMixin, BaseEstimator):
    """A learner that takes classes by number only."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: pd.DataFrame, y: pd.Series) -> Numbered:
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.model.fit(X, codes)
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.model.predict_proba(X))


def measured(make: Callable[[], Any], X: pd.DataFrame, y: pd.Series) -> tuple[float, float]:
    """Log loss, and CPU seconds of a fit: means over the folds."""
    losses, seconds = [], []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        began = time.process_time()
        model = make().fit(X.iloc[train], y.iloc[train])
        seconds.append(time.process_time() - began)
        p = np.clip(model.predict_proba(X.iloc[test]), 1e-7, 1)
        place = {str(label): k for k, label in enumerate(model.classes_)}
        truth = [place[label] for label in y.iloc[test]]
        losses.append(-np.log(p[np.arange(len(p)), truth] / p.sum(axis=1)).mean())
    return float(np.mean(losses)), float(np.mean(seconds))


def main(folder: Path, names: list[str], peers_only: bool) -> None:
    table: dict[str, dict[str, tuple[float, float]]] = {}
    for name in names or TABLES:
        X, y = read(folder, name)
        members = BUDGETS["default"]
        learners = {"Classifier": likely.Classifier, **others(X)}
        learners |= {f"{b} budget": lambda b=b: likely.Classifier(b) for b in ("additive", "fast")}
        for gone in () if peers_only else members:
            kept = [m for m in members if m != gone]
            learners[f"without {gone}"] = lambda kept=kept: likely.Classifier(members=kept)
        for learner, make in learners.items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    loss, seconds = measured(make, X, y)
            except Exception as error:  # a peer that cannot learn from a table
                print(f"{name}: {learner} failed ({error})")
                continue
            table.setdefault(learner, {})[name] = loss, seconds
            print(f"{name:24} {learner:26} {loss:.4f} {seconds:.2f} CPU s", flush=True)
    print("\n| learner | log loss of Classifier / its own | Classifier lower on | CPU s, median |")
    print("|---|--:|--:|--:|")
    ours = table["Classifier"]
    for learner, own in table.items():
        ratio = np.array([ours[name][0] / own[name][0] for name in own])
        cpu = np.median([own[name][1] for name in own])
        geometric = float(np.exp(np.log(ratio).mean()))
        keep(f"log loss of Classifier / {learner}", geometric, "x")
        print(f"| {learner} | {geometric:.3f} | {(ratio < 1).sum()} of {len(ratio)} | {cpu:.2f} |")


if __name__ == "__main__":
    names = [name for name in sys.argv[2:] if name != "--peers"]
    main(Path(sys.argv[1]), names, "--peers" in sys.argv)
