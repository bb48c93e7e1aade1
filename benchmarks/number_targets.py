"""Numbers predicted by the default learner beside those of others by their defaults, on real tables.

python benchmarks/number_targets.py FOLDER [TABLE ...], where FOLDER holds the tables. Five folds, at most
5,000 rows: the root of the mean squared error, the negative log density of what came true (of those that
say a distribution), the share of rows inside intervals of .9, and CPU seconds of a fit. CatBoost is run
where it is installed, also with its loss that learns a variance.
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
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler

import likely

MOST = 5000
TABLES = {  # target, and columns to drop
    "diabetes": ("target", []),
    "wine_quality_red": ("quality", []),
    "nycflights13": ("arr_delay", ["arr_time", "air_time", "tailnum", "time_hour"]),
    "gdp_per_capita_2020": ("gdp_per_capita", ["country", "code"]),
    "penguins": ("body_mass_g", []),
    "titanic": ("fare", ["boat", "body", "name", "ticket", "cabin"]),
    "german_credit": ("credit_amount", []),
    "adult": ("hours_per_week", []),
}


def read(folder: Path, name: str) -> tuple[pd.DataFrame, pd.Series]:
    """A table, and its target."""
    if name == "diabetes":
        rows = load_diabetes(as_frame=True).frame
    else:
        path = folder / f"{name}.csv"
        path = path if path.exists() else folder / f"{name}.csv.gz"
        rows = pd.read_csv(path, na_values="?", skipinitialspace=True)
    target, drop = TABLES[name]
    plain = {c: c.lower().replace("-", "_").replace(" ", "_") for c in rows}
    rows = rows.rename(columns=plain).drop(columns=drop, errors="ignore")
    target = next(c for c in rows if c.startswith(target))
    rows = rows[rows[target].notna()]
    if len(rows) > MOST:
        rows = rows.sample(MOST, random_state=0)
    rows = rows.reset_index(drop=True)
    return rows, rows.pop(target).astype(float)


def learners(X: pd.DataFrame) -> dict[str, Callable[[], Any]]:
    """Ours, and others by their defaults, with the columns turned into what they take."""
    numbers = [c for c in X if pd.api.types.is_numeric_dtype(X[c])]
    levels = [c for c in X if c not in numbers]
    known = SimpleImputer(strategy="constant", fill_value="missing")
    ordinal = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1)
    middle = SimpleImputer(strategy="median", add_indicator=True)
    one_hot = make_pipeline(known, OneHotEncoder(handle_unknown="ignore", min_frequency=2))
    scaled = make_column_transformer((make_pipeline(middle, StandardScaler()), numbers), (one_hot, levels))
    filled = make_column_transformer((middle, numbers), (ordinal, levels))
    made: dict[str, Callable[[], Any]] = {
        "Regressor": likely.Regressor,
        "additive budget": lambda: likely.Regressor("additive"),
        "LinearRegression": lambda: likely.LinearRegression("auto"),
        "ridge, cross-validated": lambda: make_pipeline(scaled, RidgeCV(np.geomspace(0.01, 1000, 11))),
        "hist gradient boosting": lambda: make_pipeline(
            filled, HistGradientBoostingRegressor(random_state=0)
        ),
        "random forest": lambda: make_pipeline(filled, RandomForestRegressor(500, random_state=0)),
    }
    try:
        from catboost import CatBoostRegressor
    except ImportError:
        return made

    def as_texts(X: pd.DataFrame) -> pd.DataFrame:
        return X.assign(**{c: X[c].fillna("missing").astype(str) for c in levels})

    def catboost(**more: Any) -> Any:
        model = CatBoostRegressor(
            verbose=0, random_seed=0, thread_count=1, allow_writing_files=False, cat_features=levels, **more
        )
        return make_pipeline(FunctionTransformer(as_texts), model)

    made["CatBoost"] = catboost
    made["CatBoost, with variance"] = lambda: catboost(loss_function="RMSEWithUncertainty")
    return made


def judged(model: Any, X: pd.DataFrame, y: np.ndarray) -> tuple[np.ndarray, np.ndarray | None, float]:
    """What is expected of each row, the log density of what came true, and the share inside intervals."""
    if hasattr(model, "predict_distribution"):
        outcome = model.predict_distribution(X)
        low, high = outcome.quantile(0.05), outcome.quantile(0.95)
        return model.predict(X), outcome.log_prob(y), float(((low <= y) & (y <= high)).mean())
    told = np.asarray(model.predict(X))
    if told.ndim == 1:
        return told, None, np.nan
    mean, sd = told[:, 0], np.sqrt(np.maximum(told[:, 1], 1e-12))
    log_p = -0.5 * np.square((y - mean) / sd) - np.log(sd * np.sqrt(2 * np.pi))
    return mean, log_p, float((np.abs(y - mean) < 1.645 * sd).mean())


def measured(make: Callable[[], Any], X: pd.DataFrame, y: pd.Series) -> tuple[float, float, float, float]:
    """RMSE, negative log density, coverage, and CPU seconds of a fit."""
    squares, logs, inside, seconds = [], [], [], []
    for train, test in KFold(5, shuffle=True, random_state=0).split(X):
        began = time.process_time()
        model = make().fit(X.iloc[train], y.iloc[train])
        seconds.append(time.process_time() - began)
        truth = y.iloc[test].to_numpy()
        mean, log_p, share = judged(model, X.iloc[test], truth)
        squares.append(np.square(mean - truth))
        logs.append(np.full(len(truth), np.nan) if log_p is None else log_p)
        inside.append(share)
    rmse = float(np.sqrt(np.concatenate(squares).mean()))
    return rmse, -float(np.concatenate(logs).mean()), float(np.mean(inside)), float(np.mean(seconds))


def main(folder: Path, names: list[str]) -> None:
    table: dict[str, dict[str, tuple[float, ...]]] = {}
    for name in names or TABLES:
        X, y = read(folder, name)
        for learner, make in learners(X).items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    own = measured(make, X, y)
            except Exception as error:  # a peer that cannot learn from a table
                print(f"{name}: {learner} failed ({error})")
                continue
            table.setdefault(learner, {})[name] = own
            print(f"{name:20} {learner:24} RMSE {own[0]:9.4g}  -log density {own[1]:6.3f}", end="")
            print(f"  inside .9 {own[2]:.3f}  {own[3]:.2f} CPU s", flush=True)
    print("\n| learner | RMSE of Regressor / its own | lower on | log density less ours | CPU s, median |")
    print("|---|--:|--:|--:|--:|")
    ours = table["Regressor"]
    for learner, own in table.items():
        ratio = np.array([ours[name][0] / own[name][0] for name in own])
        apart = np.mean([own[name][1] - ours[name][1] for name in own])
        cpu = np.median([own[name][3] for name in own])
        geometric = float(np.exp(np.log(ratio).mean()))
        keep(f"RMSE of Regressor / {learner}", geometric, "x")
        lower = f"{(ratio < 1).sum()} of {len(ratio)}"
        print(f"| {learner} | {geometric:.3f} | {lower} | {apart:.3f} | {cpu:.2f} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
