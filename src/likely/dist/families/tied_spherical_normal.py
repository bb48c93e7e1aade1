"""Normal distributions that have one variance in all columns and all groups: balls of one size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.families.normal import Normal
from likely.dist.families.spherical_normal import SphericalNormal, balls
from likely.dist.predictive.multivariate_t import MultivariateT
from likely.dist.priors.shared_sphere import SharedSphere
from likely.dist.priors.shared_variance import SharedVariance
from likely.stats.groups import Floats
from likely.stats.moments import Moments


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
