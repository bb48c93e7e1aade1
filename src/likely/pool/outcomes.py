"""What a pool predicts of a number: a distribution for each row, within the support of what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import short
from likely.dist.numeric.logs import special
from likely.dist.univariate import Ends, Univariate

Floats = NDArray[np.float64]

STRENGTH = 2.0  # errors of a background that are added to those seen
TAIL = 4.0  # its degrees of freedom
QUANTILES = 99  # of errors at which the distribution is known exactly
STEPS = 81  # and places evenly apart
POINTS = 512  # quantiles that moments are taken over


@dataclass(frozen=True)
class OutcomeSupport:
    """Between which numbers outcomes lie, and whether they are whole."""

    low: float
    high: float
    whole: bool

    @classmethod
    def of(cls, values: Floats) -> OutcomeSupport:
        """Of numbers that were seen: nothing below 0 if nothing was, though 0 was near; no greatest is known.

        >>> OutcomeSupport.of(np.array([0.5, 2.5, 7.0])), OutcomeSupport.of(np.array([980.0, 1020.0]))
        (OutcomeSupport(low=0.0, high=inf, whole=False), OutcomeSupport(low=-inf, high=inf, whole=True))
        """
        least, most = float(values.min()), float(values.max())
        whole = bool((np.floor(values) == values).all() and max(abs(least), abs(most)) < 2**52)
        return cls(0.0 if 0 <= least <= most - least else -np.inf, np.inf, whole)

    def kept(self, values: Floats) -> Floats:
        """Numbers brought to the nearest that may be expected."""
        return np.clip(values, self.low, self.high)


@dataclass(frozen=True)
class ErrorShape:
    """How errors are distributed, in units of their size: straight pieces of a distribution function.

    Beyond the first and the last knot the tails fall exponentially.
    """

    knots: Floats  # (k,), rising
    shares: Floats  # (k,), P(error <= knot), rising
    tails: Floats  # (2,), the rates of the left and the right tail

    @classmethod
    def learn(cls, errors: Floats, weight: Floats) -> ErrorShape:
        """A bump over every error, and a t distribution beside them that is worth two."""
        total = float(weight.sum())
        order = np.argsort(errors, kind="stable")
        seen = np.cumsum(weight[order]) / total
        quarters = errors[order][np.minimum(np.searchsorted(seen, [0.25, 0.75]), len(errors) - 1)]
        sd = max(float(np.sqrt(weight @ errors**2 / total)), 1e-9)
        spread = min(sd, float(quarters[1] - quarters[0]) / 1.349) or sd
        width = max(0.9 * spread * max(total, 2.0) ** -0.2, 1e-3 * sd)
        at = (np.arange(QUANTILES) + 0.5) / QUANTILES
        cut = errors[order][np.minimum(np.searchsorted(seen, at), len(errors) - 1)]
        ends = np.array([errors.min() - 3 * width, errors.max() + 3 * width])
        knots = np.unique(np.concatenate([cut, np.linspace(-4, 4, STEPS) * spread, ends]))
        apart = np.concatenate([[True], np.diff(knots) > 1e-3 * width])
        knots = knots[apart]
        behind = STRENGTH / (total + STRENGTH)
        shares, density = np.empty(len(knots)), np.empty(len(knots))
        for i, knot in enumerate(knots):
            z = (knot - errors) / width
            shares[i] = (1 - behind) * float(weight @ special("ndtr", z)) / total
            density[i] = (
                (1 - behind) * float(weight @ np.exp(-0.5 * z * z)) / total / width / np.sqrt(2 * np.pi)
            )
        shares += behind * special("stdtr", TAIL, knots / spread)
        density += behind * 0.375 / spread * (1 + (knots / spread) ** 2 / TAIL) ** -2.5  # t with 4 degrees
        tails = np.array([density[0] / shares[0], density[-1] / max(1 - shares[-1], 1e-300)])
        return cls(knots, shares, tails)

    @property
    def slopes(self) -> Floats:
        """The density between knots, (k - 1,)."""
        return np.diff(self.shares) / np.diff(self.knots)

    def cdf(self, z: Floats) -> Floats:
        """P(error <= z)."""
        low = self.shares[0] * np.exp(self.tails[0] * np.minimum(z - self.knots[0], 0.0))
        inner = np.interp(z, self.knots, self.shares)
        return np.where(z < self.knots[0], low, np.where(z > self.knots[-1], 1 - self.sf(z), inner))

    def sf(self, z: Floats) -> Floats:
        """P(error > z)."""
        rest = 1 - self.shares[-1]
        high = rest * np.exp(-self.tails[1] * np.maximum(z - self.knots[-1], 0.0))
        return np.where(z > self.knots[-1], high, 1 - np.interp(z, self.knots, self.shares) + self._below(z))

    def _below(self, z: Floats) -> Floats:
        """What the left tail has beyond z, taken from its end: 0 elsewhere."""
        low = self.shares[0] * (1 - np.exp(self.tails[0] * np.minimum(z - self.knots[0], 0.0)))
        return np.where(z < self.knots[0], low, 0.0)

    def log_density(self, z: Floats) -> Floats:
        """The log density."""
        place = np.clip(np.searchsorted(self.knots, z) - 1, 0, len(self.knots) - 2)
        inner = np.log(self.slopes)[place]
        low = np.log(self.shares[0] * self.tails[0]) + self.tails[0] * (z - self.knots[0])
        high = np.log((1 - self.shares[-1]) * self.tails[1]) - self.tails[1] * (z - self.knots[-1])
        return np.where(z < self.knots[0], low, np.where(z > self.knots[-1], high, inner))

    def quantile(self, q: Floats) -> Floats:
        """The error that a share q does not exceed."""
        inner = np.interp(q, self.shares, self.knots)
        with np.errstate(divide="ignore"):
            low = self.knots[0] + np.log(q / self.shares[0]) / self.tails[0]
            high = self.knots[-1] - np.log((1 - q) / (1 - self.shares[-1])) / self.tails[1]
        return np.where(q < self.shares[0], low, np.where(q > self.shares[-1], high, inner))

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and variance."""
        mass, width = np.diff(self.shares), np.diff(self.knots)
        middle = (self.knots[1:] + self.knots[:-1]) / 2
        ends = self.knots[[0, -1]] + np.array([-1.0, 1.0]) / self.tails
        rest = np.array([self.shares[0], 1 - self.shares[-1]])
        mean = float(mass @ middle + rest @ ends)
        square = float(mass @ (middle**2 + width**2 / 12) + rest @ (ends**2 + 1 / self.tails**2))
        return mean, square - mean**2


