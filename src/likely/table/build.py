"""Columns of answers -> a table of the library that the user came with."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Kind, Type
from likely.table.column.raw import Raw

LARGEST_WHOLE = 2.0**63  # beyond it a number is no integer of 64 bits, and stays as it is


def to_table(columns: Mapping[str, Any], library: str) -> Any:
    """A frame of the named library; a dict of columns where that has no frames (NumPy, SciPy, dicts).

    >>> to_table({"a": np.array([1, 2])}, "numpy")
    {'a': array([1, 2])}
    """
    if library not in ("pandas", "polars", "pyarrow"):
        return dict(columns)
    module = import_module(library)
    if library == "pandas":
        return _in_pandas(module, columns)
    if library == "polars":
        return module.DataFrame([_in_polars(name, values) for name, values in columns.items()])
    return module.table({name: _in_arrow(values) for name, values in columns.items()})


def _in_pandas(pandas: Any, columns: Mapping[str, Any]) -> Any:
    """Columns side by side, not moved into one block of memory: that takes longer than all else.

    Columns that belong to another table are copied, unless pandas does so itself when one is written to.
    """
    copies = int(pandas.__version__.split(".")[0]) >= 3
    own = {
        name: values.copy() if hasattr(values, "iloc") and not copies else values
        for name, values in columns.items()
    }
    return pandas.DataFrame(own, copy=False)


def values_of(column: Column, drawn: ArrayLike, library: str) -> Any:
    """Numbers or codes back into values of the column's own type; NaN and -1 are missing.

    >>> column = Column.learn(as_raw("size", ["small", "large"]))
    >>> values_of(column, [1, -1, 0], "dict")
    array(['small', None, 'large'], dtype=object)
    """
    if column.kind is Kind.TEXT:
        return np.asarray(drawn, object)
    if column.levels is not None:
        return _levels(column, np.asarray(drawn, np.intp), library)
    drawn = np.asarray(drawn, np.float64)
    if column.kind is Kind.BOOLEAN:  # codes, too, and -1 is neither false nor true
        drawn = np.where(drawn < 0, np.nan, drawn)
    gaps = np.isnan(drawn)
    solid = np.where(gaps, 0, drawn)
    if column.type in UNITS:
        unit, size, _ = UNITS[column.type]
        return _times(column, np.round(solid * size).astype(np.int64).astype(unit), gaps, library)
    if column.kind is Kind.BOOLEAN and column.span is None:  # else 0 and 1
        return _with_gaps(solid == 1, gaps, library)
    # In a dict of arrays gaps make floats of whole numbers, which drawn ones, without gaps, need not be.
    unmade = library == "dict" and column.span is not None and column.span.decimals == 0 and not gaps.any()
    whole = column.kind is Kind.COUNT or column.type is Type.INTEGER or unmade
    whole = whole and bool((np.abs(solid) < LARGEST_WHOLE).all())
    return _with_gaps(np.rint(solid).astype(np.int64), gaps, library) if whole else drawn


def _levels(column: Column, codes: NDArray[np.intp], library: str) -> Any:
    levels = column.known
    gaps = (codes < 0) | (codes >= len(levels))  # also the level of its own for missing cells
    codes = np.where(gaps, -1, codes)
    if column.type is Type.CATEGORY:
        native = _categories(column, codes, library)
        if native is not None:
            return native
    if column.type in UNITS and levels:
        return _times(column, as_raw(column.name, list(levels)).values[codes], gaps, library)
    if levels and not isinstance(levels[0], str):
        return _with_gaps(np.array(levels)[codes], gaps, library)
    table = np.array([*levels, None], object)
    return table[codes]


def _categories(column: Column, codes: NDArray[np.intp], library: str) -> Any:
    """As the library's own categories with all levels; None if it has none for such levels."""
    levels, ordered = list(column.known), column.kind is Kind.ORDINAL
    if library == "pandas":
        pd = import_module("pandas")
        return pd.Categorical.from_codes(codes, pd.Index(levels), ordered=ordered)
    if library == "pyarrow":
        pa = import_module("pyarrow")
        places = pa.array(codes, pa.int32(), mask=codes < 0)
        return pa.DictionaryArray.from_arrays(places, pa.array(levels), ordered=ordered)
    if library == "polars" and all(isinstance(level, str) for level in levels):
        pl = import_module("polars")
        values = [None if code < 0 else levels[code] for code in codes]
        return pl.Series(values, dtype=pl.Enum(levels) if ordered else pl.Categorical())
    return None


def _times(column: Column, times: NDArray[Any], gaps: NDArray[np.bool_], library: str) -> Any:
    times[gaps] = "NaT"
    if column.zone is not None and library == "pandas":
        series = import_module("pandas").Series(times)
        return series.dt.tz_localize("UTC").dt.tz_convert(column.zone)
    if column.zone is not None and library == "polars":
        series = import_module("polars").Series(times)
        return series.dt.replace_time_zone("UTC").dt.convert_time_zone(column.zone)
    if column.zone is not None and library == "pyarrow":
        pa = import_module("pyarrow")
        return pa.array(times).cast(pa.timestamp("us", column.zone))
    no_dates = column.type is Type.DATE and library == "pandas"
    if column.zone is None and column.type is not Type.TIME and not no_dates:
        return times
    raw = Raw(column.name, column.type, times, zone=column.zone)
    return np.array([*raw.items(), None], object)[:-1]


def _with_gaps(values: NDArray[Any], gaps: NDArray[np.bool_], library: str) -> Any:
    """The values with those taken out that are missing."""
    if not gaps.any():
        return values
    if values.dtype.kind == "f":
        return np.where(gaps, np.nan, values)
    if library == "pandas" and values.dtype.kind in "bi":
        pd = import_module("pandas")
        kind = pd.arrays.BooleanArray if values.dtype.kind == "b" else pd.arrays.IntegerArray
        return kind(values, gaps)
    objects = values.astype(object)
    objects[gaps] = None
    return objects


def _in_polars(name: str, values: object) -> Any:
    """A Polars column; NaN is a missing value, and Polars has another one for that."""
    pl = import_module("polars")
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()  # an array of objects would stay one
    return pl.Series(name, values, nan_to_null=isinstance(values, np.ndarray))


def _in_arrow(values: object) -> Any:
    # NaN and NaT are missing values
    return (
        import_module("pyarrow").array(values, from_pandas=True) if isinstance(values, np.ndarray) else values
    )
