"""Which rows are nearest: all distances of a block of rows at a time, of which only the least are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, MapTask
from likely.infer.mixed_rows import MixedRows
from likely.infer.rough_rows import FARTHEST, RoughRows, Steps
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
class AmongTask(MapTask[tuple[MixedRows | RoughRows, NDArray[Any]]]):
    """The distances of all rows from each other, (n, n), of every two once: written to where they belong."""

    others: int

    def width(self, stored: int) -> int:
        """Twice the distances to every other row: within a block those of every two are measured twice."""
        return 2 * self.others

    def answers(self, n: int) -> Answers:
        """None beside what is written."""
        return ()

    def step(
        self, data: tuple[MixedRows | RoughRows, NDArray[Any]], start: int, stop: int, out: Answers
    ) -> None:
        """Measure those from the block on, and write them on both sides."""
        rows, sums = data
        those: Any = rows.at(slice(start, len(rows)))
        sums[start:stop, start:] = rows.sums(slice(start, stop), those)
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
        rows, places = _within(sums, bound)
        return _last_of(rows, sums[rows, places], len(sums), last)
    order = np.argsort(sums, axis=1, kind="stable")
    up_to = np.cumsum(np.take_along_axis(weight, order, axis=1), axis=1)
    enough = np.minimum((up_to < k - ROUNDING).sum(axis=1), sums.shape[1] - 1)
    return np.take_along_axis(sums, np.take_along_axis(order, enough[:, None], axis=1), axis=1)[:, 0]


def _bound(sums: NDArray[Any], last: int) -> NDArray[Any] | None:
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


def _within(sums: NDArray[Any], most: NDArray[Any]) -> tuple[Ints, Ints]:
    """The cells of (b, m) that are at most so much, (b,): as rows and places, in order.

    Looked for in one long line, which NumPy goes along several times as fast as row by row.
    """
    places = np.flatnonzero(sums <= most[:, None])
    rows = places // sums.shape[1]  # several times as fast as `divmod`
    return rows, places - rows * sums.shape[1]


def _last_of(rows: Ints, away: Floats, b: int, last: int) -> Floats:
    """Of the values of cells in order of their b rows, that at a rank in each; infinite if none, (b,)."""
    counts = np.bincount(rows, minlength=b)
    beside = np.full((b, int(counts.max(initial=last + 1))), np.inf)
    beside[rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)] = away
    return np.asarray(np.partition(beside, last, axis=1)[:, last])


def _near(sums: Floats, k: float, weight: Floats | None) -> tuple[Ints, Ints, Floats]:
    """Cells of (b, m) as rows and places, all that count as the k nearest among them; and `reach`."""
    last = min(int(k), sums.shape[1]) - 1
    bound = _bound(sums, last) if weight is None else None
    far = reach(sums, k, weight) if bound is None else bound
    rows, places = _within(sums, far * (1 + ROUNDING) + ROUNDING)
    return rows, places, far if bound is None else _last_of(rows, sums[rows, places], len(sums), last)


def near_by_steps(steps: Steps, k: int, slack: int) -> tuple[Ints, Ints]:
    """Cells of (b, m) as rows and places, the k nearest among them although each may be off by the slack."""
    last = min(k, steps.shape[1]) - 1
    bound = _bound(steps, last)
    far = np.partition(steps, last, axis=1)[:, last] if bound is None else bound
    return _within(steps, np.minimum(far.astype(np.int64) + 2 * slack, FARTHEST).astype(np.uint16))


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
    own = None if weight is None else weight[rows, places]
    share = _shares(rows, sums[rows, places], far, k, own, first)
    kept = share > 0
    return rows[kept], places[kept], share[kept]


def shares_of_pairs(rows: Ints, away: Floats, b: int, k: int, first: bool = False) -> Floats:
    """The shares of some cells in order of their b rows, the k nearest of each among them."""
    return _shares(rows, away, _last_of(rows, away, b, k - 1), k, None, first)


def _shares(rows: Ints, away: Floats, far: Floats, k: float, own: Floats | None, first: bool) -> Floats:
    """The shares of cells in order of their rows, 0 of most, if `far` is as far as each row reaches."""
    low, high = (far * (1 + e) + e for e in (-ROUNDING, ROUNDING))  # infinite where there are fewer than k
    kept = (away <= high[rows]) & (away < np.inf)
    share = np.zeros(len(rows))
    rows, away = rows[kept], away[kept]
    own = np.ones(len(rows)) if own is None else own[kept]
    b, inside = len(far), away < low[rows]
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
    share[kept] = np.where(inside, own, part) / np.maximum(slots, 1e-300)[rows]
    return share
