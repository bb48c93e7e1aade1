"""Scoring by SQL beside predict_proba: DuckDB, 2,000,000 rows, 10 columns of levels and 10 of numbers.

python benchmarks/scoring_sql.py [rows] [port]

With the port of a PostgreSQL on this machine (user likely, database postgres), 100,000 rows are scored there,
too. CPU seconds: of this process, and of the server's. In memory, the cells are at hand, or fetched first
from the same database file as Arrow: what somebody whose rows lie in a database has to do.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from figures import keep

import likely

MODELS = {
    "naive Bayes, the default": likely.NaiveBayes(),
    "normals, learnt weights": likely.NaiveBayes(families="classical"),
    "normals, no weights": likely.NaiveBayes(families="classical", evidence_weights=None),
    "logistic regression": likely.LogisticRegression(),
}


def table(n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """3 % gaps, offsets up to 1e9."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 5, n)
    columns: dict[str, Any] = {}
    for j, k in enumerate((3, 5, 8, 10, 20, 4, 6, 30, 12, 2)):
        levels = np.array([f"level {i}" for i in range(k)], object)
        cells = levels[(y * (j % 3) + rng.integers(0, k, n)) % k]
        cells[rng.random(n) < 0.03] = None
        columns[f"l{j}"] = cells
    for j in range(10):
        cells = (10.0**j if j % 2 else 0.0) + rng.normal(y * (0.3 + 0.1 * j), 1.0 + 0.2 * j * (y % 2))
        columns[f"x{j}"] = np.where(rng.random(n) < 0.03, np.nan, cells)
    return pd.DataFrame(columns), y


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


def in_duckdb(rows: pd.DataFrame, database: str) -> duckdb.DuckDBPyConnection:
    """The rows as a table of a database, in a file or ":memory:", where texts are not compressed."""
    connection = duckdb.connect(database)
    connection.execute("SET threads = 1")
    connection.register("held", rows.astype({name: object for name in rows if name.startswith("l")}))
    connection.execute("CREATE TABLE rows AS SELECT * FROM held")
    connection.unregister("held")
    if database != ":memory:":
        connection.execute("CHECKPOINT")
    return connection


def on_duckdb(connection: duckdb.DuckDBPyConnection, model: Any) -> tuple[float, Any]:
    query = model.to_sql(source="rows")
    seconds, answer = cpu(lambda: connection.execute(query).fetchnumpy())
    return seconds, np.column_stack(list(answer.values()))


def on_postgres(port: int, rows: pd.DataFrame, model: Any) -> float:
    """CPU seconds of the server's process for this connection."""
    import psycopg

    where = f"host=127.0.0.1 port={port} user=likely dbname=postgres"
    with psycopg.connect(where, autocommit=True) as connection:
        types = [f"{name} {'text' if name.startswith('l') else 'float8'}" for name in rows]
        connection.execute("DROP TABLE IF EXISTS rows")
        connection.execute(f"CREATE TABLE rows ({', '.join(types)})")
        with connection.cursor().copy("COPY rows FROM STDIN") as copy:
            for row in rows.itertuples(index=False):
                copy.write_row([None if cell is None or cell != cell else cell for cell in row])
        connection.execute("ANALYZE rows")
        connection.execute("SET max_parallel_workers_per_gather = 0")
        pid = connection.info.backend_pid
        names = [f'sum("p_{label}")' for label in model.classes_]
        before = _seconds(pid)
        connection.execute(
            f"SELECT {', '.join(names)} FROM ({model.to_sql('postgres')}) AS scored"
        ).fetchall()
        return _seconds(pid) - before


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def main(n: int, port: int | None) -> None:
    learnt, y = table(100_000, 0)
    rows, _ = table(n, 1)
    few = rows.iloc[:100_000]
    with tempfile.TemporaryDirectory(prefix="likely-sql-") as folder:
        file, memory = in_duckdb(rows, str(Path(folder) / "rows.duckdb")), in_duckdb(rows, ":memory:")
        for name, model in MODELS.items():
            model.fit(learnt, y)
            theirs, told = on_duckdb(file, model)
            flat, _ = on_duckdb(memory, model)
            ours, expected = cpu(lambda model=model: model.predict_proba(rows.copy()))
            fetched, _ = cpu(lambda model=model: model.predict_proba(file.table("rows").to_arrow_table()))
            off = np.abs(told - expected).max()
            print(
                f"{name}: DuckDB {theirs:.2f} CPU s of a file, {flat:.2f} of a table in memory, "
                f"ours {ours:.2f}, {fetched:.2f} with fetching; "
                f"ratios {theirs / fetched:.2f}, {theirs / ours:.2f}, {flat / ours:.2f}, "
                f"{flat / fetched:.2f}, off {off:.0e}"
            )
            keep(f"DuckDB / fetch and predict_proba, {name}", theirs / fetched, "")
            keep(f"DuckDB / predict_proba, {name}", theirs / ours, "")
            if port is not None:
                server = on_postgres(port, few, model)
                own, _ = cpu(lambda model=model: model.predict_proba(few.copy()))
                print(f"{name}: PostgreSQL {server:.2f} CPU s, ours {own:.2f}, ratio {server / own:.1f}")
        file.close()


if __name__ == "__main__":
    given = list(map(int, sys.argv[1:]))
    main(given[0] if given else 2_000_000, given[1] if len(given) > 1 else None)
