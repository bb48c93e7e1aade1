"""A table with some cells filled in, and everything else as it was: library, index, order, types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.frame import Frame
from likely.table.records import are_records, as_given, columns_of, is_record

FILLS = ("expected", "drawn")  # the best guess, or a draw


@dataclass(frozen=True, slots=True)
class Fill:
    """What to write into the gaps of one column."""

    rows: NDArray[np.intp]  # (m,), ascending
    values: Any  # (m,), as `values_of` gives them


def check_fill(fill: str) -> None:
    """Refuse a word that is none of `FILLS`."""
    if fill not in FILLS:
        raise LikelyError(f"fill={fill!r} is unknown: use one of {', '.join(FILLS)}.")


def fill(table: Any, frame: Frame, fills: Mapping[int, Fill]) -> Any:
    """A copy of a table with these columns, by their places, filled; `frame` is how the table was seen.

    >>> fill({"a": [1.0, None]}, Frame.of({"a": [1.0, None]}), {0: Fill(np.array([1]), np.array([2.5]))})
    {'a': [1.0, 2.5]}
    """
    if is_record(table) or are_records(table):
        return as_given(fill(columns_of(table), frame, fills), table)
    table = columns_of(table)
    if frame.library == "pandas" and hasattr(table, "iloc"):
        return _in_pandas(table, fills)
    if frame.library in ("polars", "pyarrow") and not isinstance(table, Mapping):
        return _in_columns(table, frame, fills)
    if isinstance(table, Mapping):
        places = {name: j for j, name in enumerate(table)}
        return {name: _in_sequence(values, fills.get(places[name])) for name, values in table.items()}
    if frame.library == "scipy":
        filled = table.tolil(copy=True)
        for j, one in fills.items():
            filled[one.rows, j] = one.values
        return filled.asformat(table.format)
    filled = np.array(table, copy=True)
    for j, one in fills.items():
        filled[one.rows, j] = one.values
    return filled


def _in_pandas(table: Any, fills: Mapping[int, Fill]) -> Any:
    pd = import_module("pandas")
    filled = table.copy()
    for j, one in fills.items():
        column = table.iloc[:, j].copy()
        column.iloc[one.rows] = pd.array(one.values, dtype=column.dtype)
        filled.isetitem(j, column)
    return filled


def _in_columns(table: Any, frame: Frame, fills: Mapping[int, Fill]) -> Any:
    """In Polars and Arrow, whose columns cannot be written into: the old cells and the new, in order."""
    for j, one in fills.items():
        index = np.arange(frame.n)
        index[one.rows] = frame.n + np.arange(len(one.rows))
        if frame.library == "polars":
            pl = import_module("polars")
            table = table.lazy().collect()
            old = table.to_series(j)
            values = one.values.tolist() if isinstance(one.values, np.ndarray) else one.values
            new = pl.Series(old.name, values, dtype=old.dtype, strict=False)
            table = table.with_columns(pl.concat([old, new]).gather(index))
            continue
        pa = import_module("pyarrow")
        old = table.column(j)
        plain = old.type.value_type if pa.types.is_dictionary(old.type) else old.type
        new = pa.array(np.asarray(one.values).tolist(), plain)
        whole = pa.chunked_array([*old.cast(plain).chunks, new]).take(pa.array(index))
        table = table.set_column(j, table.schema.field(j), whole.cast(old.type))
    return table


def _in_sequence(values: Any, one: Fill | None) -> Any:
    """In a list or an array, or a column of a frame library."""
    if one is None:
        return values
    if hasattr(values, "iloc"):
        return _in_pandas(values.to_frame(), {0: one}).iloc[:, 0]
    filled = np.array(values, copy=True) if isinstance(values, np.ndarray) else list(values)
    for row, value in zip(one.rows, one.values, strict=True):
        filled[row] = value.item() if isinstance(value, np.generic) and isinstance(filled, list) else value
    return filled
