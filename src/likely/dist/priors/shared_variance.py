"""The priors of normal distributions that share variances: of columns, of groups, or of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import finite, positive
from likely.dist.numeric.logs import digamma, log, log_gamma, log_rising
from likely.dist.prior import CERTAIN, Prior
from likely.dist.priors.normal_inverse_gamma import LARGEST, LOG_2PI, NormalInverseGamma, pulled
from likely.stats.groups import Floats
from likely.stats.moments import Moments


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SharedVariance(Prior):
    """1/variance is Gamma(a, rate b); given it, column j has mean Normal(location_j, variance / kappa_j).

    A value is d + 1 numbers: the means, and after them the variance. Of one column it is a
    `NormalInverseGamma`.

    >>> stat = Moments(np.array([[2.0]]), np.array([[2.0]]), np.array([[2.0]]))
    >>> SharedVariance([0], 1, 2, 1).posterior(stat).take(0)
    SharedVariance(location=array([1.33333333]), kappa=array([3.]), a=3.0, b=3.333333333333333)
    """

    parameter_axes = 1
    event_axes = 1

    location: Floats  # (..., d)
    kappa: Floats  # (..., d): how many rows the belief about each mean is worth
    a: Floats  # (...)
    b: Floats  # (...)
    location_rest: Floats = field(repr=False)  # (..., d) what rounding took from the location

    def __init__(
        self,
        location: ArrayLike,
        kappa: ArrayLike,
        a: ArrayLike,
        b: ArrayLike,
        location_rest: ArrayLike = 0.0,
    ) -> None:
        centre, worth = finite("location", location), positive("kappa", kappa)
        shape, rate = positive("a", a), positive("b", b)
        batch = np.broadcast_shapes(centre.shape[:-1], shape.shape, rate.shape)
        whole = (*batch, centre.shape[-1])
        self._set(
            location=np.broadcast_to(centre, whole),
            kappa=np.broadcast_to(worth, whole),
            a=np.broadcast_to(shape, batch),
            b=np.broadcast_to(rate, batch),
            location_rest=np.broadcast_to(finite("location_rest", location_rest), whole),
        )

    @property
    def width(self) -> int:
        """The number d of columns."""
        return int(self.location.shape[-1])

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """Any means; a variance above 0."""
        allowed = np.array(np.isfinite(x))
        allowed[..., -1] &= x[..., -1] > 0
        return allowed

    def _log_prob(self, x: Floats) -> Floats:
        means, variance = x[..., :-1], x[..., -1]
        log_variance = self.a * np.log(self.b) - log_gamma(self.a)
        log_variance = log_variance - (self.a + 1) * np.log(variance) - self.b / variance
        z2 = (self.kappa * (means - self.location) ** 2).sum(axis=-1) / variance
        heights = np.log(self.kappa).sum(axis=-1) - self.width * (LOG_2PI + np.log(variance))
        return np.asarray(log_variance + 0.5 * (heights - z2))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            variance = np.minimum(self.b / rng.standard_gamma(self.a, shape), LARGEST)[..., None]
        means = rng.normal(self.location, np.sqrt(variance / self.kappa), (*shape, self.width))
        return np.concatenate([means, variance], axis=-1)

    def entropy(self) -> Floats:
        """Of the means and the variance together, in nats."""
        log_variance = np.log(self.b) - digamma(self.a)  # its expectation
        of_variance = self.a + np.log(self.b) + log_gamma(self.a) - (1 + self.a) * digamma(self.a)
        means = self.width * (LOG_2PI + 1 + log_variance) - np.log(self.kappa).sum(axis=-1)
        return np.asarray(of_variance + 0.5 * means)

    def _with_variance(self, variance: Floats) -> Floats:
        return np.concatenate([self.location, variance[..., None]], axis=-1)

    @cached_property
    def mean(self) -> Floats:
        """Infinite for a variance with a <= 1."""
        with np.errstate(divide="ignore"):
            variance = np.where(self.a > 1, self.b / np.maximum(self.a - 1, 0), np.inf)
        return self._with_variance(variance)

    @cached_property
    def variance(self) -> Floats:
        """Infinite where a is too small: 1 for the means, 2 for the variance."""
        expected = self.mean[..., -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            of_variance = np.where(self.a > 2, expected**2 / np.maximum(self.a - 2, 0), np.inf)
        return np.concatenate([expected[..., None] / self.kappa, of_variance[..., None]], axis=-1)

    @property
    def mode(self) -> Floats:
        """Of the means and the variance together."""
        return self._with_variance(self.b / (self.a + 1 + self.width / 2))

    def posterior(self, stat: Moments) -> SharedVariance:
        """What is believed once the data are seen."""
        location, rest, kappa, between = pulled(self, stat)
        b = self.b + (stat.scatter + between).sum(axis=-1) / 2
        return SharedVariance(location, kappa, self.a + stat.n.sum(axis=-1) / 2, b, rest)

    @property
    def finite_mean(self) -> Floats:
        """The expected means and variance; the mode where a <= 1."""
        return np.where(self.a[..., None] > 1, self.mean, self.mode)

    def log_natural(self, mean: Floats, mean_rest: Floats, variance: Floats) -> Floats:
        """-(a - 1) log variance - (b + sum of kappa_j / 2 (mean_j - location_j)^2) / variance."""
        apart, one = (mean - self.location) + (mean_rest - self.location_rest), variance[..., 0]
        fall = (self.b + (self.kappa * apart**2).sum(axis=-1) / 2) / one
        return np.asarray(-(self.a - 1) * np.log(one) - fall)

    def log_evidence(self, stat: Moments) -> Floats:
        """The log density of the values, means and variance summed out, (g,)."""
        seen = self.posterior(stat)
        half = stat.n.sum(axis=-1) / 2
        return np.asarray(
            log_rising(self.a, half)
            - self.a * log(seen.b / self.b)
            - half * (np.log(seen.b) + LOG_2PI)
            + 0.5 * np.log(self.kappa / seen.kappa).sum(axis=-1)
        )


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SharedDiagonal(NormalInverseGamma):
    """One variance a column, inverse gamma(a, b); given it, the groups' means are independent and normal.

    What it says of any one group is a `NormalInverseGamma`; a and b are the same in all groups.

    >>> stat = Moments(np.array([[2.0], [3.0]]), np.array([[2.0], [5.0]]), np.array([[1.0], [3.0]]))
    >>> SharedDiagonal(3, 1, 2, 1).posterior(stat).b
    array([[4.83333333],
           [4.83333333]])
    """

    @property
    def _groups(self) -> int:
        return self.batch[0] if self.batch else 1

    def posterior(self, stat: Moments) -> SharedDiagonal:
        """What is believed once the data are seen: the scatter of all groups tells of the variance."""
        location, rest, kappa, between = pulled(self, stat)
        b = self.b + (stat.scatter + between).sum(axis=0, keepdims=True) / 2
        return SharedDiagonal(location, kappa, self.a + stat.n.sum(axis=0, keepdims=True) / 2, b, rest)

    @property
    def mode(self) -> Floats:
        """Of all means and the variance together."""
        return np.stack([self.location, self.b / (self.a + 1 + self._groups / 2)], axis=-1)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        if len(self.batch) < 2:
            return super()._draw(rng, shape)
        one = (*shape[:-2], 1, shape[-1])  # the same in every group
        with np.errstate(divide="ignore", over="ignore"):
            variance = np.minimum(self.b[:1] / rng.standard_gamma(self.a[:1], one), LARGEST)
        variance = np.broadcast_to(variance, shape)
        return np.stack([rng.normal(self.location, np.sqrt(variance / self.kappa)), variance], axis=-1)

    def log_natural(self, mean: Floats, mean_rest: Floats, variance: Floats) -> Floats:
        """As of a `NormalInverseGamma`, the variance counted once: in equal shares by the groups."""
        apart = (mean - self.location) + (mean_rest - self.location_rest)
        shared = -(self.a - 1) * np.log(variance) - self.b / variance
        own = self.kappa / 2 * apart**2 / variance
        return np.where(self.kappa >= CERTAIN, 0.0, shared / len(mean) - own)

    def log_evidence(self, stat: Moments) -> Floats:
        """The log density of the values of all groups together, means and variances summed out, (1, d)."""
        seen, half = self.posterior(stat), stat.n.sum(axis=0, keepdims=True) / 2
        a, b = (np.broadcast_to(x, seen.batch)[:1] for x in (self.a, self.b))
        return np.asarray(
            log_rising(a, half)
            - a * log(seen.b[:1] / b)
            - half * (np.log(seen.b[:1]) + LOG_2PI)
            + 0.5 * np.log(self.kappa / seen.kappa).sum(axis=0, keepdims=True)
        )


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SharedSphere(SharedVariance):
    """One variance, inverse gamma(a, b); given it, all means of all groups are independent and normal.

    What it says of any one group is a `SharedVariance`; a and b are the same in all groups.

    >>> stat = Moments(np.array([[2.0], [3.0]]), np.array([[2.0], [5.0]]), np.array([[1.0], [3.0]]))
    >>> SharedSphere([3], 1, 2, 1).posterior(stat).b
    array([4.83333333, 4.83333333])
    """

    def posterior(self, stat: Moments) -> SharedSphere:
        """What is believed once the data are seen: every cell tells of the variance."""
        location, rest, kappa, between = pulled(self, stat)
        b = self.b + (stat.scatter + between).sum() / 2
        return SharedSphere(location, kappa, self.a + stat.n.sum() / 2, b, rest)

    @property
    def mode(self) -> Floats:
        """Of all means and the variance together."""
        means = self.width * (self.batch[0] if self.batch else 1)
        return self._with_variance(self.b / (self.a + 1 + means / 2))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        if not self.batch:
            return super()._draw(rng, shape)
        with np.errstate(divide="ignore", over="ignore"):
            variance = np.minimum(self.b[0] / rng.standard_gamma(self.a[0], (*shape[:-1], 1, 1)), LARGEST)
        variance = np.broadcast_to(variance, (*shape, 1))  # the same in every group
        means = rng.normal(self.location, np.sqrt(variance / self.kappa), (*shape, self.width))
        return np.concatenate([means, variance], axis=-1)

    def log_natural(self, mean: Floats, mean_rest: Floats, variance: Floats) -> Floats:
        """As of a `SharedVariance`, the variance counted once: in equal shares by the groups."""
        apart, one = (mean - self.location) + (mean_rest - self.location_rest), variance[..., 0]
        own = (self.kappa * apart**2).sum(axis=-1) / 2 / one
        shared = -(self.a - 1) * np.log(one) - self.b / one
        return np.asarray(shared / len(mean) - own)

    def log_evidence(self, stat: Moments) -> Floats:
        """The log density of the values of all groups together, means and variance summed out, (1,)."""
        seen, half = self.posterior(stat), stat.n.sum() / 2
        a, b = (np.broadcast_to(x, seen.batch)[:1] for x in (self.a, self.b))
        return np.asarray(
            log_rising(a, half)
            - a * log(seen.b[:1] / b)
            - half * (np.log(seen.b[:1]) + LOG_2PI)
            + 0.5 * np.log(self.kappa / seen.kappa).sum()
        )
