"""How much a column varies, over all groups and within them: the unit in which its floors are set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats
from likely.stats.moments import Moments

FLOOR = 1e-9  # of the column's variance: no group's variance is taken to be less
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
    def of(cls, stat: Moments) -> Spread:
        """A column is constant if it varies no more than rounding does, or if nothing was seen of it."""
        pooled = stat.pooled()
        dust = (DUST * np.abs(pooled.mean)) ** 2
        # A floor that underflows is no floor.
        constant = (pooled.variance <= dust) | (pooled.variance * FLOOR < np.finfo(np.float64).tiny)
        within = stat.scatter.sum(axis=0, keepdims=True) / np.maximum(pooled.n, 1e-300)
        # One row a group says nothing of the variance within: the column's own stands in for it.
        lone = (pooled.n <= (stat.n > 0).sum(axis=0)) & (within == 0)
        within = np.where(lone, pooled.variance, within)
        return cls(
            pooled.mean,
            pooled.mean_rest,
            np.where(constant, 1.0, pooled.variance),
            np.where(constant, 1.0, np.maximum(within, FLOOR * pooled.variance)),
            constant,
        )

    @property
    def floor(self) -> Floats:
        """The least variance of a group."""
        return FLOOR * self.total
