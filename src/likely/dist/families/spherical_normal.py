"""Normal distributions that share variances: all columns of a group, all groups of a column, or both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.families.normal import Normal
from likely.dist.predictive.multivariate_t import MultivariateT
from likely.dist.prior import FLOOR, WEAK, Spread
from likely.dist.priors.normal_inverse_gamma import LARGEST, NormalInverseGamma
from likely.dist.priors.shared_variance import SharedDiagonal, SharedSphere, SharedVariance
from likely.stats.groups import Floats
from likely.stats.moments import Moments


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SphericalNormal(Normal):
    """A normal distribution that varies by as much in every column of a group.

    The variance is that of the columns' own units: bring columns of different units to one first, as
    by `Whiten`.

    Default prior: the variance is believed, with the worth of `strength` rows of one column, to be the
    mean variance of the columns within the groups, and each mean to be that of its column, give or take ten
    times as much as the column varies in all.

    Maximum likelihood: the squared deviations of all columns over the number of cells, at least 1e-9
    of what they are around the columns' means; a group without rows has the means and the variance of all.
    """

    name = "spherical_normal"
    conjugate = SharedVariance  # type: ignore[assignment]
    predicted_by = MultivariateT
    story = "a number, normal with the mean of the {group} and one sd for all its columns"

    @classmethod
    def ml(cls, stat: Moments) -> Normal:  # type: ignore[override]
        """Means, and the mean squared deviation of all cells."""
        return balls(stat, stat.n.sum(axis=1, keepdims=True), stat.scatter.sum(axis=1, keepdims=True))

    @classmethod
    def free_parameters(cls, stat: Moments) -> tuple[int, int]:
        """A mean for every column, and one variance."""
        return int(stat.n.shape[1]) + 1, 0

    @classmethod
    def at(cls, prior: SharedVariance, parameters: Floats) -> Normal:  # type: ignore[override]
        """The normals of these means and this variance."""
        variance = np.clip(parameters[..., -1:], 1 / LARGEST, LARGEST)
        return Normal(parameters[..., :-1], np.sqrt(variance), prior.location_rest)

    @classmethod
    def predictive(cls, prior: SharedVariance) -> MultivariateT:  # type: ignore[override]
        """The multivariate t: that the variance is not known lets all columns stray together."""
        own = (prior.b / prior.a)[..., None] * (1 + 1 / prior.kappa)
        scale = own[..., None] * np.eye(prior.width)
        return MultivariateT(2 * prior.a, prior.location, scale, prior.location_rest)

    @classmethod
    def default_prior(  # type: ignore[override]
        cls, stat: Moments, strength: float = 1.0, hidden: bool = False
    ) -> SharedVariance:
        """Weak, and in the units of the data."""
        column, n = Spread.of(stat, typical=hidden), stat.n.sum(axis=0)
        varying = np.where(column.constant, 0.0, column.within)[0]
        # A column of which more is known says more of the variance.
        within = float(varying @ n / n.sum()) if n.any() else 0.0
        within = within if within > 0 else 1.0
        # As in `Spread.mean_worth`: what is far away must not widen a group.
        kappa = WEAK * strength * within / np.maximum(column.total[0], within)
        return SharedVariance(
            column.mean[0], kappa, 1 + strength / 2, within * strength / 2, column.mean_rest[0]
        )


def balls(stat: Moments, cells: Floats, scatter: Floats) -> Normal:
    """Normals of the groups' means; `cells` that share a variance, (g, 1), and their scatter say it."""
    column, total = Spread.of(stat), _mean_square(stat.pooled())
    own = np.divide(scatter, cells, out=np.zeros_like(cells), where=cells > 0)
    variance = np.where(cells > 0, np.maximum(own, FLOOR * total), total)
    mean, rest = np.where(stat.n > 0, (stat.mean, stat.mean_rest), np.stack([column.mean, column.mean_rest]))
    return Normal(mean, np.sqrt(variance), rest)


