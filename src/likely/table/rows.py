"""Some rows, or all columns but one, of whatever a user calls a table; it stays what it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.table.records import columns_of


def take(table: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of a table, or of a column.

    >>> take({"a": [1, None, 3], "b": np.array([4, 5, 6])}, np.array([0, 2]))
    {'a': [1, 3], 'b': array([4, 6])}
    """
    if hasattr(table, "tocsr"):  # of these some are mappings, too
        return table.tocsr()[rows]
    if isinstance(table, Mapping):
        table = columns_of(table)
        return {name: take(column, rows) for name, column in table.items()}
    if isinstance(table, list | tuple):  # an array would change the types of its values
        return [table[row] for row in rows]
    frame: Any = table if isinstance(table, np.ndarray) else _native(table)
    return frame[rows].to_native() if hasattr(frame, "to_native") else np.asarray(frame)[rows]


def without(table: Any, column: str) -> Any:
    """A table with names, without one of its columns.

    >>> without({"a": [1], "b": [2]}, "b")
    {'a': [1]}
    """
    table = columns_of(table)
    if isinstance(table, Mapping):
        return {name: values for name, values in table.items() if str(name) != column}
    frame = _native(table)
    return frame.drop(next(name for name in frame.columns if str(name) == column)).to_native()


def _native(table: Any) -> Any:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(table, allow_series=True, pass_through=True)
    return frame.collect() if isinstance(frame, nw.LazyFrame) else frame
