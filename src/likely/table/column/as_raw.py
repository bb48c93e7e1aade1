"""Any column -> a raw column, by the reader that knows its type."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.table.column.raw import Raw
from likely.table.column.raw_array import raw_from_array, raw_from_cells
from likely.table.column.raw_series import as_series, raw_from_series


def as_raw(name: str, values: Any) -> Raw:
    """A column as it came in: a one-dimensional array, a list, or a Series of any library.

    >>> as_raw("age", [31.0, None, 4.0]).numbers()
    array([31., nan,  4.])
    """
    if isinstance(values, list | tuple):
        return raw_from_cells(name, list(values))
    if isinstance(getattr(values, "dtype", None), np.dtype):  # an array, or a pandas Series over one
        return raw_from_array(name, values)
    series = as_series(values)
    return raw_from_array(name, values) if series is None else raw_from_series(name, series)
