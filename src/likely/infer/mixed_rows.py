"""How far apart rows of mixed columns are: numbers by their difference, levels by whether they differ.

The distance of two rows is a sum over columns. A missing cell adds to it what it adds on average under the
column's distribution: beside a known cell, and beside another missing one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Ints
from likely.table.column.block import scratch

MOST_BYTES = 255  # columns whose differences are counted in a byte


class NumberCells(NamedTuple):
    """A column of numbers, (n,), NaN where missing, and by what its differences are divided."""

    values: Floats
    scale: float  # 0 for a column in which nothing differs


class LevelCells(NamedTuple):
    """A column of levels: the code of each row, (n,), negative where missing."""

    codes: Ints


@dataclass(frozen=True, eq=False)
class MixedRows:
    """Rows as distances see them.

    >>> ages = NumberCells(np.array([20.0, 30.0, np.nan]), 10.0)
    >>> rows = MixedRows.of([ages, LevelCells(np.array([0, 1, 1]))], 1)
    >>> rows.sums(slice(None), rows)
    array([[0. , 2. , 1.5],
           [2. , 0. , 0.5],
           [1.5, 0.5, 0.5]])
    """

    power: int  # of differences of numbers: 1, or 2 for squares
    numbers: Floats  # (n, p): divided by their scale, 0 where missing
    codes: NDArray[np.int32]  # (n, q), by columns: -1 where missing
    gaps: tuple[int, ...]  # which of the p + q columns have missing cells
    # What gaps change is one product, (n, 2 e): whether a cell is missing and how much more the other adds,
    # and the other way round.
    left: Floats
    right: Floats

    @classmethod
    def of(
        cls, columns: Sequence[NumberCells | LevelCells], power: int, weight: Floats | None = None
    ) -> MixedRows:
        """Numbers first, then levels, each in its order; weights say how much rows tell of distributions."""
        numbers = [_scaled(c, weight) for c in columns if isinstance(c, NumberCells)]
        levels = [c.codes for c in columns if isinstance(c, LevelCells)]
        n = len(numbers[0]) if numbers else len(levels[0]) if levels else 0
        seen = np.ones(n) if weight is None else weight
        beyond = [(np.isnan(z), _beyond_number(z, seen, power)) for z in numbers]
        beyond += [(code < 0, _beyond_level(code, seen)) for code in levels]
        gaps = [j for j, (gap, _) in enumerate(beyond) if gap.any()]
        missing, more = [beyond[j][0] for j in gaps], [beyond[j][1] for j in gaps]
        there, excess = (np.stack(part, axis=1) if part else np.zeros((n, 0)) for part in (missing, more))
        left = np.concatenate([there, np.where(there, 0.0, excess)], axis=1).astype(np.float64)
        right = np.concatenate([excess, there], axis=1).astype(np.float64)
        cells = np.column_stack([np.nan_to_num(z, nan=0.0) for z in numbers]) if numbers else np.zeros((n, 0))
        codes = np.empty((n, len(levels)), np.int32, order="F")
        for j, code in enumerate(levels):
            codes[:, j] = np.maximum(code, -1)
        return cls(power, cells, codes, tuple(gaps), left, right)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.numbers.shape[1] + self.codes.shape[1])

    def at(self, rows: Any) -> MixedRows:
        """Some of the rows; of a slice, without a copy."""
        codes = self.codes[rows]
        return replace(
            self,
            numbers=self.numbers[rows],
            codes=codes if isinstance(rows, slice) else np.asfortranarray(codes),
            left=self.left[rows],
            right=self.right[rows],
        )

    def sums(self, rows: Any, others: MixedRows) -> Floats:
        """The sums over columns of some of the rows beside all of the others, (b, m)."""
        mine = self.at(rows)
        if mine.numbers.shape[1]:
            from scipy.spatial.distance import cdist

            sums = cdist(mine.numbers, others.numbers, "cityblock" if self.power == 1 else "sqeuclidean")
        else:
            sums = np.zeros((len(mine), len(others)))
        if mine.codes.shape[1]:
            sums += _differing(mine.codes, others.codes)
        if self.gaps:
            sums += mine.left @ others.right.T
            np.maximum(sums, 0.0, out=sums)
        return sums

    def terms(self, mine: Ints, theirs: Ints) -> Floats:
        """What each column adds to the distance of pairs of rows, (m, p + q)."""
        p = self.numbers.shape[1]
        terms = np.empty((len(mine), self.width))
        off = terms[:, :p]
        first, second = scratch("terms", (2, len(mine), p))
        np.take(self.numbers, mine, axis=0, out=first, mode="clip")  # "raise" would buffer
        np.take(self.numbers, theirs, axis=0, out=second, mode="clip")
        np.subtract(first, second, out=off)
        (np.abs if self.power == 1 else np.square)(off, out=off)
        for j, code in enumerate(self.codes.T):
            np.not_equal(code[mine], code[theirs], out=terms[:, p + j])
        e = len(self.gaps)
        for k, column in enumerate(self.gaps):
            for at in (k, e + k):
                terms[:, column] += self.left[mine, at] * self.right[theirs, at]
        return terms


def _scaled(column: NumberCells, weight: Floats | None) -> Floats:
    """The numbers around their mean, by their scale."""
    known = ~np.isnan(column.values)
    if not known.any() or column.scale == 0:
        return np.where(known, 0.0, np.nan)
    part = None if weight is None else weight[known]
    centre = np.average(column.values[known], weights=part if part is not None and part.any() else None)
    return (column.values - centre) / column.scale


def _beyond_number(z: Floats, weight: Floats, power: int) -> Floats:
    """What each number adds on average beside a missing one, beyond what it adds beside 0, (n,)."""
    known = ~np.isnan(z)
    if known.all():
        return z
    values, place = np.unique(z[known], return_inverse=True)
    share = _shares(np.bincount(place, weight[known], len(values)))
    if not len(values):
        return np.zeros(len(z))
    mean = float(share @ values)
    if power == 2:
        variance = float(share @ np.square(values - mean))
        beside = np.square(values - mean) + variance
    else:
        below, up_to = np.cumsum(share), np.cumsum(share * values)
        beside = values * (2 * below - 1) + mean - 2 * up_to
    out = np.full(len(z), float(share @ beside))  # both are missing
    out[known] = beside[place] - np.abs(values[place]) ** power
    return out


def _beyond_level(codes: Ints, weight: Floats) -> Floats:
    """How probable it is that a level differs from a missing one, less 1; of a missing one, that it does."""
    known = codes >= 0
    if known.all() or not known.any():
        return np.zeros(len(codes))
    share = _shares(np.bincount(codes[known], weight[known]))
    return np.where(known, -share[np.maximum(codes, 0)], 1 - float(share @ share))


def _shares(counts: Floats | Ints) -> Floats:
    total = counts.sum()
    return counts / total if total > 0 else np.full(len(counts), 1 / max(len(counts), 1))


def _differing(mine: NDArray[np.int32], theirs: NDArray[np.int32]) -> NDArray[np.unsignedinteger[Any]]:
    """In how many columns of levels rows differ, (b, m): in bytes, which is several times as fast."""
    q = mine.shape[1]
    count = np.zeros((len(mine), len(theirs)), np.uint8 if q <= MOST_BYTES else np.uint32)
    for j in range(q):
        count += (mine[:, j, None] != theirs[:, j]).view(np.uint8)
    return count
