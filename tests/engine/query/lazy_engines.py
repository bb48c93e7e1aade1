"""Lazy tables of every engine that is installed, for one test body."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from postgres_server import connected

Lazy = Callable[[pa.Table], Any]


def _duckdb(folder: Path) -> Lazy:
    duckdb = pytest.importorskip("duckdb")
    return lambda table: duckdb.sql(f"FROM '{_file(folder, table)}'")


def _polars(folder: Path) -> Lazy:
    pl = pytest.importorskip("polars")
    return lambda table: pl.scan_parquet(_file(folder, table))


def _dask(folder: Path) -> Lazy:
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed: the extra `dask`")
    return lambda table: dd.read_parquet(_file(folder, table), split_row_groups=True)


def spark_session() -> Any:
    """A session on this machine that retries what fails; skipped where there is no Spark, or no Java."""
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed: the extra `spark`")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    try:
        session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    except Exception as error:  # no Java
        pytest.skip(f"Spark does not start here: {error}")
    session.sparkContext.setLogLevel("OFF")
    return session


def _spark(folder: Path) -> Lazy:
    session = spark_session()
    return lambda table: session.read.parquet(str(_file(folder, table)))


def _ibis(folder: Path) -> Lazy:
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
    backend = ibis.duckdb.connect()
    return lambda table: backend.read_parquet(_file(folder, table))


def _ibis_postgres(port: int) -> Lazy:
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
    backend = ibis.postgres.connect(host="127.0.0.1", port=port, user="likely", database="postgres")
    numbers = itertools.count()

    def lazily(table: pa.Table) -> Any:
        name = f"lazy_{next(numbers)}"
        columns = [f'"{field.name}" {POSTGRES_TYPES[str(field.type)]}' for field in table.schema]
        with connected(port) as connection:
            connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
            with connection.cursor().copy(f"COPY {name} FROM STDIN") as copy:
                for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                    copy.write_row(row)
        return backend.table(name)

    return lazily


POSTGRES_TYPES = {"double": "float8", "int64": "bigint", "bool": "boolean", "string": "text"}
ENGINES = {"duckdb": _duckdb, "polars": _polars, "dask": _dask, "spark": _spark, "ibis": _ibis}
IN_CI = ("duckdb", "polars")
ON_POSTGRES = "ibis-postgres"
PARAMS = [
    name if name in IN_CI else pytest.param(name, marks=pytest.mark.long) for name in (*ENGINES, ON_POSTGRES)
]


def lazy_engine(request: pytest.FixtureRequest, folder: Path) -> Lazy:
    """What makes lazy tables of the engine that a fixture is asked for."""
    if request.param == ON_POSTGRES:
        return _ibis_postgres(request.getfixturevalue("postgres"))
    return ENGINES[request.param](folder)


def _file(folder: Path, table: pa.Table) -> Path:
    """A Parquet file of several row groups, as PyArrow writes it."""
    path = folder / f"table-{len(list(folder.iterdir()))}.parquet"
    pq.write_table(table, path, row_group_size=max(1, table.num_rows // 4))
    return path


def in_memory(lazy: Any) -> Any:
    """The same table, collected by its own library."""
    for method in ("to_arrow_table", "collect", "compute", "to_pyarrow"):
        if hasattr(lazy, method) and not (method == "collect" and hasattr(lazy, "rdd")):
            with contextlib.suppress(AttributeError):
                return getattr(lazy, method)()
    return lazy.toArrow()
