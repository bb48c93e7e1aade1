"""Values of columns -> codes of their levels, block by block; and the levels in the first place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.table.column.lookup import Ints, NumberLookup, parts, table_fits, whole_numbers
from likely.table.scratch import scratch
from likely.table.sparse import Rows

UNSEEN = -2  # the code of a value that is no level


@dataclass(frozen=True, slots=True)
class Coded:
    """Columns side by side that become codes of levels when a block of them is asked for."""

    values: Any  # (n, d) array or CSR of whole numbers, or of floats with NaN where missing
    lookup: NumberLookup
    table: Ints  # the code at each place of the lookup
    missing: Ints  # (d,): the code of a missing cell
    straight: bool = False  # a number's distance from the first of its range is its code

    def as_they_are(self, start: int, stop: int) -> Ints | None:
        """Rows start to stop, (b, d), without a copy, if the values are codes already."""
        values = self.values
        if not (self.straight and isinstance(values, np.ndarray) and values.dtype == np.intp):
            return None
        if self.lookup.low.any() or not all(self.lookup.inside(p) for _, p in parts(values, start, stop)):
            return None
        return values[start:stop]

    def rows(self, start: int, stop: int, out: Ints) -> None:
        """Write the codes of rows start to stop into `out`, (b, d), or (b,) for a single column."""
        out = out[:, None] if out.ndim == 1 else out
        for at, part in parts(self.values, start, stop):
            self._look_up(part, out[at])

    def _look_up(self, part: NDArray[Any], out: Ints) -> None:
        whole = whole_numbers(part)
        if self.straight and self.lookup.distances(whole, out):
            return
        place = scratch("places", part.shape).view(np.intp)
        self.lookup.distances(whole, place)
        self.lookup.places(place)
        np.take(self.table, place, out=out, mode="clip")  # none is outside, and "raise" would buffer
        if part.dtype.kind == "f":
            np.copyto(out, self.missing, where=np.isnan(part))


def number_codes(values: Rows, levels: Sequence[Sequence[float]], missing: Sequence[int]) -> Coded | None:
    """Codes of columns of numbers (n, d) by a table; None if their levels do not allow one.

    >>> coded = number_codes(np.array([[7], [5], [8]]), [[5, 7]], [-1])
    >>> out = np.empty(3, np.intp)
    >>> coded.rows(0, 3, out)
    >>> out
    array([ 1,  0, -2])
    """
    if not all(float(level).is_integer() for column in levels for level in column):
        return None
    if all(column == levels[0] for column in levels[1:]):
        levels = levels[:1]  # one table for all
    ranges = [_range(column) for column in levels]
    if not table_fits(ranges, values):
        return None
    lookup = NumberLookup.over(ranges)
    table = np.full(lookup.size, UNSEEN, np.intp)
    for first, numbers, column in zip(lookup.first[0], ranges, levels, strict=True):
        table[np.array(column, np.intp) - numbers.start + first] = np.arange(len(column))
    straight = all(list(column) == list(numbers) for column, numbers in zip(levels, ranges, strict=True))
    return Coded(values, lookup, table, np.array(missing, np.intp), straight)


def value_codes(codes: NDArray[Any], values: Sequence[Any], levels: Sequence[Any], missing: int) -> Coded:
    """Codes of a column that is already coded, by other levels."""
    place = {level: i for i, level in enumerate(levels)}
    table = np.array([missing, *(place.get(value, UNSEEN) for value in values), UNSEEN], np.intp)
    lookup = NumberLookup.over([range(-1, len(values))])
    return Coded(codes[:, None], lookup, table, np.array([missing], np.intp))


def whole_levels(values: Rows) -> list[list[int]] | None:
    """The sorted distinct whole numbers of each column (n, d), missing cells left out.

    None if a column has fractions, or numbers too far apart for a table.

    >>> whole_levels(np.array([[3, 0], [1, 0]]))
    [[1, 3], [0]]
    """
    ranges = _ranges(values)
    if ranges is None or not table_fits(ranges, values):
        return None
    lookup = NumberLookup.over(ranges)
    ends = lookup.first[0] + lookup.span[0].astype(np.intp)
    seen = np.zeros(lookup.size, bool)
    seen[ends] = True
    for at, part in parts(values, 0, values.shape[0]):
        place = scratch("places", part.shape).view(np.intp)
        lookup.distances(whole_numbers(part), place)
        lookup.places(place)
        seen[place] = True
        if _now_and_then(at.start, len(part)) and seen.all():
            break  # as a rule after the first few thousand rows
    columns = zip(lookup.first[0], ends, ranges, strict=True)
    return [(np.flatnonzero(seen[a:b]) + numbers.start).tolist() for a, b, numbers in columns]


def _now_and_then(start: int, step: int) -> bool:
    """After 1, 2, 4, 8 ... steps: looking through a large table takes longer than filling in a few rows."""
    count = start // step + 1
    return count & (count - 1) == 0


def _range(levels: Sequence[float]) -> range:
    return range(int(min(levels)), int(max(levels)) + 1) if len(levels) else range(0)


def _ranges(values: Rows) -> list[range] | None:
    """From the least to the greatest number of each column; None if some are not whole."""
    least = most = np.zeros((0, values.shape[1]), values.dtype)
    known: tuple[Any, Any] | None = None
    for at, part in parts(values, 0, values.shape[0]):
        if part.dtype.kind == "f" and not ((np.floor(part) == part) | np.isnan(part)).all():
            return None
        if at.start == 0:
            least, most = part.copy(), part.copy()
            known = _common_range(part)
        elif known is not None and known[0] <= part.min() and part.max() <= known[1]:
            continue  # every column has had both ends before, which is fastest to tell of all at once
        else:
            # Row by row with the rows of the parts before: only the end goes down the columns, which is slow.
            np.fmin(least[: len(part)], part, out=least[: len(part)])
            np.fmax(most[: len(part)], part, out=most[: len(part)])
    if not len(least):
        return [range(0)] * values.shape[1]
    low, high = np.fmin.reduce(least, axis=0), np.fmax.reduce(most, axis=0)
    if np.isinf(low).any() or np.isinf(high).any():
        return None
    return [_range([a, b]) if a == a else range(0) for a, b in zip(low.tolist(), high.tolist(), strict=True)]


def _common_range(part: NDArray[Any]) -> tuple[Any, Any] | None:
    """The least and the greatest whole number, if every column of these rows holds both."""
    if part.dtype.kind not in "iu" or not part.size:
        return None
    low, high = part.min(axis=0), part.max(axis=0)
    return (low[0], high[0]) if (low == low[0]).all() and (high == high[0]).all() else None
