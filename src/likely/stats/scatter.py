"""Weight, mean vector and scatter matrix of the complete rows in each group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.stats.exact import two_sum
from likely.stats.groups import Floats, Groups
from likely.stats.moments import CANCELLATION, rough_centre
from likely.stats.products import WIDEST, Products, unpacked
from likely.stats.statistic import Statistic, take_out
from likely.table.scratch import scratch_like


@dataclass(frozen=True, slots=True)
class Scatter(Statistic):
    """Centred cross-products of the columns.

    Only rows without a missing cell enter: no sum over pairs of known cells would be the statistic
    of any likelihood. What the others know is the work of EM.

    >>> s = Scatter.collect(np.array([[1.0, 0.0], [3.0, 1.0]]), Groups.one(2))
    >>> s.scatter[0]
    array([[2. , 1. ],
           [1. , 0.5]])
    """

    n: Floats  # (g,) weight of the complete rows
    mean: Floats  # (g, d), 0 where n is 0
    scatter: Floats  # (g, d, d)
    mean_rest: Floats = None  # type: ignore[assignment]  # (g, d) what rounding took from the mean

    def __post_init__(self) -> None:
        if self.mean_rest is None:
            object.__setattr__(self, "mean_rest", np.zeros_like(self.mean))

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Scatter:
        """Nothing seen yet."""
        return cls(np.zeros(n_groups), np.zeros((n_groups, width)), np.zeros((n_groups, width, width)))

    @classmethod
    def collect(cls, rows: Any, groups: Groups) -> Scatter:
        """Take the cross-products of rows (b, d), dense or sparse; rows with NaN are left out."""
        rows = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
        result = cls.empty(groups.n_groups, rows.shape[1])
        if np.isnan(rows @ np.ones(rows.shape[1])).any():
            complete = ~np.isnan(rows).any(axis=1)
            rows, groups = rows[complete], groups.where(complete)
        if groups.soft is not None and len(rows):
            take = result._take_together if rows.shape[1] <= WIDEST else result._take_each
            take(rows, groups.soft)
        else:
            for group, mine, weight in members(rows, groups):
                result.take_alone(group, mine, weight)
        return result

    def _take_together(self, rows: Floats, soft: Floats) -> None:
        """Fill in all groups by one product; those that lie far off lose digits so, and are taken alone."""
        d = rows.shape[1]
        sums = np.zeros((self.n_groups, 1 + d + d * (d + 1) // 2))
        for part, held in Products.each(rows):
            sums += soft[part].T @ held.table.T
        n, total = sums[:, 0], sums[:, 1 : 1 + d]
        apart = np.divide(total, n[:, None], out=np.zeros_like(total), where=(n > 0)[:, None])
        squares = unpacked(sums[:, 1 + d :], d)
        self.n[:] = n
        self.scatter[:] = squares - (n[:, None] * apart)[:, :, None] * apart[:, None, :]
        self.mean[:], self.mean_rest[:] = two_sum(np.where((n > 0)[:, None], held.centre, 0.0), apart)
        for group in map(int, np.flatnonzero(_lost(self.scatter, squares))):
            self.take_alone(group, *with_weight(rows, soft[:, group]))

    def _take_each(self, rows: Floats, soft: Floats) -> None:
        """Fill in one group after another, from deviations that are taken once for all."""
        centre = rough_centre(rows)
        apart = np.subtract(rows, centre, out=scratch_like("deviations", rows))
        found = [_of_deviations(apart, float(weight.sum()), weight) for weight in soft.T]
        for group, (n, moved, scatter, squares) in enumerate(found):
            if not n > 0:
                continue
            self.n[group], self.scatter[group] = n, scatter
            self.mean[group], self.mean_rest[group] = two_sum(centre, moved)
            if _lost(scatter, squares):  # it lies far off
                self.take_alone(group, *with_weight(rows, soft[:, group]))

    def take_alone(self, group: int, mine: Floats, weight: Floats | None) -> None:
        """Fill in one group, from its members."""
        if not len(mine):
            return
        few = mine[:: max(1, len(mine) // 64)]
        # From a member: the centre of a constant column is then its value, to the last bit.
        centre = mine[0] + (few - mine[0]).mean(axis=0)
        n = float(len(mine)) if weight is None else float(weight.sum())
        found = _around(mine, centre, n, weight)
        if _lost(found[1], found[2]):
            centre = centre + found[0]
            found = _around(mine, centre, n, weight)
        self.n[group], self.scatter[group] = n, found[1]
        self.mean[group], self.mean_rest[group] = two_sum(centre, found[0])

    @property
    def scatter_n(self) -> Floats:
        """The weight behind each scatter matrix, (g,)."""
        return self.n

    @property
    def covariance(self) -> Floats:
        """The maximum-likelihood covariance, scatter / n (0 where nothing was seen), (g, d, d)."""
        n = np.broadcast_to(self.n[:, None, None], self.scatter.shape)
        return np.divide(self.scatter, n, out=np.zeros_like(self.scatter), where=n > 0)

    def __add__(self, other: Scatter) -> Scatter:
        n = self.n + other.n
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = (other.mean - self.mean) + (other.mean_rest - self.mean_rest)
        moved = two_sum(self.mean, self.mean_rest + delta * share[:, None])
        mean, rest = np.where((self.n == 0)[:, None], (other.mean, other.mean_rest), moved)
        between = delta[:, :, None] * delta[:, None, :] * (self.n * share)[:, None, None]
        return Scatter(n, mean, self.scatter + other.scatter + between, rest)

    def __sub__(self, other: Scatter) -> Scatter:
        n = np.maximum(take_out(self.n, other.n), 0.0)
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        some = (n > 0)[:, None]
        delta = (self.mean - other.mean) + (self.mean_rest - other.mean_rest)
        mean, rest = np.where(some, two_sum(self.mean, self.mean_rest + delta * share[:, None]), 0.0)
        between = delta[:, :, None] * delta[:, None, :] * (self.n * share)[:, None, None]
        left = self.scatter - other.scatter - between
        return Scatter(n, mean, np.where(some[:, :, None], left, 0.0), rest)

    def __mul__(self, factor: float) -> Scatter:
        n = self.n * factor
        mean, rest = np.where((n > 0)[:, None], (self.mean, self.mean_rest), 0.0)
        return Scatter(n, mean, self.scatter * factor, rest)


def members(rows: Floats, groups: Groups) -> Iterator[tuple[int, Floats, Floats | None]]:
    """The rows of each group, and their weights."""
    if groups.soft is not None:
        for group in range(groups.n_groups):
            yield group, *with_weight(rows, groups.soft[:, group])
        return
    codes, weight = groups.codes, groups.weight
    assert codes is not None
    # Rows without weight are absent. Small codes are sorted by their digits, in one go.
    small = codes.astype(
        np.uint8 if groups.n_groups <= 256 else np.uint16 if groups.n_groups <= 65536 else int
    )
    order = np.argsort(small, kind="stable")
    order = order if weight is None else order[weight[order] > 0]
    together = rows[order]
    ends = np.searchsorted(small[order], np.arange(groups.n_groups + 1))
    for group in range(groups.n_groups):
        part = slice(ends[group], ends[group + 1])
        yield group, together[part], None if weight is None else weight[order[part]]


def with_weight(rows: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The rows that count at all, and how much."""
    inside = weight > 0
    return (rows, weight) if inside.all() else (rows[inside], weight[inside])


def _around(mine: Floats, centre: Floats, n: float, weight: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Mean less the centre (d,), scatter around the mean and squares around the centre, (d, d)."""
    own = np.subtract(mine, centre, out=scratch_like("deviations", mine))
    return _of_deviations(own, n, weight)[1:]


def _of_deviations(own: Floats, n: float, weight: Floats | None) -> tuple[float, Floats, Floats, Floats]:
    """The weight n of rows given as deviations from a centre, and what `_around` says of them."""
    apart = (np.ones(len(own)) if weight is None else weight) @ own / (n or 1.0)
    if weight is not None:
        own = np.multiply(own, np.sqrt(weight)[:, None], out=scratch_like("weighed", own))
    squares = own.T @ own
    return n, apart, squares - n * apart[:, None] * apart, squares


def _lost(scatter: Floats, squares: Floats) -> NDArray[np.bool_]:
    """Whether a group's scatter is what little is left of the squares, and so has lost digits."""
    left, whole = (np.diagonal(a, axis1=-2, axis2=-1) for a in (scatter, squares))
    return np.asarray((left * CANCELLATION < whole).any(axis=-1))
