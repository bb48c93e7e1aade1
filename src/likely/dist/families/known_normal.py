"""Normal distributions whose variance is known: what the basic linear classifier is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.families.normal import Normal
from likely.dist.prior import FLAT, Spread
from likely.dist.priors.known_variance import KnownVariance
from likely.stats.groups import Floats
from likely.stats.moments import Moments


@dataclass(frozen=True, init=False, eq=False, repr=False)
class KnownNormal(Normal):
    """A normal distribution of variance 1, or of another that its prior `KnownVariance` says.

    Default prior: none to speak of; the means are those of the data. A group without rows has the mean
    of the column.

    >>> KnownNormal.fit([1.0, 2.0, 6.0])
    Normal(mean=3.0, sd=1.0)
    >>> KnownNormal.fit([1.0, 2.0, 6.0], prior=KnownVariance(4.0, location=0, kappa=3))
    Normal(mean=1.5, sd=2.0)
    """

    name = "known_normal"
    conjugate = KnownVariance  # type: ignore[assignment]
    predicted_by = None  # it is a normal
    story = "a number, normal with the mean of the {group} and a known variance"

    @classmethod
    def ml(cls, stat: Moments) -> Normal:  # type: ignore[override]
        """The means, and variance 1."""
        column, seen = Spread.of(stat), stat.n > 0
        mean, rest = np.where(seen, (stat.mean, stat.mean_rest), np.stack([column.mean, column.mean_rest]))
        return Normal(mean, 1.0, rest)

    @classmethod
    def free_parameters(cls, stat: Moments) -> tuple[int, int]:
        """A mean for every column; the variance is known."""
        return int(stat.n.shape[1]), 0

    @classmethod
    def at(cls, prior: KnownVariance, parameters: Floats) -> Normal:  # type: ignore[override]
        """The normal of this mean."""
        return Normal(parameters, np.sqrt(prior.noise), prior.location_rest)

    @classmethod
    def predictive(cls, prior: KnownVariance) -> Normal:  # type: ignore[override]
        """The normal whose variance is the noise and what is not known of the mean."""
        return Normal(prior.location, np.sqrt(prior.noise * (1 + 1 / prior.kappa)), prior.location_rest)

    @classmethod
    def default_prior(  # type: ignore[override]
        cls, stat: Moments, strength: float = 1.0, hidden: bool = False
    ) -> KnownVariance:
        """Variance 1, and nothing known of the mean."""
        return cls.own_prior(KnownVariance(kappa=strength * FLAT), stat)

    @classmethod
    def own_prior(cls, prior: KnownVariance, stat: Moments) -> KnownVariance:
        """A belief worth nothing is put where the column is: a group without rows has no better mean."""
        column = Spread.of(stat)
        flat = prior.kappa <= FLAT * 1e6
        location = np.where(flat, column.mean, prior.location)
        rest = np.where(flat, column.mean_rest, prior.location_rest)
        return KnownVariance(prior.noise, location, prior.kappa, rest)
