"""Lazy tables of every engine that is installed, for one test body."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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


ENGINES = {"duckdb": _duckdb, "polars": _polars, "dask": _dask, "spark": _spark, "ibis": _ibis}
IN_CI = ("duckdb", "polars")
PARAMS = [name if name in IN_CI else pytest.param(name, marks=pytest.mark.long) for name in ENGINES]


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
