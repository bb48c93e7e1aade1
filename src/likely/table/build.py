"""Columns of answers -> a table of the library that the user came with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.table.column import Column
from likely.table.kinds import Kind
from likely.table.raw import UNITS, Type


def to_table(columns: Mapping[str, Any], library: str) -> Any:
    """A frame of the named library; a dict of columns where that has no frames (NumPy, SciPy, dicts).

    >>> to_table({"a": np.array([1, 2])}, "numpy")
    {'a': array([1, 2])}
    """
    if library not in ("pandas", "polars", "pyarrow"):
        return dict(columns)
    from importlib import import_module

    module = import_module(library)
    if library == "pandas":
        return module.DataFrame(dict(columns))
    if library == "polars":
        return module.DataFrame({name: _plain(values) for name, values in columns.items()})
    return module.table({name: _plain(values) for name, values in columns.items()})


def values_of(column: Column, drawn: Any, library: str) -> Any:
    """Numbers or codes back into values of the column's own type; NaN and -1 are missing."""
    if column.levels is not None:
        return _levels_of(column, np.asarray(drawn, np.intp), library)
    drawn = np.asarray(drawn, np.float64)
    gaps = np.isnan(drawn)
    if column.kind is Kind.BOOLEAN:
        return drawn == 1 if not gaps.any() else np.where(gaps, None, drawn == 1)
    if column.type in UNITS:
        unit, size, _ = UNITS[column.type]
        times = np.round(np.where(gaps, 0, drawn) * size).astype(np.int64).astype(unit)
        times[gaps] = "NaT"
        return times
    return drawn.astype(np.int64) if column.kind is Kind.COUNT and not gaps.any() else drawn


def _levels_of(column: Column, codes: Any, library: str) -> Any:
    assert column.levels is not None
    levels = [level for level in column.levels if level is not None]
    codes = np.where(codes < len(levels), codes, -1)  # the level of its own for missing cells
    if column.type is Type.CATEGORY and library == "pandas":
        import pandas as pd

        return pd.Categorical.from_codes(codes, pd.Index(levels), ordered=column.kind is Kind.ORDINAL)
    if column.type is Type.CATEGORY and library == "polars" and all(isinstance(v, str) for v in levels):
        import polars as pl

        return pl.Series([None if c < 0 else levels[c] for c in codes], dtype=pl.Enum(levels))
    if levels and not isinstance(levels[0], str) and (codes >= 0).all():
        return np.asarray(levels)[codes]
    table = np.empty(len(levels) + 1, object)
    table[:-1] = levels
    return table[codes]


def _plain(values: Any) -> Any:
    return values.tolist() if isinstance(values, np.ndarray) and values.dtype == object else values
