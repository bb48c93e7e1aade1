"""The prior of a normal distribution's mean and variance."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import finite, positive, together
from likely.dist.numeric.logs import digamma, log, log_gamma, log_rising
from likely.dist.prior import CERTAIN, Prior
from likely.stats.groups import Floats, two_sum
from likely.stats.moments import Moments

LOG_2PI = float(np.log(2 * np.pi))
LARGEST = 1e300  # of what is drawn


@dataclass(frozen=True, init=False, eq=False, repr=False)
class NormalInverseGamma(Prior):
    """1/variance is Gamma(a, rate b); given it, the mean is Normal(location, variance / kappa).

    A value is a pair: x[..., 0] is the mean, x[..., 1] the variance.

    >>> stat = Moments(np.array([[2.0]]), np.array([[2.0]]), np.array([[2.0]]))
    >>> NormalInverseGamma(0, 1, 2, 1).posterior(stat).take((0, 0))
    NormalInverseGamma(location=1.3333333333333335, kappa=3.0, a=3.0, b=3.333333333333333)
    """

    event_axes = 1

    location: Floats
    kappa: Floats  # how many rows the belief about the mean is worth
    a: Floats
    b: Floats
    location_rest: Floats = field(repr=False)  # what rounding took from the location

    def __init__(
        self,
        location: ArrayLike,
        kappa: ArrayLike,
        a: ArrayLike,
        b: ArrayLike,
        location_rest: ArrayLike = 0.0,
    ) -> None:
        arrays = finite("location", location), positive("kappa", kappa), positive("a", a), positive("b", b)
        names = ("location", "kappa", "a", "b", "location_rest")
        self._set(**dict(zip(names, together(*arrays, finite("location_rest", location_rest)), strict=True)))

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """Any mean; a variance above 0."""
        allowed = np.array(np.isfinite(x))
        allowed[..., 1] &= x[..., 1] > 0
        return allowed

    def _log_prob(self, x: Floats) -> Floats:
        mean, variance = x[..., 0], x[..., 1]
        log_variance = self.a * np.log(self.b) - log_gamma(self.a)
        log_variance = log_variance - (self.a + 1) * np.log(variance) - self.b / variance
        z2 = self.kappa * (mean - self.location) ** 2 / variance
        return log_variance + 0.5 * (np.log(self.kappa) - LOG_2PI - np.log(variance) - z2)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            variance = np.minimum(self.b / rng.standard_gamma(self.a, shape), LARGEST)
        return np.stack([rng.normal(self.location, np.sqrt(variance / self.kappa)), variance], axis=-1)

    def entropy(self) -> Floats:
        """Of the mean and the variance together, in nats."""
        log_variance = np.log(self.b) - digamma(self.a)  # its expectation
        of_variance = self.a + np.log(self.b) + log_gamma(self.a) - (1 + self.a) * digamma(self.a)
        return np.asarray(of_variance + 0.5 * (LOG_2PI + 1 - np.log(self.kappa) + log_variance))

    @cached_property
    def mean(self) -> Floats:
        """Infinite for a variance with a <= 1."""
        with np.errstate(divide="ignore"):
            variance = np.where(self.a > 1, self.b / np.maximum(self.a - 1, 0), np.inf)
        return np.stack([self.location, variance], axis=-1)

    @cached_property
    def variance(self) -> Floats:
        """Infinite where a is too small: 1 for the mean, 2 for the variance."""
        expected = self.mean[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            of_variance = np.where(self.a > 2, expected**2 / np.maximum(self.a - 2, 0), np.inf)
        return np.stack([expected / self.kappa, of_variance], axis=-1)

    @property
    def mode(self) -> Floats:
        """Of the mean and the variance together."""
        return np.stack([self.location, self.b / (self.a + 1.5)], axis=-1)

    @property
    def finite_mean(self) -> Floats:
        """The expected mean and variance; the mode where a <= 1."""
        return np.where(self.a[..., None] > 1, self.mean, self.mode)

    def posterior(self, stat: Moments) -> NormalInverseGamma:
        """What is believed once the data are seen."""
        location, rest, kappa, between = pulled(self, stat)
        b = self.b + (stat.scatter + between) / 2
        return NormalInverseGamma(location, kappa, self.a + stat.n / 2, b, rest)

    def log_natural(self, mean: Floats, mean_rest: Floats, variance: Floats) -> Floats:
        """-(a - 1) log variance - (b + kappa / 2 (mean - location)^2) / variance; 0 of what is certain."""
        apart = (mean - self.location) + (mean_rest - self.location_rest)
        fall = (self.b + self.kappa / 2 * apart**2) / variance
        return np.where(self.kappa >= CERTAIN, 0.0, -(self.a - 1) * np.log(variance) - fall)

    def log_evidence(self, stat: Moments) -> Floats:
        """The log density of the values, mean and variance summed out."""
        seen = self.posterior(stat)
        half = stat.n / 2
        return np.asarray(
            log_rising(self.a, half)
            - self.a * log(seen.b / self.b)
            - half * (np.log(seen.b) + LOG_2PI)
            + 0.5 * np.log(self.kappa / seen.kappa)
        )


def pulled(prior: Any, stat: Moments) -> tuple[Floats, Floats, Floats, Floats]:
    """Where the data move what is believed of a mean: location, rest, kappa; and the squares that adds."""
    kappa = prior.kappa + stat.n
    # From the group's mean rather than a weighted sum of two: a shift of the data costs no digits.
    apart = (prior.location - stat.mean) + (prior.location_rest - stat.mean_rest)
    apart = np.where(stat.n > 0, apart, 0.0)
    moved = two_sum(stat.mean, stat.mean_rest + apart * (prior.kappa / kappa))
    own = np.broadcast_arrays(prior.location, prior.location_rest, kappa)[:2]
    location, rest = np.where(stat.n > 0, moved, own)
    return location, rest, kappa, apart**2 * (prior.kappa * stat.n / kappa)
