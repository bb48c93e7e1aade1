"""Which rows are nearest: all distances of a block of rows at a time, of which only the least are kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.engine import Answers, MapTask
from likely.infer.mixed_rows import MixedRows
from likely.stats.groups import Floats, Ints

ROUNDING = 1e-10  # distances that differ by less are equal
HEAPS = 16  # times k: few more than the k nearest are looked at then, and rows are dealt out in long runs
LEAST = 6  # in a heap


@dataclass(frozen=True, eq=False)
class Facing:
    """Rows, and those that they are compared with; the same ones if a table faces itself."""

    mine: MixedRows
    others: MixedRows
    itself: bool

    def sums(self, start: int, stop: int, alone: float) -> Floats:
        """Of rows start to stop, (b, m); where a table faces itself a row and itself are `alone` apart."""
        sums = self.mine.sums(slice(start, stop), self.others)
        if self.itself:
            sums[np.arange(stop - start), np.arange(start, stop)] = alone
        return sums


@dataclass(frozen=True)
class DistanceTask(MapTask[Facing]):
    """All distances of each row, (n, m)."""

    others: int

    def width(self, stored: int) -> int:
        """A distance to every other row."""
        return self.others

    def answers(self, n: int) -> Answers:
        """Room for them."""
        return (np.empty((n, self.others)),)

    def step(self, data: Facing, start: int, stop: int, out: Answers) -> None:
        """Measure."""
        out[0][:] = data.sums(start, stop, 0.0)


@dataclass(frozen=True)
class AmongTask(MapTask[tuple[MixedRows, Floats]]):
    """The distances of all rows from each other, (n, n), of every two once: written to where they belong."""

    others: int

    def width(self, stored: int) -> int:
        """Twice the distances to every other row: within a block those of every two are measured twice."""
        return 2 * self.others

    def answers(self, n: int) -> Answers:
        """None beside what is written."""
        return ()

    def step(self, data: tuple[MixedRows, Floats], start: int, stop: int, out: Answers) -> None:
        """Measure those from the block on, and write them on both sides."""
        rows, sums = data
        sums[start:stop, start:] = rows.sums(slice(start, stop), rows.at(slice(start, len(rows))))
        sums[stop:, start:stop] = sums[start:stop, stop:].T


@dataclass(frozen=True)
class NearestTask(MapTask[Facing]):
    """The k nearest of each row: which they are, and how far away, the nearest first and equals in order."""

    k: int
    others: int

    def width(self, stored: int) -> int:
        """A distance to every other row."""
        return self.others

    def answers(self, n: int) -> Answers:
        """Room for them."""
        return np.empty((n, self.k), np.intp), np.empty((n, self.k))

    def step(self, data: Facing, start: int, stop: int, out: Answers) -> None:
        """Measure, and keep the least."""
        sums = data.sums(start, stop, np.inf)
        rows, places = _within(sums, reach(sums, self.k))
        away = sums[rows, places]
        order = np.lexsort((places, away, rows))
        rows, places, away = rows[order], places[order], away[order]
        rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
        kept = rank < self.k
        out[0][:] = places[kept].reshape(-1, self.k)
        out[1][:] = away[kept].reshape(-1, self.k)


def reach(sums: Floats, k: float, weight: Floats | None = None) -> Floats:
    """How far away the k-th nearest is of each row of distances (b, m), (b,); the last, if there are fewer.

    With weights (b, m), the nearest that together weigh as much.

    >>> reach(np.array([[3.0, 1.0, 2.0, np.inf]]), 2)
    array([2.])
    >>> reach(np.array([[3.0, 1.0]]), 2, np.array([[1.0, 2.0]]))
    array([1.])
    """
    if weight is None:
        last = min(int(k), sums.shape[1]) - 1
        bound = _bound(sums, last)
        if bound is None:
            return np.partition(sums, last, axis=1)[:, last]
        return _last_of(*_within(sums, bound), sums, last)
    order = np.argsort(sums, axis=1, kind="stable")
    up_to = np.cumsum(np.take_along_axis(weight, order, axis=1), axis=1)
    enough = np.minimum((up_to < k - ROUNDING).sum(axis=1), sums.shape[1] - 1)
    return np.take_along_axis(sums, np.take_along_axis(order, enough[:, None], axis=1), axis=1)[:, 0]


def _bound(sums: Floats, last: int) -> Floats | None:
    """Numbers that so many of each row of (b, m) are not above, and few more, (b,); None if m is small.

    Each row is dealt out, and the least of each heap kept: the k-th least of those is no less than the k-th
    least of all, for there are k that it is not below.
    """
    heaps = min(HEAPS * (last + 1), sums.shape[1] // LEAST)
    if heaps < 2 * (last + 1):
        return None
    each = sums.shape[1] // heaps
    whole = each * heaps
    least = sums[:, :whole].reshape(len(sums), each, heaps).min(axis=1)
    rest = sums[:, whole:]
    np.minimum(least[:, : rest.shape[1]], rest, out=least[:, : rest.shape[1]])
    return np.asarray(np.partition(least, last, axis=1)[:, last])


def _within(sums: Floats, most: Floats) -> tuple[Ints, Ints]:
    """The cells of (b, m) that are at most so much, (b,): as rows and places, in order.

    Looked for in one long line, which NumPy goes along several times as fast as row by row.
    """
    rows, places = np.divmod(np.flatnonzero(sums <= most[:, None]), sums.shape[1])
    return rows, places


def _last_of(rows: Ints, places: Ints, sums: Floats, last: int) -> Floats:
    """Of chosen cells of (b, m), in order and more than `last` of each row, the value at that rank, (b,)."""
    counts = np.bincount(rows, minlength=len(sums))
    beside = np.full((len(sums), int(counts.max(initial=last + 1))), np.inf)
    beside[rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)] = sums[rows, places]
    return np.asarray(np.partition(beside, last, axis=1)[:, last])


def _near(sums: Floats, k: float, weight: Floats | None) -> tuple[Ints, Ints, Floats]:
    """Cells of (b, m) as rows and places, all that count as the k nearest among them; and `reach`."""
    last = min(int(k), sums.shape[1]) - 1
    bound = _bound(sums, last) if weight is None else None
    far = reach(sums, k, weight) if bound is None else bound
    rows, places = _within(sums, far * (1 + ROUNDING) + ROUNDING)
    return rows, places, far if bound is None else _last_of(rows, places, sums, last)


def shares_of_nearest(
    sums: Floats, k: float, weight: Floats | None = None, first: bool = False
) -> tuple[Ints, Ints, Floats]:
    """The k nearest of each row of distances (b, m) as pairs: row, place, and its share of the k.

    Those that are equally far at the end share what is left, or the first of them have it. The shares of a
    row add up to 1; a row that all others are infinitely far from has none. With weights (b, m) a place of
    weight 2 counts as two.

    >>> shares_of_nearest(np.array([[1.0, 2.0, 2.0]]), 2)
    (array([0, 0, 0]), array([0, 1, 2]), array([0.5 , 0.25, 0.25]))
    """
    rows, places, far = _near(sums, k, weight)
    low, high = (far * (1 + e) + e for e in (-ROUNDING, ROUNDING))  # infinite where there are fewer than k
    away = sums[rows, places]
    kept = (away <= high[rows]) & (away < np.inf)
    rows, places, away = rows[kept], places[kept], away[kept]
    own = np.ones(len(rows)) if weight is None else weight[rows, places]
    b, inside = len(sums), away < low[rows]
    nearer = np.bincount(rows[inside], own[inside], b)
    tied = np.bincount(rows[~inside], own[~inside], b)
    slots = np.minimum(k, nearer + tied)
    left = slots - nearer
    if first:
        before = np.cumsum(np.where(inside, 0.0, own)) - own
        begins = np.concatenate([[0.0], np.cumsum(tied)])[rows]
        part = np.clip(left[rows] - (before - begins), 0.0, own)
    else:
        part = own * np.divide(left, tied, out=np.zeros(b), where=tied > 0)[rows]
    share = np.where(inside, own, part) / np.maximum(slots, 1e-300)[rows]
    return rows, places, share
