"""How the errors of a pool are distributed, in units of their size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import special

Floats = NDArray[np.float64]

STRENGTH = 2.0  # errors of a background that are added to those seen
TAIL = 4.0  # its degrees of freedom
QUANTILES = 99  # of errors at which the distribution is known exactly
STEPS = 81  # and places evenly apart
NARROW = 1e-4  # a stretch so short that what lies in its middle is the mean over it


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

    def cdf(self, z: Floats, over: Floats | float = 0.0) -> Floats:
        """P(error <= z), or its mean over the stretch of this length up to z."""
        return self._mean(z, over, self._up_to, self.shortfall, 1.0)

    def sf(self, z: Floats, over: Floats | float = 0.0) -> Floats:
        """P(error > z), or its mean over the stretch of this length up to z."""
        return self._mean(z, over, self._beyond, self.excess, -1.0)

    def _mean(
        self,
        z: Floats,
        over: Floats | float,
        share: Callable[[Floats], Floats],
        total: Callable[[Floats], Floats],
        sign: float,
    ) -> Floats:
        at = share(z - 0.5 * over)
        if not np.any(np.asarray(over) > NARROW):
            return at
        return np.where(over > NARROW, sign * (total(z) - total(z - over)) / np.maximum(over, NARROW), at)

    def excess(self, z: Floats) -> Floats:
        """The expectation of how far an error lies above z, 0 if below: the integral of P(error > z)."""
        return _integral(z, self.knots, 1 - self.shares, self.tails[1], self.tails[0])

    def shortfall(self, z: Floats) -> Floats:
        """The expectation of how far an error lies below z, 0 if above."""
        return _integral(-z, -self.knots[::-1], self.shares[::-1], self.tails[0], self.tails[1])

    def _up_to(self, z: Floats) -> Floats:
        low = self.shares[0] * np.exp(self.tails[0] * np.minimum(z - self.knots[0], 0.0))
        inner = np.interp(z, self.knots, self.shares)
        return np.where(z < self.knots[0], low, np.where(z > self.knots[-1], 1 - self._beyond(z), inner))

    def _beyond(self, z: Floats) -> Floats:
        rest = 1 - self.shares[-1]
        high = rest * np.exp(-self.tails[1] * np.maximum(z - self.knots[-1], 0.0))
        inner = 1 - np.interp(z, self.knots, self.shares) + self._below(z)
        return np.where(z > self.knots[-1], high, inner)

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
    def most_cut(self) -> float:
        """The median, or the knot before it up to which what is expected beyond a cut comes nearer to it.

        Beyond it, one expectation might be that of several cuts.
        """
        beyond = self.excess(self.knots) / (1 - self.shares)
        rising = np.flatnonzero(np.diff(beyond) > 0)
        middle = float(self.quantile(np.array(0.5)))
        return min(float(self.knots[rising[0]]), middle) if len(rising) else middle

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


def _integral(z: Floats, knots: Floats, rest: Floats, rate: float, before: float) -> Floats:
    """The integral from z on of a share that falls straight from knot to knot, with exponential tails."""
    width = np.diff(knots)
    parts = np.append(width * (rest[1:] + rest[:-1]) / 2, rest[-1] / rate)
    whole = np.cumsum(parts[::-1])[::-1]  # from each knot on
    after = np.clip(np.searchsorted(knots, z), 1, len(knots) - 1)
    left = knots[after] - z
    rise = (rest[after - 1] - rest[after]) / width[after - 1]
    inner = whole[after] + left * (rest[after] + 0.5 * left * rise)
    high = rest[-1] / rate * np.exp(-rate * np.maximum(z - knots[-1], 0.0))
    out = np.minimum(z - knots[0], 0.0)
    low = whole[0] - out + (1 - rest[0]) / before * np.expm1(before * out)
    return np.where(z < knots[0], low, np.where(z > knots[-1], high, inner))
