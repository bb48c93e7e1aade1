"""The bilateral Pareto distribution: the prior of the two ends of a uniform distribution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import Distribution, demand, finite, positive, together
from likely.dist.numeric.logs import digamma
from likely.dist.numeric.value_grid import Reach
from likely.dist.prior import Prior
from likely.stats.binned import Cells
from likely.stats.groups import Floats

FARTHEST = 1e300  # from what was seen that an end is drawn


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SeenEnds(Distribution):
    """What is believed where `rows` values were seen that reach from left to right."""

    left: Floats
    right: Floats
    rows: Floats

    def __init__(self, left: ArrayLike, right: ArrayLike, rows: ArrayLike) -> None:
        arrays = together(finite("left", left), finite("right", right), positive("rows", rows))
        demand("right", arrays[1], arrays[1] > arrays[0], "it must be above left")
        self._set(left=arrays[0], right=arrays[1], rows=arrays[2])

    @property
    def _range(self) -> Floats:
        return np.asarray(self.right - self.left)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class BilateralPareto(SeenEnds, Prior):
    """The density of (low, high) proportional to (high - low)^-(rows + 2), outside (left, right).

    As if `rows` values had been seen that reach from left to right. A value is a pair: x[..., 0] is the
    low end, x[..., 1] the high one.

    >>> BilateralPareto(2, 5, 3).mean, BilateralPareto(2, 5, 3).mode
    (array([0.5, 6.5]), array([2., 5.]))
    """

    event_axes = 1

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """A low end below the high one."""
        allowed = np.array(np.isfinite(x))
        allowed[..., 1] &= x[..., 1] > x[..., 0]
        return allowed

    def _log_prob(self, x: Floats) -> Floats:
        low, high = x[..., 0], x[..., 1]
        log_density = np.log(self.rows) + np.log(self.rows + 1) - 2 * np.log(self._range)
        log_density = log_density - (self.rows + 2) * np.log((high - low) / self._range)
        return np.where((low <= self.left) & (high >= self.right), log_density, -np.inf)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            scale = self._range / rng.standard_gamma(self.rows, shape)
            out = np.minimum(rng.standard_exponential((2, *shape)) * scale, FARTHEST)
        return np.stack([self.left - out[0], self.right + out[1]], axis=-1)

    @cached_property
    def mean(self) -> Floats:
        """range / (rows - 1) beyond either side; infinitely far for rows <= 1."""
        some = self.rows > 1
        out = np.where(some, self._range / np.where(some, self.rows - 1, 1.0), np.inf)
        return np.stack([self.left - out, self.right + out], axis=-1)

    @cached_property
    def variance(self) -> Floats:
        """Of each end; infinite for rows <= 2."""
        a, some = self.rows, self.rows > 2
        one = np.where(some, self._range**2 * a / np.where(some, (a - 1) ** 2 * (a - 2), 1.0), np.inf)
        return np.stack([one, one], axis=-1)

    @property
    def mode(self) -> Floats:
        """Left and right."""
        return np.stack([self.left, self.right], axis=-1)

    @property
    def finite_mean(self) -> Floats:
        """The expected ends; the mode where rows <= 1."""
        return np.where(self.rows[..., None] > 1, self.mean, self.mode)

    def entropy(self) -> Floats:
        """Of both ends together, in nats."""
        a = self.rows
        expected = digamma(a + 2) - digamma(a)  # of log((high - low) / range)
        return np.asarray((a + 2) * expected - np.log(a) - np.log(a + 1) + 2 * np.log(self._range))

    def posterior(self, stat: Cells) -> BilateralPareto:
        """What is believed once the values are seen."""
        seen, reach = stat.n > 0, Reach.of(stat)
        left = np.where(seen, np.minimum(self.left, reach.low), self.left)
        right = np.where(seen, np.maximum(self.right, reach.high), self.right)
        return BilateralPareto(left, right, self.rows + stat.n)

    def log_evidence(self, stat: Cells) -> Floats:
        """The log density of the values, the ends summed out."""
        seen = self.posterior(stat)
        a, b = self.rows, seen.rows
        apart = a * np.log(self._range) - b * np.log(seen._range)
        return np.asarray(np.log(a) + np.log(a + 1) - np.log(b) - np.log(b + 1) + apart)