@dataclass(frozen=True, eq=False, repr=False)
class PoolOutcomes(Univariate):
    """location + scale x error, kept to the support: the distribution of each row's number."""

    location: Floats
    scale: Floats
    errors: ErrorShape
    support: OutcomeSupport

    def ends(self) -> Ends:
        """Of the support."""
        return self.support.low, self.support.high

    @property
    def _edges(self) -> tuple[float, float]:
        """What a whole number takes in reaches half a step beyond it."""
        half = 0.5 if self.whole else 0.0
        return self.support.low - half, self.support.high + half

    @cached_property
    def _within(self) -> tuple[Floats, Floats]:
        """The mass below the support, and in it."""
        low, high = self._edges
        below = self.errors.cdf(self._z(low)) if np.isfinite(low) else np.zeros_like(self.location)
        above = self.errors.sf(self._z(high)) if np.isfinite(high) else np.zeros_like(self.location)
        return below, np.maximum(1 - below - above, 1e-300)

    def _z(self, x: Any) -> Floats:
        return np.asarray((x - self.location) / self.scale)

    def _log_prob(self, x: Floats) -> Floats:
        low, high = self.ends()
        inside = (x >= low) & (x <= high)
        log_p = self.errors.log_density(self._z(x)) - np.log(self.scale) - np.log(self._within[1])
        return np.where(inside, log_p, -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        below, mass = self._within
        return np.asarray(np.clip((self.errors.cdf(self._z(x)) - below) / mass, 0.0, 1.0))

    def _sf(self, x: Floats) -> Floats:
        high = self._edges[1]
        above = self.errors.sf(self._z(high)) if np.isfinite(high) else 0.0
        return np.asarray(np.clip((self.errors.sf(self._z(x)) - above) / self._within[1], 0.0, 1.0))

    def _quantile(self, q: Floats) -> Floats:
        below, mass = self._within
        at = self.location + self.scale * self.errors.quantile(below + q * mass)
        return self.support.kept(np.ceil(at - 0.5 - 1e-9) if self.whole else at)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return np.asarray(self._quantile(rng.random(shape)))

    @cached_property
    def _spread_out(self) -> Floats:
        """Quantiles at even shares, (points, ...)."""
        shares = (np.arange(POINTS) + 0.5) / POINTS
        return np.asarray(self._quantile(shares.reshape(-1, *[1] * self.location.ndim)))

    @cached_property
    def mean(self) -> Floats:
        """The expectation; over 512 quantiles where the support has an end."""
        if np.isinf(self.ends()).all() and not self.whole:
            return np.asarray(self.location + self.scale * self.errors.moments[0])
        return np.asarray(self._spread_out.mean(axis=0))

    @cached_property
    def variance(self) -> Floats:
        """Likewise."""
        if np.isinf(self.ends()).all() and not self.whole:
            return np.asarray(self.scale**2 * self.errors.moments[1])
        return np.asarray(self._spread_out.var(axis=0))

    def entropy(self) -> Floats:
        """In nats, over 512 quantiles."""
        return np.asarray(-self._log_prob(self._spread_out).mean(axis=0))

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "mean 38.2, sd 13.6"."""
        one = self.take((group, column))
        return f"mean {short(float(one.mean))}, sd {short(float(one.sd))}"


@dataclass(frozen=True, eq=False, repr=False)
class WholeOutcomes(PoolOutcomes):
    """The same rounded to whole numbers."""

    whole: ClassVar[bool] = True

    def _log_prob(self, x: Floats) -> Floats:
        low, high = self.ends()
        up, down = self._cdf(x), np.where(x - 1 < low, 0.0, self._cdf(x - 1))
        over, above = np.where(x >= high, 0.0, self._sf(x)), np.where(x - 1 < low, 1.0, self._sf(x - 1))
        mass = np.where(up > 0.5, above - over, up - down)  # from the side that has the digits
        inside = (np.floor(x) == x) & (x >= low) & (x <= high)
        return np.where(inside, np.log(np.maximum(mass, 1e-300)), -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return super()._cdf(np.floor(x) + 0.5)

    def _sf(self, x: Floats) -> Floats:
        return super()._sf(np.floor(x) + 0.5)


def outcomes_of(location: Floats, scale: Floats, errors: ErrorShape, support: OutcomeSupport) -> PoolOutcomes:
    """The distributions of rows."""
    return (WholeOutcomes if support.whole else PoolOutcomes)(location, scale, errors, support)