def _mean_square(pooled: Moments) -> Floats:
    """The variance of all cells around the means of their columns, (1, 1); 1 if there is none."""
    cells, scatter = pooled.n.sum(), pooled.scatter.sum()
    # A floor that underflows is no floor.
    some = cells > 0 and scatter / cells * FLOOR > np.finfo(np.float64).tiny
    return np.full((1, 1), scatter / cells if some else 1.0)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class TiedDiagonalNormal(Normal):
    """A normal distribution with a mean for each group, and for each column one variance for all groups.

    The log-odds between groups are linear. Default prior, floors and constant columns are those of
    `Normal`; the worth of `strength` rows is believed of the one variance of a column, not of each group's.

    Maximum likelihood: the squared deviations from the groups' own means, over the rows of all groups.
    """

    name = "tied_diagonal_normal"
    named_prior = SharedDiagonal
    story = "a number, normal with the mean of the {group} and one sd for all"

    @classmethod
    def ml(cls, stat: Moments) -> Normal:  # type: ignore[override]
        """Means, and the pooled variance within the groups, floored."""
        column = Spread.of(stat)
        n, scatter = stat.n.sum(axis=0, keepdims=True), stat.scatter.sum(axis=0, keepdims=True)
        within = np.maximum(scatter / np.where(n > 0, n, 1.0), column.floor)
        variance = np.where(column.constant, column.total, within)
        seen = (stat.n > 0) & ~column.constant
        mean, rest = np.where(seen, (stat.mean, stat.mean_rest), np.stack([column.mean, column.mean_rest]))
        return Normal(mean, np.sqrt(variance), rest)

    @classmethod
    def free_parameters(cls, stat: Moments) -> tuple[int, int]:
        """A mean for every column of a group; a variance for every column."""
        return int(stat.n.shape[1]), int(stat.n.shape[1])

    @classmethod
    def default_prior(cls, stat: Moments, strength: float = 1.0, hidden: bool = False) -> SharedDiagonal:
        """Weak, and in the units of the data; certain where the column is constant."""
        return cls.own_prior(super().default_prior(stat, strength, hidden), stat)

    @classmethod
    def own_prior(cls, prior: NormalInverseGamma, stat: Moments) -> SharedDiagonal:
        """What is believed of the mean and variance of a group, the variance being that of all groups."""
        return SharedDiagonal(prior.location, prior.kappa, prior.a, prior.b, prior.location_rest)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class TiedSphericalNormal(Normal):
    """A normal distribution that varies by as much in every column of every group.

    The log-odds between groups are linear: but for base rates, the nearest mean wins. Default prior and
    floor are those of `SphericalNormal`, of the one variance.

    Maximum likelihood: the squared deviations from the groups' own means, over the cells of all groups.
    """

    name = "tied_spherical_normal"
    conjugate = SharedVariance  # type: ignore[assignment]
    named_prior = SharedSphere
    predicted_by = MultivariateT
    story = "a number, normal with the mean of the {group} and one sd for all columns and every {group}"

    @classmethod
    def ml(cls, stat: Moments) -> Normal:  # type: ignore[override]
        """Means, and the mean squared deviation of all cells of all groups."""
        one = len(stat.n), 1
        return balls(stat, np.full(one, stat.n.sum()), np.full(one, stat.scatter.sum()))

    @classmethod
    def free_parameters(cls, stat: Moments) -> tuple[int, int]:
        """A mean for every column of a group; one variance."""
        return int(stat.n.shape[1]), 1

    @classmethod
    def at(cls, prior: SharedVariance, parameters: Floats) -> Normal:  # type: ignore[override]
        """The normals of these means and this variance."""
        return SphericalNormal.at(prior, parameters)

    @classmethod
    def predictive(cls, prior: SharedVariance) -> MultivariateT:  # type: ignore[override]
        """The multivariate t, as of a `SphericalNormal`."""
        return SphericalNormal.predictive(prior)

    @classmethod
    def default_prior(  # type: ignore[override]
        cls, stat: Moments, strength: float = 1.0, hidden: bool = False
    ) -> SharedSphere:
        """Weak, and in the units of the data."""
        return cls.own_prior(SphericalNormal.default_prior(stat, strength, hidden), stat)

    @classmethod
    def own_prior(cls, prior: SharedVariance, stat: Moments) -> SharedSphere:
        """What is believed of the means and variance of a group, the variance being that of all groups."""
        return SharedSphere(prior.location, prior.kappa, prior.a, prior.b, prior.location_rest)
