"""The multivariate normal distribution: columns that vary together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import short
from likely.dist.elliptical import Elliptical
from likely.dist.family import Family
from likely.dist.matrices import around, conditioned
from likely.dist.normal_inverse_gamma import LOG_2PI
from likely.dist.normal_inverse_wishart import NormalInverseWishart
from likely.dist.parameters import finite
from likely.dist.spread import Spread
from likely.stats.groups import Floats
from likely.stats.moments import Moments
from likely.stats.scatter import Scatter
from likely.table.kinds import Kind


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MultivariateNormal(Elliptical, Family):
    """The normal distribution of d columns with this mean (d,) and covariance (d, d).

    Default prior: normal-inverse-Wishart, in the units of the data. The covariance is believed, with
    the worth of `strength` rows, to be diagonal with the variances within the groups, and the mean, with a
    hundredth of that, to be the mean of the columns. The expected covariance is (strength * diagonal +
    scatter + ...) / (strength + n). A constant column counts as having variance 1 and the same
    mean in every group.

    Maximum likelihood: variances are at least 1e-9 of the column's, and where columns determine each
    other 1e-9 of the variances is added to them; a group without rows has mean and covariance of all.

    >>> MultivariateNormal.fit([[0, 0], [2, 0], [0, 2], [2, 2]], prior=None).covariance
    array([[1., 0.],
           [0., 1.]])
    """

    name = "multivariate_normal"
    kinds = (Kind.QUANTITATIVE,)
    joint = True
    statistic = Scatter
    conjugate = NormalInverseWishart

    mean: Floats  # (..., d)
    covariance: Floats  # (..., d, d)
    mean_rest: Floats = field(repr=False)  # (..., d) what rounding took from the mean

    def __init__(self, mean: ArrayLike, covariance: ArrayLike, mean_rest: ArrayLike = 0.0) -> None:
        centre, matrix = around(finite("mean", mean), "covariance", finite("covariance", covariance))
        rest = np.broadcast_to(finite("mean_rest", mean_rest), centre.shape)
        self._set(mean=centre, covariance=matrix, mean_rest=rest)

    @classmethod
    def ml(cls, stat: Scatter) -> MultivariateNormal:
        """Mean and scatter / n, floored."""
        stat = cls.steady(stat)
        column, pooled = _spread(stat), stat.pooled()
        whole = pooled.covariance[0] if pooled.n[0] > 0 else np.eye(stat.mean.shape[1])
        seen = (stat.n > 0)[:, None]
        covariance = np.where(seen[..., None], stat.covariance, whole)
        variances = np.diagonal(covariance, axis1=-2, axis2=-1)
        lacking = np.maximum(column.floor - variances, 0)
        covariance = covariance + np.eye(stat.mean.shape[1]) * lacking[:, None, :]
        mean, rest = np.where(
            seen, (stat.mean, stat.mean_rest), np.stack([column.mean, column.mean_rest])
        )
        return cls(mean, conditioned(covariance), rest)

    @property
    def _centre(self) -> Floats:
        return self.mean

    @property
    def _centre_rest(self) -> Floats:
        return self.mean_rest

    @property
    def _matrix(self) -> Floats:
        return self.covariance

    def _slope(self, q: Floats, width: int) -> Floats:
        return np.asarray(-0.5)

    def _log_height(self, log_det: Floats, width: int) -> Floats:
        return -0.5 * (width * LOG_2PI + log_det)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return self.mean + self._draw_apart(rng, shape)

    @cached_property
    def variance(self) -> Floats:
        """Of each column."""
        return np.diagonal(self.covariance, axis1=-2, axis2=-1)

    def entropy(self) -> Floats:
        """In nats."""
        width = self.mean.shape[-1]
        return np.asarray(width / 2 - self._log_height(self._factor.log_det, width))[()]

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "mean 38.2, sd 13.6"."""
        return f"mean {short(self.mean[group, column])}, sd {short(self.sd[group, column])}"

    @classmethod
    def default_prior(cls, stat: Scatter, strength: float = 1.0) -> NormalInverseWishart:
        """Weak, and in the units of the data."""
        column, width = _spread(stat), stat.mean.shape[1]
        scale = np.diag(strength * column.within[0])
        worth, df = 0.01 * strength, width + 1 + strength
        return NormalInverseWishart(column.mean[0], worth, df, scale, column.mean_rest[0])

    @classmethod
    def steady(cls, stat: Scatter) -> Scatter:
        """The statistic as if constant columns had variance 1 and went with no other."""
        column = _spread(stat)
        if not column.constant.any():
            return stat
        varying = ~column.constant[0]
        scatter = stat.scatter * (varying[:, None] & varying)
        scatter = scatter + np.diag(1.0 * ~varying) * stat.n[:, None, None]
        own = varying | (stat.n == 0)[:, None]
        rest = np.where(own, stat.mean_rest, column.mean_rest)
        return Scatter(stat.n, np.where(own, stat.mean, column.mean), scatter, rest)


def _spread(stat: Scatter) -> Spread:
    n = np.broadcast_to(stat.n[:, None], stat.mean.shape)
    return Spread.of(Moments(n, stat.mean, np.diagonal(stat.scatter, axis1=-2, axis2=-1), stat.mean_rest))
