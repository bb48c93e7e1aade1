"""How often each level of each column was seen in each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.stats.groups import Floats, Groups, Ints
from likely.stats.statistic import Additive


@dataclass(frozen=True, slots=True)
class Counts(Additive):
    """Counts of d columns of levels, side by side: column j has sizes[j] of the K places.

    >>> Counts.collect(np.array([[0], [1], [1], [-1]]), Groups.hard([0, 0, 1, 1], 2), (3,)).table
    array([[1., 1., 0.],
           [0., 1., 0.]])
    """

    table: Floats  # (g, K)
    sizes: tuple[int, ...]  # (d,), adding up to K

    @classmethod
    def empty(cls, n_groups: int, sizes: Sequence[int]) -> Counts:
        """Nothing seen yet."""
        return cls(np.zeros((n_groups, sum(sizes))), tuple(sizes))

    @classmethod
    def collect(cls, codes: Any, groups: Groups, sizes: Sequence[int]) -> Counts:
        """Count codes (b, d); a negative code (missing, never seen) is not counted."""
        tables = [_count(codes[:, j], groups, size) for j, size in enumerate(sizes)]
        return cls(np.concatenate(tables, axis=1) if tables else np.zeros((groups.n_groups, 0)), tuple(sizes))

    @property
    def starts(self) -> Ints:
        """Where each column's places begin, (d,)."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.intp)[: len(self.sizes)]

    def column(self, j: int) -> Floats:
        """The counts of column j, (g, k_j)."""
        start = sum(self.sizes[:j])
        return self.table[:, start : start + self.sizes[j]]

    @property
    def n(self) -> Floats:
        """How much weight was counted in each group and column, (g, d)."""
        columns = [self.column(j).sum(axis=1) for j in range(len(self.sizes))]
        return np.stack(columns, axis=1) if columns else np.zeros((self.n_groups, 0))

    def relevel(self, places: Sequence[Ints], sizes: Sequence[int]) -> Counts:
        """Move level i of column j to place places[j][i] among sizes[j] levels."""
        tables = []
        for j, size in enumerate(sizes):
            wider = np.zeros((self.n_groups, size))
            wider[:, places[j]] = self.column(j)
            tables.append(wider)
        return Counts(np.concatenate(tables, axis=1) if tables else self.table, tuple(sizes))


def _count(codes: Ints, groups: Groups, size: int) -> Floats:
    seen = codes >= 0
    if not seen.all():
        codes, groups = codes[seen], groups.where(seen)
    if groups.soft is not None:
        return np.stack([np.bincount(codes, groups.soft[:, g], size) for g in range(groups.n_groups)])
    assert groups.codes is not None
    place = groups.codes * size
    place += codes
    flat = np.bincount(place, groups.weight, groups.n_groups * size)
    return flat.reshape(groups.n_groups, size).astype(np.float64)
