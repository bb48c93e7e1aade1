"""Values of columns -> codes of their levels, block by block; and the levels in the first place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.table.column.block import Rows, scratch

Ints = NDArray[np.intp]

_LEAST = np.iinfo(np.intp).min
_SPAN = 1 << 20  # numbers that lie further apart than this get no table
_CELLS = 1 << 15  # worked on at a time, so that they stay in the cache
_FEW = 1 << 10  # rows
UNSEEN = -2  # the code of a value that is no level


@dataclass(frozen=True, slots=True)
class NumberLookup:
    """Where the whole numbers of d columns stand in one table.

    Those of column j from `low` on stand side by side from `first` on; the place after the last of them is
    for every other number. If one part of the table serves all columns, the arrays are (1, 1); else they
    are (rows, d), repeated down the rows: NumPy is slow where it must begin again after every short row.
    """

    low: Ints
    span: NDArray[np.uint64]
    first: Ints
    size: int  # of the table

    @classmethod
    def over(cls, ranges: Sequence[range]) -> NumberLookup:
        """A table with a place for each number of each range, and one for all others."""
        spans = [len(numbers) for numbers in ranges]
        first = np.cumsum([0, *(span + 1 for span in spans)])
        rows = 1 if len(ranges) == 1 else rows_at_once(len(ranges))
        low = np.array([[numbers.start for numbers in ranges]], np.intp).repeat(rows, axis=0)
        span = np.array([spans], np.uint64).repeat(rows, axis=0)
        return cls(low, span, first[None, :-1].repeat(rows, axis=0), int(first[-1]))

    def distances(self, whole: NDArray[Any], out: Ints) -> bool:
        """Write how far each number (b, d) is from the first of its range; whether all are inside."""
        rows = self._rows(whole)
        np.subtract(whole, self.low[rows], out=out)
        # Without a sign, whatever is outside the range is beyond its end, below it or above, and even where
        # the difference itself has left the range of the integers.
        return bool((out.view(np.uint64) < self.span[rows]).all())

    def inside(self, whole: Ints) -> bool:
        """Whether all numbers (b, d) are inside ranges that begin at 0."""
        unsigned = whole.view(np.uint64)
        if len(self.span) == 1:  # one range for all: the greatest number tells, and fastest
            return bool(unsigned.max(initial=0) < self.span[0, 0]) or not whole.size
        return bool((unsigned < self.span[: len(whole)]).all())

    def places(self, distances: Ints) -> None:
        """Turn distances (b, d) into places in the table."""
        rows = self._rows(distances)
        unsigned = distances.view(np.uint64)
        np.minimum(unsigned, self.span[rows], out=unsigned)
        distances += self.first[rows]

    def _rows(self, part: NDArray[Any]) -> slice:
        return slice(1 if len(self.low) == 1 else len(part))


def rows_at_once(d: int) -> int:
    """How many rows of d columns are worked on at a time."""
    return max(1, _CELLS // max(d, 1))


def parts(values: Rows, start: int, stop: int) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Rows start to stop of a matrix, few enough at a time, dense; and where they are, counted from start."""
    step = rows_at_once(values.shape[1])
    for begin in range(start, stop, step):
        part = values[begin : min(begin + step, stop)]
        part = part if isinstance(part, np.ndarray) else part.toarray()
        yield slice(begin - start, begin - start + len(part)), part


def whole_numbers(part: NDArray[Any]) -> NDArray[Any]:
    """Numbers as signed integers; what is no whole number becomes the least of all, which nobody uses."""
    if part.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            whole = part.astype(np.intp)
        whole[whole != part] = _LEAST
        return whole
    if part.dtype.kind == "b":
        return part.view(np.int8)
    # The upper half of the unsigned becomes negative: `table_fits` keeps it apart from true negatives.
    return part.astype(np.uint64, copy=False).view(np.intp) if _unsigned(part.dtype) else part


def table_fits(ranges: Sequence[range], values: Rows) -> bool:
    """Whether the numbers of a matrix can be looked up in a table over these ranges.

    No table is much larger than its column, or a wide matrix would drown in tables.
    """
    longest = min(_SPAN, max(values.shape[0], 1 << 12))
    least = 0 if _unsigned(values.dtype) else _LEAST + 1
    return all(r.stop - r.start <= longest and least <= r.start and r.stop <= -_LEAST for r in ranges if r)


def _unsigned(dtype: np.dtype[Any]) -> bool:
    """Whether numbers of this type may be beyond the signed integers."""
    return bool(dtype.kind == "u" and dtype.itemsize == 8)


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
        some, lookup = values[start:stop], self.lookup
        if lookup.low.any():
            return None
        one = len(lookup.span) == 1  # the greatest number of all tells
        within = lookup.inside(some) if one else all(lookup.inside(p) for _, p in parts(values, start, stop))
        return some if within else None

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
    few = min(_FEW, values.shape[0])  # which most often hold all levels
    for at, part in chain(parts(values, 0, few), parts(values, few, values.shape[0])):
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
    if isinstance(values, np.ndarray) and values.shape[1] == 1 and values.dtype.kind in "iu" and len(values):
        return [range(int(values.min()), int(values.max()) + 1)]
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
