"""The prior of a normal distribution's mean when its variance is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import finite, positive, together
from likely.dist.prior import FLAT, Prior
from likely.dist.priors.normal_inverse_gamma import LOG_2PI
from likely.stats.groups import Floats, two_sum
from likely.stats.moments import Moments


@dataclass(frozen=True, init=False, eq=False, repr=False)
class KnownVariance(Prior):
    """Values vary around their mean by a known variance; the mean is Normal(location, noise / kappa).

    noise: the known variance of the values, one for all columns or one for each. kappa: how many rows the
    belief about the mean is worth; by default so little that the mean is that of the data.

    >>> stat = Moments(np.array([[2.0]]), np.array([[2.0]]), np.array([[2.0]]))
    >>> KnownVariance(9.0).posterior(stat).take((0, 0))
    KnownVariance(noise=9.0, location=2.0, kappa=2.0)
    """

    noise: Floats
    location: Floats
    kappa: Floats
    location_rest: Floats = field(repr=False)  # what rounding took from the location

    def __init__(
        self,
        noise: ArrayLike = 1.0,
        location: ArrayLike = 0.0,
        kappa: ArrayLike = FLAT,
        location_rest: ArrayLike = 0.0,
    ) -> None:
        arrays = positive("noise", noise), finite("location", location), positive("kappa", kappa)
        names = ("noise", "location", "kappa", "location_rest")
        self._set(**dict(zip(names, together(*arrays, finite("location_rest", location_rest)), strict=True)))

    def _log_prob(self, x: Floats) -> Floats:
        apart = (x - self.location) - self.location_rest
        return np.asarray(-0.5 * (LOG_2PI + np.log(self.variance) + apart**2 / self.variance))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.normal(self.location, self.sd, shape)

    def entropy(self) -> Floats:
        """Of the mean, in nats."""
        return np.asarray(0.5 * (1 + LOG_2PI + np.log(self.variance)))

    @cached_property
    def mean(self) -> Floats:
        """The expected mean."""
        return self.location

    @cached_property
    def variance(self) -> Floats:
        """How far the mean is from being known; not how far values vary around it."""
        return np.asarray(self.noise / self.kappa)

    @property
    def mode(self) -> Floats:
        """The expected mean is the most probable one."""
        return self.location

    def posterior(self, stat: Moments) -> KnownVariance:
        """What is believed once the data are seen."""
        kappa = self.kappa + stat.n
        # From the group's mean rather than a weighted sum of two: a shift of the data costs no digits.
        apart = np.where(stat.n > 0, self._apart(stat), 0.0)
        moved = two_sum(stat.mean, stat.mean_rest + apart * (self.kappa / kappa))
        own = np.broadcast_arrays(self.location, self.location_rest, kappa)[:2]
        location, rest = np.where(stat.n > 0, moved, own)
        return KnownVariance(self.noise, location, kappa, rest)

    def _apart(self, stat: Moments) -> Floats:
        return np.asarray((self.location - stat.mean) + (self.location_rest - stat.mean_rest))

    def log_natural(self, mean: Floats, mean_rest: Floats, variance: Floats) -> Floats:
        """-kappa / 2 (mean - location)^2 / noise."""
        apart = (mean - self.location) + (mean_rest - self.location_rest)
        return np.asarray(-0.5 * self.kappa * apart**2 / self.noise)

    def log_evidence(self, stat: Moments) -> Floats:
        """The log density of the values, the mean summed out."""
        kappa = self.kappa + stat.n
        between = np.where(stat.n > 0, self._apart(stat), 0.0) ** 2 * (self.kappa * stat.n / kappa)
        fall = (stat.scatter + between) / self.noise
        return np.asarray(
            -0.5 * (stat.n * (LOG_2PI + np.log(self.noise)) + np.log(kappa / self.kappa) + fall)
        )
