"""Columns of codes as they come -> how often each level of each was seen in each group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.stats.counts import Counts
from likely.stats.groups import Floats, Groups, Ints

MOST_TOGETHER = 1 << 13  # places of all combinations of levels: they stay in the fastest cache


class CountedLevels:
    """The `Counts` of columns that come one by one.

    How often combinations of a few levels were seen tells how often each was, and is counted in the same
    time: the rows are gone through once for several columns.

    >>> seen = CountedLevels(Groups.hard([0, 0, 1, 1], 2))
    >>> seen.add(np.array([0, 1, 1, -1]), 2)
    >>> seen.add(np.array([0, 0, 0, 2]), 3)
    >>> seen.settled().table
    array([[1., 1., 2., 0., 0.],
           [0., 1., 1., 0., 1.]])
    """

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.sizes: list[int] = []
        self.tables: list[Floats] = [np.zeros((groups.n_groups, 0))]
        self.place: Ints | None = None  # (n,) of each row among the combinations; None of no columns
        self.shape: list[int] = []  # of the combinations, (g, k + 1, ...): the last level of each is missing

    def add(self, codes: NDArray[np.integer[Any]], size: int) -> None:
        """Count a column, (n,); a negative code is not counted."""
        self.sizes.append(size)
        if self.groups.codes is None:
            self.tables.append(Counts.collect(codes[:, None], self.groups, (size,)).table)
            return
        places = int(np.prod(self.shape, initial=1)) if self.shape else self.groups.n_groups
        if self.shape and places * (size + 1) > min(MOST_TOGETHER, len(codes)):
            self._count()
        if self.place is None:
            self.place, self.shape = self.groups.codes.copy(), [self.groups.n_groups]
        self.place *= size + 1
        self.place += codes if not len(codes) or codes.min() >= 0 else np.where(codes < 0, size, codes)
        self.shape.append(size + 1)

    def settled(self) -> Counts:
        """Of all columns, side by side."""
        self._count()
        return Counts(np.concatenate(self.tables, axis=1), tuple(self.sizes))

    def _count(self) -> None:
        if self.place is None:
            return
        seen = np.bincount(self.place, self.groups.weight, int(np.prod(self.shape)))
        whole = np.asarray(seen, np.float64).reshape(self.shape)
        for axis in range(1, len(self.shape)):
            others = tuple(other for other in range(1, len(self.shape)) if other != axis)
            self.tables.append(whole.sum(axis=others)[:, :-1])
        self.place, self.shape = None, []
