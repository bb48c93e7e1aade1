"""Raw columns to the frame library that the user works with."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.read.column import RawColumn, with_none

_LIBRARIES = ("pandas", "polars", "pyarrow")


def library_for(into: str | None) -> str:
    """The library to give a table in: the one asked for, or the first one installed."""
    if into is None:
        return next((library for library in _LIBRARIES if find_spec(library)), "dict")
    if into not in (*_LIBRARIES, "dict"):
        raise LikelyError(f"into={into!r} is not known; choose 'pandas', 'polars', 'pyarrow' or 'dict'")
    if into != "dict" and not find_spec(into):
        raise LikelyError(f"into={into!r} needs a library that is not installed: pip install {into}")
    return into


def in_library(columns: Mapping[str, RawColumn], library: str) -> Any:
    """The table as a pandas or Polars DataFrame, a PyArrow Table, or a dict of NumPy columns."""
    if library == "pandas":
        return _pandas_frame(columns)
    if library == "polars":
        return _polars_frame(columns)
    if library == "pyarrow":
        return _pyarrow_table(columns)
    return {name: _array(column) for name, column in columns.items()}


def _array(column: RawColumn) -> NDArray[Any]:
    """One array with the missing values inside: None among texts and truth values, NaN or NaT else."""
    if not column.missing.any():
        return column.values
    if column.values.dtype.kind == "M":
        return np.where(column.missing, np.array("NaT", column.values.dtype), column.values)
    if column.values.dtype.kind in "if":
        return np.where(column.missing, np.nan, column.values)
    return with_none(column.values, column.missing)


def _pandas_frame(columns: Mapping[str, RawColumn]) -> Any:
    import pandas as pd

    frame = {}
    for name, column in columns.items():
        series = pd.Series(_array(column))
        if column.utc:
            series = series.dt.tz_localize("UTC")
        elif column.values.dtype == bool and column.missing.any():
            series = series.astype("boolean")  # object would hide that these are truth values
        frame[name] = series
    return pd.DataFrame(frame)


def _polars_frame(columns: Mapping[str, RawColumn]) -> Any:
    import polars as pl

    series = []
    for name, column in columns.items():
        is_text = column.values.dtype == object
        # a list, because Polars takes an array that begins with None for arbitrary objects
        one = (
            pl.Series(name, column.values.tolist(), pl.String) if is_text else pl.Series(name, column.values)
        )
        if column.missing.any() and not is_text:
            one = pl.select(pl.when(pl.Series(~column.missing)).then(one)).to_series().alias(name)
        series.append(one.dt.replace_time_zone("UTC") if column.utc else one)
    return pl.DataFrame(series)


def _pyarrow_table(columns: Mapping[str, RawColumn]) -> Any:
    import pyarrow as pa

    arrays = [
        pa.array(
            column.values, mask=column.missing, type=pa.timestamp("us", tz="UTC") if column.utc else None
        )
        for column in columns.values()
    ]
    return pa.table(arrays, names=list(columns))
