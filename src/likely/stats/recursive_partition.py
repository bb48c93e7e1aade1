"""Cutting values in order, again and again, where it tells most about the groups: recursive partitioning.

Everything works on counts (g, b) of g groups in b cells in order, such as the distinct values of a column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Impurity = Callable[[Floats], Floats]  # of shares of groups (g, ...), (...)

EQUAL = 1e-12  # gains that differ by less are equal, and the lowest cut is taken
TINY = 1e-300  # beside which no share is less, but none at all
FEW = 64  # cells that as a rule tell that not all are alike


def entropy_of_shares(shares: Floats) -> Floats:
    """In bits, of shares (g, ...)."""
    parts = shares + TINY  # changes none but 0
    np.log2(parts, out=parts)
    parts *= shares
    return np.asarray(0.0 - parts.sum(axis=0))


def gini_of_shares(shares: Floats) -> Floats:
    """How often two rows are of different groups, of shares (g, ...)."""
    return np.asarray(1.0 - np.square(shares).sum(axis=0))


def sqrt_gini_of_shares(shares: Floats) -> Floats:
    """The root of it, which does not change with the base rate."""
    return np.sqrt(np.maximum(gini_of_shares(shares), 0.0))


IMPURITIES: dict[str, Impurity] = {
    "gain": entropy_of_shares,
    "gini": gini_of_shares,
    "sqrt_gini": sqrt_gini_of_shares,
}


@dataclass(frozen=True)
class Split:
    """A cut before cell `at` among the cells from `start` to `stop`."""

    at: int
    gain: float  # how much less impure both sides are than the whole, by their weight
    start: int
    stop: int
    weight: float  # of the rows in these cells, as a share of all
    needed: float = 0.0  # the gain that it must exceed


class Tree(NamedTuple):
    """The cuts that were made, in the order in which they were, and those that were refused."""

    made: tuple[Split, ...]
    refused: tuple[Split, ...]

    @property
    def starts(self) -> NDArray[np.intp]:
        """The first cell of each part, from 0, rising."""
        return np.array([0, *sorted(split.at for split in self.made)], np.intp)


def recursive_partition(
    counts: Floats, impurity: Impurity, stop: str = "equal", max_bins: int | None = None
) -> Tree:
    """Cut at the best place, then both sides alike, until `stop`.

    Parameters
    ----------
    counts : (g, b)
        How much of each group lies in each cell.
    impurity : function
        Of shares (g, ...): 0 where all is of one group, concave.
    stop : "equal" or "mdl"
        Where all cells have the same shares; or where a cut gains less than it costs to describe (Fayyad and
        Irani).
    max_bins : int or None
        No more parts than that: the cut that gains most by its weight comes first then. Without it, left
        sides come first.

    Examples
    --------
    >>> counts = np.array([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    >>> recursive_partition(counts, entropy_of_shares).starts
    array([0, 2])
    """
    b = counts.shape[1]
    up_to = _heaped(counts)
    made: list[Split] = []
    refused: list[Split] = []

    def look(start: int, end: int) -> Iterator[Split]:
        best = _best(up_to, counts, impurity, start, end)
        if best is None:
            return
        if stop == "mdl":
            best = _priced(best, up_to)
            if best.gain <= best.needed:
                refused.append(best)
                return
        yield best

    if max_bins is None:
        waiting = list(look(0, b))
        while waiting:
            made.append(split := waiting.pop())
            waiting += [*look(split.at, split.stop), *look(split.start, split.at)]
        return Tree(tuple(made), tuple(refused))
    heap = [(-split.gain * split.weight, split.at, split) for split in look(0, b)]
    heapify(heap)
    while heap and len(made) < max_bins - 1:
        made.append(split := heappop(heap)[2])
        for new in (*look(split.start, split.at), *look(split.at, split.stop)):
            heappush(heap, (-new.gain * new.weight, new.at, new))
    return Tree(tuple(made), tuple(refused))


def gains(counts: Floats, impurity: Impurity) -> Floats:
    """How much a single cut before each cell but the first gains, (b - 1,).

    >>> gains(np.array([[1.0, 0.0], [0.0, 1.0]]), entropy_of_shares)
    array([1.])
    """
    return _gains(_heaped(counts), impurity)


def _heaped(counts: Floats) -> Floats:
    """How much of each group lies below each cell, and in all, (g, b + 1)."""
    up_to = np.zeros((len(counts), counts.shape[1] + 1))
    np.cumsum(counts, axis=1, out=up_to[:, 1:])
    return up_to


def _gains(up_to: Floats, impurity: Impurity) -> Floats:
    """What each cut gains, by how much lies below each cell, (g, b + 1)."""
    begin, inner, end = up_to[:, :1], up_to[:, 1:-1], up_to[:, -1:]
    whole, sides = end - begin, np.empty((len(up_to), 2, inner.shape[1]))
    np.subtract(inner, begin, out=sides[:, 0])
    np.subtract(end, inner, out=sides[:, 1])
    n, weight = whole.sum(), sides.sum(axis=0)
    sides /= weight
    weight *= impurity(sides)
    return np.asarray(impurity(whole / n)[0] - weight.sum(axis=0) / n)


def _best(up_to: Floats, counts: Floats, impurity: Impurity, start: int, stop: int) -> Split | None:
    """The best cut of some cells; None where all have the same shares."""
    if stop - start < 2:
        return None
    whole = up_to[:, stop : stop + 1] - up_to[:, start : start + 1]
    n = float(whole.sum())
    if _alike(counts[:, start:stop], whole, n):
        return None
    gained = _gains(up_to[:, start : stop + 1], impurity)
    place = int(np.argmax(gained >= gained.max() - EQUAL))
    return Split(start + 1 + place, float(gained[place]), start, stop, n / float(up_to[:, -1].sum()))


def _alike(inside: Floats, whole: Floats, n: float) -> bool:
    """Whether all cells have the same shares; as a rule the first few tell that they have not."""
    return all(
        bool((np.abs(some * n - whole * some.sum(axis=0)) <= 1e-9 * n).all())
        for some in (inside[:, :FEW], inside[:, FEW:])
    )


def _priced(split: Split, up_to: Floats) -> Split:
    """With the gain that the description length asks for: (log2(N - 1) + D) / N."""
    start, at, end = up_to.T[[split.start, split.at, split.stop]]
    parts = np.array([end - start, at - start, end - at]).T
    present = (parts > 0).sum(axis=0)  # the number of groups that are there
    weight = parts.sum(axis=0)
    told = (present * entropy_of_shares(parts / weight)).tolist()
    n, k = float(weight[0]), int(present[0])
    more = log2(3**k - 2) - (told[0] - told[1] - told[2])
    return replace(split, needed=(log2(max(n - 1, 1.0)) + more) / n)
