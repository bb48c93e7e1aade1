"""Tables larger than memory: learning where the table is, beside files one by one and beside scikit-learn.

python benchmarks/scale.py [rows] [folder]

10 columns of levels and 10 of numbers, 5 classes, 3 % gaps, offsets up to 1e9, in Parquet files of a million
rows. Every line is a process of its own: CPU seconds of the fit (user and system), and the peak of the whole
process. What lies past this machine follows the cost model in the docs: bytes scanned by passes, shared out
over workers, and a few kilobytes of statistics for each part that is sent back.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from figures import keep

A_FILE = 1_000_000
NUMBERS = "numbers"  # the folder of the table that EM and Newton go over


def make(rows: int, folder: Path) -> None:
    """Write the lake."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(8), size=(5, 10))
    offsets = 10.0 ** np.linspace(0, 9, 10)
    for file in range(-(-rows // A_FILE)):
        n = min(A_FILE, rows - file * A_FILE)
        group = rng.integers(0, 5, n)
        columns: dict[str, Any] = {}
        for j in range(10):
            code = (rng.random(n)[:, None] > np.cumsum(shares[group, j], axis=1)).sum(axis=1).clip(max=7)
            gaps = pa.array(code, pa.int32(), mask=rng.random(n) < 0.03)
            names = pa.array([f"level{i}" for i in range(8)])
            columns[f"c{j}"] = pa.DictionaryArray.from_arrays(gaps, names).cast(pa.string())
            numbers = offsets[j] + rng.normal(group * 0.5 * (j % 3), 1 + 0.1 * group)
            columns[f"x{j}"] = pa.array(numbers, mask=rng.random(n) < 0.03)
        classes = pa.array([f"class{i}" for i in range(5)])
        columns["y"] = pa.DictionaryArray.from_arrays(pa.array(group, pa.int32()), classes).cast(pa.string())
        pq.write_table(pa.table(columns), folder / f"part-{file:03d}.parquet", row_group_size=250_000)


def make_numbers(folder: Path) -> None:
    """Write the numbers alone, gaps filled, and whether a row is of the first two classes."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    (folder / NUMBERS).mkdir()
    for file in files_of(str(folder)):
        table = pq.read_table(file, columns=[*(f"x{j}" for j in range(10)), "y"])
        for j in range(10):
            table = table.set_column(j, f"x{j}", pc.fill_null(table[f"x{j}"], 0.0))
        table = table.set_column(10, "y", pc.less(table["y"], "class2"))
        pq.write_table(table, folder / NUMBERS / Path(file).name, row_group_size=250_000)


def lake(rows: int, folder: Path) -> None:
    """Write what of the two tables is not there yet."""
    if not files_of(str(folder)):
        make(rows, folder)
    if not (folder / NUMBERS).exists():
        make_numbers(folder)


def classical() -> Any:
    import likely

    return likely.NaiveBayes(families="classical", evidence_weights=None)


def files_of(folder: str) -> list[str]:
    return sorted(map(str, Path(folder).glob("*.parquet")))


def by_file(folder: str) -> None:
    import pyarrow.parquet as pq

    model = classical()
    for file in files_of(folder):
        model.partial_fit(pq.read_table(file), "y")


def duckdb(folder: str) -> None:
    import duckdb

    classical().fit(duckdb.sql(f"FROM '{folder}/*.parquet'"), "y")


def polars(folder: str) -> None:
    import polars as pl

    classical().fit(pl.scan_parquet(f"{folder}/*.parquet"), "y")


def default(folder: str) -> None:
    import likely

    likely.NaiveBayes().fit(likely.scan(f"{folder}/*.parquet"), "y")


def scikit_learn(folder: str) -> None:
    """GaussianNB of the numbers, CategoricalNB of the codes, file by file; gaps filled, as it takes none."""
    import pandas as pd
    from sklearn.naive_bayes import CategoricalNB, GaussianNB

    normal, levels = GaussianNB(), CategoricalNB(min_categories=9)
    classes = [f"class{i}" for i in range(5)]
    for file in files_of(folder):
        table = pd.read_parquet(file)
        numbers = table[[f"x{j}" for j in range(10)]]
        normal.partial_fit(numbers.fillna(numbers.mean()), table["y"], classes)
        codes = table[[f"c{j}" for j in range(10)]].apply(
            lambda column: column.astype("category").cat.codes + 1
        )
        levels.partial_fit(codes, table["y"], classes)


def mixture() -> Any:
    """Five full groups, five passes over all rows."""
    import likely

    return likely.Mixture(5, random_state=0, max_iter=5, tol=0)


def em(folder: str) -> None:
    import likely

    mixture().fit(likely.scan(f"{folder}/{NUMBERS}").drop("y"))


def em_duckdb(folder: str) -> None:
    import duckdb

    mixture().fit(duckdb.sql(f"SELECT * EXCLUDE (y) FROM '{folder}/{NUMBERS}/*.parquet'"))


def em_in_memory(folder: str) -> None:
    import pyarrow.parquet as pq

    mixture().fit(pq.read_table(f"{folder}/{NUMBERS}").drop_columns(["y"]))


def em_scikit_learn(folder: str) -> None:
    """In memory, from as many starts and for as many passes."""
    import pyarrow.parquet as pq
    from sklearn.mixture import GaussianMixture

    rows = pq.read_table(f"{folder}/{NUMBERS}").drop_columns(["y"])
    matrix = np.column_stack([rows[name].to_numpy() for name in rows.column_names])
    matrix = (matrix - matrix.mean(axis=0)) / matrix.std(axis=0)  # or its covariances are not positive
    GaussianMixture(5, random_state=0, max_iter=5, tol=0).fit(matrix)


def regression() -> Any:
    import likely

    return likely.LogisticRegression(prior=likely.Normal(0, 1))


def newton(folder: str) -> None:
    import likely

    regression().fit(likely.scan(f"{folder}/{NUMBERS}"), "y")


def newton_duckdb(folder: str) -> None:
    import duckdb

    regression().fit(duckdb.sql(f"FROM '{folder}/{NUMBERS}/*.parquet'"), "y")


WAYS: dict[str, Callable[[str], None]] = {
    "our partial_fit by file": by_file,
    "fit in DuckDB": duckdb,
    "fit in Polars": polars,
    "default naive Bayes, scan": default,
    "scikit-learn by file": scikit_learn,
    "EM, 5 passes, scan": em,
    "EM, 5 passes, DuckDB relation": em_duckdb,
    "EM, 5 passes, in memory": em_in_memory,
    "EM, 5 passes, scikit-learn": em_scikit_learn,
    "Newton, scan": newton,
    "Newton, DuckDB relation": newton_duckdb,
}


def measured(way: str, folder: str) -> dict[str, float]:
    """CPU seconds and peak of one way, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, "--one", way, folder],
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def one(way: str, folder: str) -> None:
    import likely  # noqa: F401  # loaded before the clock starts

    before, began = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    WAYS[way](folder)
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"cpu": cpu, "wall": time.monotonic() - began, "peak": after.ru_maxrss / 1024}))


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:4])
        return
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 2_000_000
    with tempfile.TemporaryDirectory(prefix="likely-scale-") as temporary:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(temporary)
        lake(rows, folder)
        print(f"{rows:,} rows x 20 columns\n{'':31}{'CPU s':>8}{'wall s':>8}{'peak MB':>9}{'of ours':>9}")
        ours = 0.0
        for way in WAYS:
            figure = measured(way, str(folder))
            ours = ours or figure["cpu"]
            share = figure["cpu"] / ours
            print(f"{way:31}{figure['cpu']:8.2f}{figure['wall']:8.2f}{figure['peak']:9.0f}{share:9.2f}")
            keep(f"scale: {way}", figure["cpu"], "s")


if __name__ == "__main__":
    main()
