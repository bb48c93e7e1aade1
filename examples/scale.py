"""Learn from a table that is not in memory: in DuckDB, in Polars, and from a folder of files."""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

import likely

rng = np.random.default_rng(0)
with tempfile.TemporaryDirectory() as folder:
    for month in range(4):
        late = rng.random(5_000) < 0.3
        orders = {
            "distance": np.round(rng.gamma(3, 4 + 3 * late), 1),
            "weekday": rng.choice(["Mon", "Wed", "Sat"], 5_000),
            "carrier": np.where(rng.random(5_000) < 0.2 + 0.4 * late, "bike", "van"),
            "late": np.where(late, "yes", "no"),
        }
        likely.write(orders, Path(folder) / f"orders-{month}.parquet")

    files = f"{folder}/*.parquet"
    order = {"distance": [30.0], "weekday": ["Sat"], "carrier": ["bike"]}
    for name, table in {
        "DuckDB": duckdb.sql(f"FROM '{files}'"),
        "Polars": pl.scan_parquet(files),
        "files": likely.scan(files),
    }.items():
        model = likely.NaiveBayes().fit(table, "late")
        print(f"{name:7} {model.record_.n:g} rows, P(late) = {model.predict_proba(order)[0, 1]:.3f}")

    steps = likely.LogisticRegression().fit(likely.scan(files), "late")
    print(f"logistic regression, {steps.n_iter_} passes: P(late) = {steps.predict_proba(order)[0, 1]:.3f}")
    print(model.explain(order))
