"""How often every two levels were seen together in each group: what one-dependence models are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.stats.groups import Additive, Floats, Groups
from likely.table.column.block import made_of_columns

MOST_CELLS = 1 << 27  # of a table of pairs: 1 GB


@dataclass(frozen=True, slots=True)
class LevelPairs(Additive):
    """Counts of the pairs of levels of d columns side by side: column j has sizes[j] of the K places.

    >>> pairs = LevelPairs.collect(np.array([[0, 1], [1, 1], [1, -1]]), Groups.one(3), (2, 2))
    >>> pairs.pair(0, 1)[0], pairs.single(0)[0]
    (array([[0., 1.],
           [0., 1.]]), array([1., 2.]))
    """

    table: Floats  # (g, K, K)
    sizes: tuple[int, ...]  # (d,), adding up to K

    @classmethod
    def empty(cls, n_groups: int, sizes: Sequence[int]) -> LevelPairs:
        """Nothing seen yet."""
        places = sum(sizes)
        if n_groups * places**2 > MOST_CELLS:
            raise LikelyError(
                f"{len(sizes)} columns have {places} levels: too many to count all pairs of them in "
                f"{n_groups} groups. Join rare levels first, or leave columns out."
            )
        return cls(np.zeros((n_groups, places, places)), tuple(sizes))

    @classmethod
    def collect(cls, codes: NDArray[np.integer], groups: Groups, sizes: Sequence[int]) -> LevelPairs:
        """Count codes (b, d); a pair of which one is negative (missing, never seen) is not counted."""
        counted = cls.empty(groups.n_groups, sizes)
        firsts = np.cumsum((0, *sizes))[:-1]
        known = codes >= 0
        places = (codes + firsts)[known]
        ends = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        ones = made_of_columns(np.ones(len(places)), places, ends, sum(sizes))  # (K, b)
        shares = groups.matrix
        for group in range(groups.n_groups):
            rows = np.repeat(shares[:, group], np.diff(ends))
            weighed = made_of_columns(rows, places, ends, sum(sizes))
            counted.table[group] = (weighed @ ones.T).toarray()  # type: ignore[attr-defined]
        return counted

    def _span(self, j: int) -> slice:
        start = sum(self.sizes[:j])
        return slice(start, start + self.sizes[j])

    def pair(self, i: int, j: int) -> Floats:
        """The counts of two columns together, (g, k_i, k_j)."""
        return self.table[:, self._span(i), self._span(j)]

    def single(self, j: int) -> Floats:
        """The counts of one column, (g, k_j)."""
        return np.diagonal(self.pair(j, j), axis1=1, axis2=2)

    @property
    def n(self) -> Floats:
        """How much weight was counted in each group and column, (g, d)."""
        return np.stack([self.single(j).sum(axis=1) for j in range(len(self.sizes))], axis=1)
