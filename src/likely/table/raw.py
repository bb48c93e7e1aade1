"""One column as it came in: its type, its numbers, its distinct values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.distinct import distinct, is_missing

Array = NDArray[Any]


class Type(StrEnum):
    """What a column is made of, before anyone asks what it means."""

    BOOLEAN = "true/false values"
    INTEGER = "whole numbers"
    FLOAT = "numbers"
    STRING = "text"
    CATEGORY = "categories"
    DATE = "dates"
    DATETIME = "times"
    DURATION = "durations"
    EMPTY = "nothing but missing values"
    MIXED = "values of several types"

    @property
    def numeric(self) -> bool:
        """Whether the column can be read as numbers."""
        return self not in (Type.STRING, Type.CATEGORY, Type.MIXED)


# How times become numbers: NumPy's unit to count in, how many make one of ours, and ours in words.
UNITS = {
    Type.DATE: ("datetime64[D]", 1, "days since 1970-01-01"),
    Type.DATETIME: ("datetime64[us]", 1_000_000, "seconds since 1970-01-01"),
    Type.DURATION: ("timedelta64[us]", 1_000_000, "seconds"),
}


@dataclass(frozen=True, slots=True)
class Raw:
    """A column as it came in. `values` is a NumPy array, or a pandas, Polars or Arrow column of levels.

    >>> raw = Raw.of("age", [31.0, None, 4.0])
    >>> raw.type, raw.numbers()
    (<Type.FLOAT: 'numbers'>, array([31., nan,  4.]))
    """

    name: str
    type: Type
    values: Any
    levels: tuple[Any, ...] | None = None  # declared with the type, observed or not
    ordered: bool = False

    @classmethod
    def of(cls, name: str, values: Any) -> Raw:
        """Look at a one-dimensional array, list, or narwhals Series."""
        if hasattr(values, "to_native"):
            return _from_series(name, values)
        array = _array(values)
        if array.ndim != 1:
            raise LikelyError(f"column {name!r} has {array.ndim} dimensions: give one value a row.")
        return _from_array(name, array)

    def numbers(self) -> Array:
        """The values as numbers, NaN where missing: a view where the type allows it."""
        if self.type in UNITS:
            unit, size, _ = UNITS[self.type]
            counted = self.values.astype(unit)
            return np.where(np.isnat(counted), np.nan, counted.astype(np.int64) / size)
        if self.type is Type.EMPTY:
            return np.full(len(self.values), np.nan)
        if not self.type.numeric:
            raise LikelyError(self._not_numbers())
        return np.asarray(self.values)

    def distinct(self) -> tuple[Array, list[Any]]:
        """A code per row (-1 where missing), and the value each code stands for."""
        if self.type is Type.MIXED:
            texts = np.array([None if is_missing(v) else str(v) for v in self.values.tolist()], object)
            return distinct(texts)
        return distinct(self.values if self.type not in UNITS else self.numbers())

    def item(self, row: int) -> Any:
        """The value in one row as a Python object; None if missing."""
        value = self.values[row]
        value = value.as_py() if hasattr(value, "as_py") else value
        value = value.item() if isinstance(value, np.generic) else value
        return None if is_missing(value) else value

    def _not_numbers(self) -> str:
        for row in range(len(self.values)):
            value = self.item(row)
            if not (value is None or isinstance(value, int | float)):
                return (
                    f"column {self.name!r} should hold numbers, but row {row} holds {value!r}: "
                    "convert the column, or mark such values as missing."
                )
        return f"column {self.name!r} holds {self.type.value}, not numbers: convert the column."


def _array(values: Any) -> Array:
    if isinstance(values, np.ndarray):
        return values
    if isinstance(values, list | tuple) and any(v is None or isinstance(v, str) for v in values):
        array = np.empty(len(values), object)
        array[:] = values
        return array
    return np.asarray(values)


def _from_array(name: str, array: Array) -> Raw:
    match array.dtype.kind:
        case "b":
            return Raw(name, Type.BOOLEAN, array)
        case "i" | "u":
            return Raw(name, Type.INTEGER, array)
        case "f":
            return Raw(name, Type.FLOAT, array)
        case "M":
            day = np.datetime_data(array.dtype)[0] == "D"
            return Raw(name, Type.DATE if day else Type.DATETIME, array)
        case "m":
            return Raw(name, Type.DURATION, array)
        case "U" | "S" | "T":
            return Raw(name, Type.STRING, array.astype(str).astype(object))
        case "O":
            return _from_objects(name, array)
        case "c":
            raise LikelyError(f"Complex data not supported: column {name!r}. Give real numbers.")
    raise LikelyError(f"column {name!r} has the type {array.dtype}, which holds no values to learn from.")


def _from_objects(name: str, array: Array) -> Raw:
    """Python objects: the type is that of the values, if they have one in common."""
    values = array.tolist()
    types = {type(v) for v in values if not is_missing(v)}
    if not types:
        return Raw(name, Type.EMPTY, array)
    if all(issubclass(t, str) for t in types):
        return Raw(name, Type.STRING, array)
    if all(issubclass(t, bool | np.bool_) for t in types):
        found = np.array([np.nan if is_missing(v) else float(v) for v in values])
        return Raw(name, Type.BOOLEAN, found)
    if any(issubclass(t, complex) and not issubclass(t, float) for t in types):
        raise LikelyError(f"Complex data not supported: column {name!r}. Give real numbers.")
    if any(issubclass(t, dict | list | set | tuple) for t in types):
        worst = next(v for v in values if isinstance(v, dict | list | set | tuple))
        raise LikelyError(f"column {name!r} holds {worst!r}: every cell must be a string or a number.")
    if all(hasattr(t, "__float__") for t in types):
        whole = all(issubclass(t, int | np.integer) for t in types)
        numbers = np.array([np.nan if is_missing(v) else float(v) for v in values])
        return Raw(name, Type.INTEGER if whole else Type.FLOAT, numbers)
    for some, unit in ((timedelta, "timedelta64[us]"), (datetime, "datetime64[us]"), (date, "datetime64[D]")):
        if all(issubclass(t, some) for t in types):
            times = np.array([None if is_missing(v) else v for v in values], unit)
            return _from_array(name, times)
    return Raw(name, Type.MIXED, array)


def _from_series(name: str, series: Any) -> Raw:
    """A narwhals Series: strings and levels stay where they are, the rest comes as a NumPy array."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    native = series.to_native()
    if dtype == nw.Categorical or dtype == nw.Enum:
        levels, ordered = _declared(series)
        return Raw(name, Type.CATEGORY, native, levels, ordered)
    if dtype == nw.String:
        empty = series.null_count() == len(series)
        return Raw(name, Type.EMPTY if empty else Type.STRING, native)
    if dtype == nw.Unknown and series.null_count() == len(series):
        return Raw(name, Type.EMPTY, native)
    if dtype == nw.Boolean:
        if series.null_count():
            return Raw(name, Type.BOOLEAN, series.cast(nw.Float64).to_numpy())
        return Raw(name, Type.BOOLEAN, series.to_numpy().astype(bool, copy=False))
    if dtype.is_decimal():
        series = series.cast(nw.Float64)
    raw = _from_array(name, series.to_numpy())
    if dtype.is_integer() and raw.type is Type.FLOAT:  # whole numbers with gaps
        return Raw(name, Type.INTEGER, raw.values)
    return raw


def _declared(series: Any) -> tuple[tuple[Any, ...] | None, bool]:
    """The levels that the type itself declares, and whether they are in order."""
    native = series.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "categories"):  # pandas
        return tuple(native.cat.categories.tolist()), bool(native.cat.ordered)
    categories = getattr(series.dtype, "categories", None)
    return (tuple(categories), True) if categories is not None else (None, False)
