"""One column as it came in: its type, its numbers, its distinct values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.column.distinct import distinct
from likely.table.column.words import Words

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
    TIME = "times of day"
    EMPTY = "nothing but missing values"
    MIXED = "values of several or other types"

    @property
    def numeric(self) -> bool:
        """Whether the column can be read as numbers."""
        return self not in (Type.STRING, Type.CATEGORY, Type.MIXED)


# How times become numbers: NumPy's unit to count in, how many make one of ours, and ours in words.
UNITS = {
    Type.DATE: ("datetime64[D]", 1, "days since 1970-01-01"),
    Type.DATETIME: ("datetime64[us]", 1_000_000, "seconds since 1970-01-01"),
    Type.DURATION: ("timedelta64[us]", 1_000_000, "seconds"),
    Type.TIME: ("timedelta64[us]", 1_000_000, "seconds since midnight"),
}


@dataclass(frozen=True, slots=True)
class Raw:
    """A column as it came in: an array of numbers or times, or codes of the distinct values found.

    >>> from likely.table.column.as_raw import as_raw
    >>> raw = as_raw("age", [31.0, None, 4.0])
    >>> raw.type, raw.numbers()
    (<Type.FLOAT: 'numbers'>, array([31., nan,  4.]))
    >>> as_raw("sex", ["m", None, "f"]).distinct()
    (array([ 0, -1,  1], dtype=int8), ['m', 'f'])
    """

    name: str
    type: Type
    values: Array  # (n,): numbers (NaN missing), times (NaT missing), or codes (-1 missing)
    found: Sequence[Any] | None = None  # what each code stands for
    levels: tuple[Any, ...] | None = None  # declared with the type, observed or not
    ordered: bool = False  # whether the declared levels are in order
    zone: str | None = None  # the time zone that times were given in; they are kept in UTC
    complaint: str = ""  # what is wrong with a column of several or other types
    read: dict[Words, tuple[Any, list[str]]] = field(default_factory=dict, repr=False, compare=False)

    def numbers(self) -> Array:
        """The values as numbers, NaN where missing: a view where the type allows it."""
        if self.type in UNITS:
            unit, size, _ = UNITS[self.type]
            counted = self.values.astype(unit)
            return np.where(np.isnat(counted), np.nan, counted.astype(np.int64) / size)
        if self.found is None:
            return self.values
        # Codes stand for numbers where these are declared levels, or too large for floats.
        table = [as_float(value) if isinstance(value, int | float) else None for value in self.found]
        if None in table and not self.is_empty():
            raise LikelyError(self._not_numbers())
        return np.array([*table, None], np.float64)[self.values]

    def distinct(self) -> tuple[Array, list[Any]]:
        """A code per row (-1 where missing), and the value each code stands for."""
        if self.found is not None:
            return self.values, list(self.found)
        codes, values = distinct(self.values)
        if self.type in UNITS:
            values = self._moments(np.array(values, self.values.dtype))
        return codes, [self.typed(value) for value in values]

    def bag(self, words: Words) -> tuple[Any, list[str]]:
        """The words of each distinct text, counted (CSR), and which they are. Read once for each way to."""
        if words not in self.read:
            self.read[words] = words.bag([str(text) for text in self.found or ()])
        return self.read[words]

    def missing(self) -> Array:
        """Which rows have no value, (n,)."""
        return np.asarray(self.values < 0 if self.found is not None else self.values != self.values)

    def is_empty(self) -> bool:
        """Whether nothing but missing values came in."""
        return bool(self.missing().all())

    def item(self, row: int) -> Any:
        """The value in one row as a Python object; None if missing."""
        value = self.values[row]
        if self.found is not None:
            return None if value < 0 else self.found[value]
        if value != value:
            return None
        return self._moments(value[None])[0] if self.type in UNITS else self.typed(value.item())

    def example(self) -> Any:
        """The first value that is not missing; None if all are."""
        return next((v for row in range(len(self.values)) if (v := self.item(row)) is not None), None)

    def typed(self, value: Any) -> Any:
        """A number of this column as what it was: gaps make floats of whole numbers and truth values."""
        made = {Type.BOOLEAN: bool, Type.INTEGER: int, Type.FLOAT: float}.get(self.type)
        return value if made is None else made(value)

    def _moments(self, times: Array) -> list[Any]:
        """Times as Python's; NumPy would give bare integers for nanoseconds."""
        moments = times.astype(UNITS[self.type][0]).tolist()
        if self.type is Type.TIME:
            return [(datetime.min + passed).time() for passed in moments]
        return [moment.replace(tzinfo=UTC) for moment in moments] if self.zone is not None else moments

    def _not_numbers(self) -> str:
        # One odd value makes texts of a column's numbers: it is the one to name.
        odd = np.array([*(not _reads_as_number(value) for value in self.found or ()), False])[self.values]
        row = int(np.argmax(odd if odd.any() else self.values >= 0))
        return (
            f"column {self.name!r} should hold numbers, but row {row} holds {self.item(row)!r}: "
            "convert the column, mark such values as missing, or declare another kind."
        )


def _reads_as_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def as_float(number: Any) -> float:
    """A number of any size as a float: infinity if it is beyond all of them."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
