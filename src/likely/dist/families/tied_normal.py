"""Multivariate normal distributions with one covariance: the boundaries between groups are linear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from likely.dist.elliptical import SecondMoments, conditioned
from likely.dist.families.multivariate_normal import MultivariateNormal
from likely.dist.prior import Prior
from likely.dist.priors.normal_inverse_wishart import NormalInverseWishart, SharedCovariance
from likely.errors import LikelyError
from likely.stats.groups import Floats
from likely.stats.pooled_scatter import Within
from likely.stats.scatter import Scatter


class Tied:
    """What makes a family of normals one with a single covariance, whatever statistic it goes by."""

    name: ClassVar[str]
    story = "together, normal with the mean of the {group} and one covariance for all"

    @classmethod
    def free_parameters(cls, stat: SecondMoments) -> tuple[int, int]:
        """The means of each group; one covariance for all."""
        d = int(stat.mean.shape[1])
        return d, d * (d + 1) // 2

    @classmethod
    def conjugates(cls) -> tuple[type[Prior], ...]:
        """A `NormalInverseWishart` is taken for what is believed of the one covariance."""
        return (SharedCovariance, NormalInverseWishart)

    @classmethod
    def at(cls, prior: NormalInverseWishart, parameters: Floats) -> TiedNormal:
        """The normals of these means and this covariance."""
        return TiedNormal(parameters[..., 0], conditioned(parameters[..., 1:]), prior.location_rest)

    @classmethod
    def own_prior(cls, prior: NormalInverseWishart, stat: SecondMoments) -> NormalInverseWishart:
        """The prior of the one covariance."""
        if prior.batch and not isinstance(prior, SharedCovariance):
            raise LikelyError(
                f"prior=NormalInverseWishart(...) of {prior.batch[0]} groups: {cls.name} has one covariance "
                "for all. Give one without groups, or a SharedCovariance."
            )
        return SharedCovariance.of(prior)

    @classmethod
    def _own_statistic(cls, stat: Scatter) -> Within:
        return Within.of(stat)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class TiedNormal(Tied, MultivariateNormal):
    """The normal distribution of d columns, with a mean for each group and one covariance for all.

    Default prior, floors and constant columns are those of `MultivariateNormal`; the worth of `strength`
    rows is believed of the one covariance, not of each group's.

    >>> TiedNormal.fit([[0, 0], [2, 0], [0, 2], [2, 2]], prior=None).covariance
    array([[1., 0.],
           [0., 1.]])
    """

    name = "tied_normal"
    statistic = Within  # type: ignore[assignment]
    conjugate = SharedCovariance
