"""Weight and mean of each group, and one scatter matrix around the groups' own means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import NEAR, Floats, Groups, Statistic, take_out, two_sum
from likely.stats.products import CANCELLATION
from likely.stats.scatter import Scatter
from likely.table.column.block import Rows, scratch_like

STEP = 1 << 12  # rows at a time: what is multiplied is still in the cache when it is added up


@dataclass(frozen=True, slots=True)
class Within(Statistic):
    """What groups of one and the same covariance have to tell of it, and of their means.

    Only rows without a missing cell enter, as in `Scatter`, whose sum over the groups this holds.

    >>> Within.collect(np.array([[1.0], [3.0], [7.0]]), Groups.hard([0, 0, 1], 2))
    Within(n=array([2., 1.]), mean=array([[2.],
           [7.]]), scatter=array([[[2.]]]), mean_rest=array([[0.],
           [0.]]))
    """

    n: Floats  # (g,) weight of the complete rows
    mean: Floats  # (g, d), 0 where n is 0
    scatter: Floats  # (1, d, d) of all groups
    mean_rest: Floats = None  # type: ignore[assignment]  # (g, d) what rounding took from the mean

    def __post_init__(self) -> None:
        if self.mean_rest is None:
            object.__setattr__(self, "mean_rest", np.zeros_like(self.mean))

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Within:
        """Nothing seen yet."""
        return cls(np.zeros(n_groups), np.zeros((n_groups, width)), np.zeros((1, width, width)))

    @classmethod
    def of(cls, apart: Scatter) -> Within:
        """What is left of a scatter matrix for each group when they are added up."""
        return cls(apart.n, apart.mean, apart.scatter.sum(axis=0, keepdims=True), apart.mean_rest)

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> Within:
        """Take the cross-products of rows (b, d), dense or sparse; rows with NaN are left out.

        The squares around one centre less those of the groups' means are the scatter within, by a
        single product. Where groups lie so far apart that little is left of the squares, they are
        taken one by one.
        """
        rows = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
        if not len(rows):
            return cls.empty(groups.n_groups, rows.shape[1])
        centre = _centre(rows)
        total, squares = _around(rows, centre, groups)
        complete = ~np.isnan(rows).any(axis=1) if np.isnan(total).any() else np.True_
        if not complete.all():
            return cls.collect(rows[complete], groups.where(complete))
        n = groups.total
        apart = np.divide(total, n[:, None], out=np.zeros_like(total), where=(n > 0)[:, None])
        scatter = squares - total.T @ apart
        if (np.diagonal(scatter) * CANCELLATION < np.diagonal(squares)).any():
            return cls.of(Scatter.collect(rows, groups))
        mean, rest = two_sum(np.where((n > 0)[:, None], centre, 0.0), apart)
        return cls(n, mean, scatter[None], rest)

    @property
    def scatter_n(self) -> Floats:
        """The weight behind the scatter matrix, (1,)."""
        return np.asarray(self.n.sum(keepdims=True))

    @property
    def covariance(self) -> Floats:
        """The maximum-likelihood covariance, scatter / n (0 where nothing was seen), (1, d, d)."""
        n = float(self.n.sum())
        return np.asarray(self.scatter / n) if n > 0 else self.scatter

    def __add__(self, other: Within) -> Within:
        n = self.n + other.n
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = (other.mean - self.mean) + (other.mean_rest - self.mean_rest)
        moved = two_sum(self.mean, self.mean_rest + delta * share[:, None])
        mean, rest = np.where((self.n == 0)[:, None], (other.mean, other.mean_rest), moved)
        between = (delta * (self.n * share)[:, None]).T @ delta
        return Within(n, mean, self.scatter + other.scatter + between, rest)

    def __sub__(self, other: Within) -> Within:
        n = np.maximum(take_out(self.n, other.n), 0.0)
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = (self.mean - other.mean) + (self.mean_rest - other.mean_rest)
        moved = two_sum(self.mean, self.mean_rest + delta * share[:, None])
        mean, rest = np.where((n > 0)[:, None], moved, 0.0)
        between = (delta * (self.n * share)[:, None]).T @ delta
        left = self.scatter - other.scatter - between
        return Within(n, mean, left if n.any() else np.zeros_like(left), rest)

    def __mul__(self, factor: float) -> Within:
        n = self.n * factor
        mean, rest = np.where((n > 0)[:, None], (self.mean, self.mean_rest), 0.0)
        return Within(n, mean, self.scatter * factor, rest)

    def regroup(self, index: NDArray[np.intp], n_groups: int) -> Within:
        """Move group i to place index[i] among n_groups; places nobody moves to are empty."""
        moved = {}
        for name in ("n", "mean", "mean_rest"):
            array = getattr(self, name)
            moved[name] = np.zeros((n_groups, *array.shape[1:]))
            moved[name][index] = array
        return self._with(**moved)

    def only(self, groups: NDArray[np.intp]) -> Within:
        """Some of the groups, of which the others are empty: the scatter is of all."""
        return Within(self.n[groups], self.mean[groups], self.scatter, self.mean_rest[groups])

    def pooled(self) -> Within:
        """All groups as one: what lies between their means is then within."""
        width = self.mean.shape[1]
        lone = Scatter(self.n, self.mean, np.zeros((self.n_groups, width, width)), self.mean_rest)
        whole = lone.pooled()
        return Within(whole.n, whole.mean, self.scatter + whole.scatter, whole.mean_rest)


def _centre(rows: Floats) -> Floats:
    """Where to measure from, (d,): near the mean, and in a constant column its value to the last bit.

    All zeros, which costs nothing at all, if every column's mean lies within a few sds of 0.
    """
    few = rows[:: max(1, len(rows) // 64)]
    centre: Floats = rows[0] + (few - rows[0]).mean(axis=0)
    near = centre * centre <= NEAR * np.square(few).mean(axis=0)
    return np.zeros_like(centre) if near.all() else centre


def _around(rows: Floats, centre: Floats, groups: Groups) -> tuple[Floats, Floats]:
    """The deviations from the centre added up in each group, (g, d), and their products in all, (d, d)."""
    d = rows.shape[1]
    total, squares = np.zeros((groups.n_groups, d)), np.zeros((d, d))
    weight = groups.weight if groups.soft is None else groups.soft.sum(axis=1)
    for start in range(0, len(rows), STEP):
        part, mine = rows[start : start + STEP], groups.rows(start, start + STEP)
        work = scratch_like("deviations", part)
        own = np.subtract(part, centre, out=work) if centre.any() else part
        total += mine.sum(own)
        if weight is not None:
            own = np.multiply(own, np.sqrt(weight[start : start + STEP])[:, None], out=work)
        squares += own.T @ own
    return total, squares
