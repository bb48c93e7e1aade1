"""Covariances drawn towards a ball: fewer directions are believed in than the data show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.dist.elliptical import SecondMoments
from likely.dist.prior import FLAT, FLOOR, Spread
from likely.errors import LikelyError
from likely.stats.groups import Floats

ALL = 2.0**60  # rows for each one seen: beside them the seen ones are nothing, to the last bit


@dataclass(frozen=True)
class Shrinkage:
    """(1 - amount) * covariance + amount * mean variance * identity: given where a prior is.

    As a prior it is one worth amount / (1 - amount) times as many rows as were seen, and that knows
    nothing of the means.

    amount: from 0, the maximum-likelihood covariance, to 1, no correlation at all. standardise: whether
    columns are first measured in their own sds within the groups, so that their units do not matter.
    Without it the identity is that of the raw columns, as in scikit-learn's `shrinkage=`.

    >>> from likely.dist import MultivariateNormal
    >>> rows = [[0, 0], [2, 40], [0, 20], [2, 60]]
    >>> MultivariateNormal.fit(rows, prior=Shrinkage(0.5)).covariance
    array([[  1.,  10.],
           [ 10., 500.]])
    >>> MultivariateNormal.fit(rows, prior=Shrinkage(0.5, standardise=False)).covariance
    array([[125.75,  10.  ],
           [ 10.  , 375.25]])
    """

    amount: float
    standardise: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.amount <= 1:
            raise LikelyError(f"amount={self.amount!r}: give a share from 0 to 1.")

    def prior(self, family: Any, stat: SecondMoments, column: Spread) -> Any:
        """The prior of a family of joint normals that shrinks so; None if there is nothing to shrink."""
        if self.amount == 0:
            return None
        units = np.sqrt(column.within[0]) if self.standardise else np.ones(stat.mean.shape[1])
        rows = self.amount / (1 - self.amount) if self.amount < 1 else ALL
        return towards_balls(family, stat, column, units, rows * np.maximum(stat.scatter_n, 1.0))


def towards_balls(family: Any, stat: SecondMoments, column: Spread, units: Floats, rows: Floats) -> Any:
    """The prior, worth so many rows for each covariance, that all are balls in these units (d,)."""
    groups, d = stat.mean.shape
    variances = np.diagonal(stat.covariance, axis1=-2, axis2=-1)
    # Of a covariance nothing may have been seen: then the columns vary as they do within the others.
    variances = np.where((stat.scatter_n > 0)[:, None], np.maximum(variances, column.floor), column.within)
    # A constant column has the same variance in all groups, so that it is never evidence.
    varying = ~column.constant[0]
    mean = np.mean(variances / units**2, axis=1, where=varying) if varying.any() else np.ones(len(variances))
    ball = np.where(varying, mean[:, None] * units**2, 1.0)
    # Never so few that collinear columns would leave a covariance singular.
    rows = np.maximum(rows, FLOOR * np.maximum(stat.scatter_n, 1.0))
    return family.conjugate(
        np.broadcast_to(column.mean[0], (groups, d)),
        np.where(stat.n > 0, FLAT, 1.0),
        d + 1 + rows,
        (rows[:, None] * ball)[:, :, None] * np.eye(d),
        column.mean_rest[0],
    )
