"""Whole numbers of many columns at once -> places in one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.table.sparse import Rows

Ints = NDArray[np.intp]

_LEAST = np.iinfo(np.intp).min
_SPAN = 1 << 20  # numbers that lie further apart than this get no table
_CELLS = 1 << 15  # worked on at a time, so that they stay in the cache


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
