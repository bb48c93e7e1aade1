"""How often each level of each column was seen in each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Additive, Floats, Groups, Ints, exceeds
from likely.table.column.block import by_columns, made_of_columns, scratch, scratch_like


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
    def collect(cls, codes: NDArray[np.integer], groups: Groups, sizes: Sequence[int]) -> Counts:
        """Count codes (b, d); a negative code (missing, never seen) is not counted."""
        if groups.codes is None:
            assert groups.soft is not None
            return cls(soft_counts(codes, groups.soft, tuple(sizes)), tuple(sizes))
        size, tables = sum(sizes), groups.n_groups
        # Where each column's places begin, in the table of each group, (g, d).
        firsts = np.cumsum((0, *sizes))[:-1] + size * np.arange(tables)[:, None]
        place = _places(codes, firsts, groups.codes)
        if codes.size and codes.min() < 0:
            place[codes < 0] = tables * size  # one place more, for what does not count
        counted = _weigh(place, groups.weight, tables * size + 1)[:-1]
        return cls(counted.reshape(groups.n_groups, size).astype(np.float64), tuple(sizes))

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

    def exceeds(self, whole: Self) -> NDArray[np.bool_]:
        """For each column whether a level was counted more often here than in the whole."""
        more = exceeds(self.table, whole.table).any(axis=0)
        return np.array([part.any() for part in np.split(more, np.cumsum(self.sizes)[:-1])], bool)

    def level_totals(self) -> list[Floats]:
        """How much each level of each column was counted in all groups."""
        return [np.asarray(self.column(j).sum(axis=0)) for j in range(len(self.sizes))]

    def only_levels(self, places: Sequence[Ints]) -> Counts:
        """Some of the levels of every column."""
        tables = [self.column(j)[:, keep] for j, keep in enumerate(places)]
        return Counts(np.concatenate(tables, axis=1) if tables else self.table, tuple(map(len, places)))


def _places(codes: NDArray[np.integer], firsts: Ints, which: Ints) -> Ints:
    """Where each cell counts, in the memory order of the codes."""
    place = scratch_like("places", codes).view(np.intp)
    if by_columns(codes) or codes.shape[1] == 1:  # rows of one cell are taken several times as slowly
        np.take(firsts.T, which, axis=1, out=place.T, mode="wrap")
    else:
        np.take(firsts, which, axis=0, out=place, mode="wrap")
    place += codes
    return place


def _weigh(place: Ints, weight: Floats | None, n: int) -> Floats | Ints:
    """How much weight falls on each of n places."""
    order: Literal["F", "C"] = "F" if by_columns(place) else "C"
    cells = None if weight is None else np.broadcast_to(weight[:, None], place.shape).ravel(order)
    return np.bincount(place.ravel(order), cells, n)


def soft_counts(codes: NDArray[np.integer], soft: Floats, sizes: tuple[int, ...]) -> Floats:
    """The counts (g, K) of codes (b, d) whose rows have these shares (b, g); negative codes do not count.

    By one sparse product, with 1 at the place of every cell: half the time of a bincount for each group.

    >>> soft_counts(np.array([[0], [1], [-1]]), np.array([[1.0], [0.5], [2.0]]), (2,))
    array([[1. , 0.5]])
    """
    (b, d), (firsts, own, height) = codes.shape, _level_places(sizes, len(codes))
    place = scratch("places", (b, d)).view(np.intp)  # row by row, as the sparse product wants it
    np.add(codes, firsts, out=place)
    ones = scratch("ones", (b * d,))
    ones[:] = 1.0
    block = made_of_columns(ones, place.ravel(), np.arange(b + 1) * d, height)
    counted = block @ np.ascontiguousarray(soft)
    return np.asarray(counted[own].T)


@lru_cache(4)
def _level_places(sizes: tuple[int, ...], b: int) -> tuple[Ints, Ints, int]:
    """Where the level 0 of each column counts, for b rows (b, d); where all levels do, (K,); how many.

    The codes -2 and -1 have places too, before each column's own.
    """
    wide = np.asarray(sizes, np.intp) + 2
    firsts = np.cumsum(wide) - wide + 2
    own = [np.arange(first, first + size) for first, size in zip(firsts, sizes, strict=True)]
    # Row by row in full: to add a row of d to every row would take three times as long.
    return np.tile(firsts, (b, 1)), np.concatenate([np.zeros(0, np.intp), *own]), int(wide.sum())
