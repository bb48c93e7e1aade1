"""Series of pandas, Polars and PyArrow -> a raw column."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.table.column.distinct import distinct
from likely.table.column.raw import Raw, Type
from likely.table.column.raw_array import EXACT, raw_from_array, raw_from_cells

if TYPE_CHECKING:
    from narwhals.stable.v2 import Series


def as_series(values: object) -> Series[Any] | None:
    """A narwhals Series of a column of any frame library; None if it is none.

    Arrow arrays and pandas extension arrays are put in the Series of their library first: NumPy would
    forget their levels and gaps.
    """
    import narwhals.stable.v2 as nw

    if isinstance(values, nw.Series):
        return values
    library = type(values).__module__.split(".")[0]
    if library == "pyarrow" and not hasattr(values, "chunks"):
        values = sys.modules[library].chunked_array([values])
    elif library == "pandas" and type(values).__name__ != "Series":
        values = sys.modules[library].Series(values)
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def raw_from_series(name: str, series: Series[Any]) -> Raw:
    """Look at a narwhals Series: strings and levels become codes, the rest an array."""
    import narwhals.stable.v2 as nw

    native, dtype = series.to_native(), series.dtype
    if dtype == nw.String:
        codes, texts = distinct(native)
        return Raw(name, Type.STRING if texts else Type.EMPTY, codes, texts)
    if dtype == nw.Categorical or dtype == nw.Enum:
        return _categories(name, series)
    if dtype == nw.Boolean:
        whole = series.cast(nw.Float64) if series.null_count() else series
        values = whole.to_numpy()
        return Raw(
            name, Type.BOOLEAN, values if values.dtype.kind == "f" else values.astype(bool, copy=False)
        )
    if dtype.is_integer():
        return _integers(name, series)
    if dtype.is_decimal():
        return raw_from_array(name, series.cast(nw.Float64).to_numpy())
    if dtype.is_float() or dtype == nw.Date or dtype == nw.Duration:
        return raw_from_array(name, series.to_numpy())
    if dtype == nw.Datetime:
        raw = raw_from_array(name, series.to_numpy())
        return Raw(name, Type.DATETIME, raw.values, zone=getattr(dtype, "time_zone", None))
    return raw_from_cells(name, series.to_list())


def _integers(name: str, series: Series[Any]) -> Raw:
    """An array of integers, or of floats if there are gaps and the floats lose nothing."""
    import narwhals.stable.v2 as nw

    if series.dtype in (nw.Int128, nw.UInt128):  # beyond NumPy
        return raw_from_cells(name, series.to_list())
    values = series.to_numpy()
    if values.dtype.kind == "f" and (np.abs(values) >= EXACT).any():
        return raw_from_cells(name, series.to_list())
    return Raw(name, Type.INTEGER, values)


def _categories(name: str, series: Series[Any]) -> Raw:
    """Codes as they are; the declared levels too, where the type has an order or (pandas) lists them."""
    import narwhals.stable.v2 as nw

    native, pandas = series.to_native(), series.implementation.is_pandas_like()
    listed = pandas and hasattr(native, "cat")
    if pandas and not listed:  # pandas over an Arrow dictionary
        native = series.to_arrow()
    codes, levels = distinct(native)
    # An Arrow dictionary has an order only if it says so, a Polars Enum always.
    if listed:
        ordered = bool(native.cat.ordered)
    else:
        ordered = native.type.ordered if hasattr(native, "dictionary_encode") else series.dtype == nw.Enum
    return Raw(name, Type.CATEGORY, codes, levels, tuple(levels) if listed or ordered else None, ordered)
