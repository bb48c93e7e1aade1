"""From the values of a column to the codes of its levels, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]

UNSEEN = -2  # a value that is no level
SPAN = 1 << 20  # integers within such a range are looked up in a table, others searched for
_NO_TABLE = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True)
class Coded:
    """A column that becomes codes of levels when a block of it is asked for.

    Either a `table` says the code of every value, or the values are searched for among sorted `numbers`.
    """

    values: NDArray[Any]
    table: Ints  # (span + 2,): the code of value `low + i`; last but one unseen, last missing
    low: int = 0
    numbers: NDArray[Any] | None = None  # sorted
    places: Ints | None = None  # the level of each of them
    missing: int = -1  # the code of a missing cell
    wrap: bool = False  # a missing cell has the value -1, which finds the end of the table by itself

    def rows(self, start: int, stop: int, out: Ints) -> None:
        """Write the codes of rows start to stop into `out`."""
        part = self.values[start:stop]
        if self.numbers is not None and self.places is not None:
            out[:] = _search(part, self.numbers, self.places, self.missing)
        else:
            out[:] = self.table[part if self.wrap else _index(part, self.low, len(self.table) - 2)]


def _index(part: NDArray[Any], low: int, span: int) -> NDArray[Any]:
    """Where to look each value up: its distance from `low`, or the place for values outside."""
    if not len(part):
        return np.zeros(0, np.intp)
    if part.dtype.kind == "f":  # whole numbers with gaps
        whole = np.floor(part) == part
        inside = whole & (part >= low) & (part < low + span)
        place = np.where(inside, part - low, span).astype(np.intp)
        place[np.isnan(part)] = span + 1
        return place
    if low == 0 and part.max() < span and part.min() >= 0:
        return part
    outside = (part < low) | (part >= low + span)
    place = part.astype(np.intp)
    place -= low
    place[outside] = span
    return place


def _search(part: NDArray[Any], numbers: NDArray[Any], places: Ints, missing: int) -> Ints:
    at = np.minimum(np.searchsorted(numbers, part), len(numbers) - 1)
    found: Ints = np.where(numbers[at] == part, places[at], UNSEEN)
    return np.where(np.isnan(part), missing, found) if part.dtype.kind == "f" else found


def number_places(values: NDArray[Any], levels: Sequence[Any], missing: int) -> Coded:
    """Codes of a column of numbers."""
    if not levels:
        return Coded(values, np.array([UNSEEN, missing], np.intp))
    numbers = np.asarray(levels, dtype=None if all(isinstance(v, int) for v in levels) else np.float64)
    order = np.argsort(numbers, kind="stable").astype(np.intp)
    numbers = numbers[order]
    whole = numbers.dtype.kind in "iu" or bool((np.floor(numbers) == numbers).all())
    if values.dtype.kind == "b":
        values = values.view(np.int8)
    if not whole or float(numbers[-1]) - float(numbers[0]) >= SPAN:
        return Coded(values, _NO_TABLE, numbers=numbers, places=order, missing=missing)
    low = min(0, int(numbers[0])) if float(numbers[-1]) < SPAN else int(numbers[0])
    span = int(numbers[-1]) - low + 1
    table = np.full(span + 2, UNSEEN, np.intp)
    table[numbers.astype(np.intp) - low] = order
    table[-1] = missing
    return Coded(values, table, low)


def value_places(codes: NDArray[Any], found: Sequence[Any], levels: Sequence[Any], missing: int) -> Coded:
    """Codes of a column that is already coded, by other levels."""
    place = {level: i for i, level in enumerate(levels)}
    table = np.array([*(place.get(value, UNSEEN) for value in found), UNSEEN, missing], np.intp)
    return Coded(codes, table, wrap=True)


def integer_levels(values: NDArray[Any]) -> list[int] | None:
    """The sorted distinct integers, if they lie close enough together for a table; else None."""
    if not len(values):
        return []
    low, high = int(values.min()), int(values.max())
    if high - low >= SPAN:
        return None
    seen = np.zeros(high - low + 1, bool)
    for start in range(0, len(values), 1 << 14):
        seen[values[start : start + (1 << 14)] - low] = True
        if seen.all():  # as a rule after the first few thousand rows
            break
    return (np.flatnonzero(seen) + low).tolist()
