"""How much a column varies, over all groups and within them: the unit in which its floors are set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats
from likely.stats.moments import Moments

FLOOR = 1e-9  # of the column's variance: no group's variance is taken to be less
WEAK = 0.01  # rows: what is believed of a mean is worth so little where groups do not differ
PASSES = 3  # in which a narrow group's row of the typical variance comes near to what groups have
CERTAIN = 2.0**128  # worth so many rows that no data are seen beside it, to the last bit
DUST = 8 * float(np.finfo(np.float64).eps)  # relative deviations that rounding alone can make


@dataclass(frozen=True, slots=True)
class Spread:
    """Each column's pooled mean and variances, (1, d); 1 for the variances of a constant column."""

    mean: Floats
    mean_rest: Floats  # what rounding took from the mean
    total: Floats  # variance around the pooled mean
    within: Floats  # variance around the groups' own means, floored
    constant: NDArray[np.bool_]

    @classmethod
    def of(cls, stat: Moments, typical: bool = False) -> Spread:
        """A column is constant if it varies no more than rounding does, or if nothing was seen of it.

        With `typical` the variance within groups is that of a typical one: their geometric mean.
        """
        pooled = stat.pooled()
        dust = (DUST * np.abs(pooled.mean)) ** 2
        # A floor that underflows is no floor.
        constant = (pooled.variance <= dust) | (pooled.variance * FLOOR < np.finfo(np.float64).tiny)
        within = stat.scatter.sum(axis=0, keepdims=True) / np.maximum(pooled.n, 1e-300)
        # One row a group says nothing of the variance within: the column's own stands in for it.
        lone = (pooled.n <= (stat.n > 0).sum(axis=0)) & (within == 0)
        within = np.where(lone, pooled.variance, within)
        within = np.where(constant, 1.0, np.maximum(within, FLOOR * pooled.variance))
        if typical:
            narrower = np.maximum(_typical(stat, within), FLOOR * pooled.variance)
            within = np.where(constant | lone, within, narrower)
        total = np.where(constant, 1.0, pooled.variance)
        return cls(pooled.mean, pooled.mean_rest, total, within, constant)

    def is_of(self, columns: int) -> bool:
        """Whether this can be the spread of so many columns: what a file says is not believed before."""
        numbers = (self.mean, self.mean_rest, self.total, self.within)
        shaped = all(array.shape == (1, columns) for array in (*numbers, self.constant))
        return shaped and all(np.isfinite(n).all() for n in numbers) and bool((self.total > 0).all())

    @property
    def mean_worth(self) -> Floats:
        """How many rows the belief that a group's mean is the column's is worth, (1, d).

        So few that a mean may lie ten times as far off as the column varies in all, however little of that
        is within the groups: what is far away must not widen a group.
        """
        return np.asarray(WEAK * self.within / np.maximum(self.total, self.within))

    @property
    def floor(self) -> Floats:
        """The least variance of a group."""
        return FLOOR * self.total


def _typical(stat: Moments, within: Floats) -> Floats:
    """The geometric mean of the groups' variances, each with a row of the typical one, (1, d).

    The variance within all groups is that of the widest, beside which a narrow group that is looked for would
    lose its own. Of classes that are told it is the safer guess: measured on real tables, narrow ones are
    narrow by chance more often than not.
    """
    share = stat.n / np.maximum(stat.n.sum(axis=0), 1e-300)
    times = np.ones_like(within)  # the variance within: a ratio is the same in any unit, to the last bit
    for _ in range(PASSES):
        own = (stat.scatter / within + times) / (stat.n + 1)
        times = np.exp((share * np.log(own)).sum(axis=0, keepdims=True))
    return np.asarray(within * np.minimum(times, 1.0))
