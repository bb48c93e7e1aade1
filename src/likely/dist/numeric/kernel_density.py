"""A normal bump over every value: the density that kernels add up to, kept as a curve to read off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from likely.dist.distribution import short
from likely.dist.numeric.density import Density
from likely.dist.numeric.interpolant import Curve
from likely.dist.numeric.logs import log, special
from likely.dist.predictive.student_t import StudentT
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats

ROWS = 1 << 14  # read off at once: what the cache holds
PAIRS = 1 << 18  # of points and values that are compared at once


@dataclass(frozen=True, eq=False, repr=False)
class Bumps(Density):
    """n values' bumps, each of this sd, and a background that is worth `strength` values.

    More than 8 bandwidths from any value the background alone counts; without one, the bump of the
    nearest value on either side.

    >>> seen = Packed.of(np.array([1.0, 2.0]))
    >>> two = Bumps(seen, 0.5, 0.0, StudentT(4))
    >>> np.exp(two.log_prob(np.array([1.0]))).round(4)  # (0.7979 + 0.1080) / 2
    array([0.4529])
    """

    seen: Packed
    bandwidth: float
    strength: float
    background: StudentT  # a single one

    @cached_property
    def _n(self) -> float:
        return float(self.seen.weight.sum())

    @cached_property
    def _total(self) -> float:
        return self._n + self.strength

    @cached_property
    def _centre(self) -> Floats:
        return self.seen.centre

    @cached_property
    def _curve(self) -> Curve:
        """The log density where it is not plain background."""
        height = 1 / (self.bandwidth * np.sqrt(2 * np.pi) * self._total)
        curve = Curve.of_bumps(self._centre, self.seen.weight * height, self.bandwidth)
        if self.strength:
            behind = np.exp(self._behind(curve.places()))
            curve = curve.with_values(curve.values + behind)
        return curve.with_values(log(curve.values))

    def _behind(self, x: Floats) -> Floats:
        """The log density of the background's share."""
        return np.asarray(np.log(self.strength / self._total) + self.background._log_prob(x))

    def log_prob(self, x: Floats) -> Floats:
        """The log density at finite x."""
        flat = np.ravel(x)
        out = np.empty(len(flat))
        for start in range(0, len(flat), ROWS):
            part = flat[start : start + ROWS]
            found = self._curve.read(part)
            gaps = np.flatnonzero(np.isnan(found))
            if len(gaps):
                found[gaps] = self._behind(part[gaps]) if self.strength else self._nearest(part[gaps])
            out[start : start + ROWS] = found
        return out.reshape(np.shape(x))

    def _nearest(self, x: Floats) -> Floats:
        at = np.searchsorted(self._centre, x)
        found = np.full(len(x), -np.inf)
        height = np.log(self.seen.weight / (self.bandwidth * np.sqrt(2 * np.pi) * self._n))
        with np.errstate(over="ignore"):
            for place in (np.maximum(at - 1, 0), np.minimum(at, len(self._centre) - 1)):
                z = (x - self._centre[place]) / self.bandwidth
                found = np.logaddexp(found, height[place] - 0.5 * z * z)
        # Beside a value the only one, both are the same.
        return np.where((at == 0) | (at == len(self._centre)), found - np.log(2), found)

    def cdf(self, x: Floats) -> Floats:
        """The probability of a value up to finite x."""
        return self._added(x, 1)

    def sf(self, x: Floats) -> Floats:
        """The probability of a value above finite x."""
        return self._added(x, -1)

    def _added(self, x: Floats, sign: int) -> Floats:
        """Every bump's share on one side of x, and the background's."""
        flat = np.ravel(x)
        own = np.empty(len(flat))
        step = max(1, PAIRS // len(self._centre))
        for start in range(0, len(flat), step):
            z = (flat[start : start + step, None] - self._centre) / self.bandwidth
            own[start : start + step] = special("ndtr", sign * z) @ self.seen.weight
        behind = self.background.cdf(flat) if sign > 0 else self.background.sf(flat)
        return np.asarray((own + self.strength * behind) / self._total).reshape(np.shape(x))

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """Independent draws."""
        up_to = np.cumsum(self.seen.weight)
        point = rng.random(shape) * self._total
        place = np.minimum(np.searchsorted(up_to, point, side="right"), len(up_to) - 1)
        drawn = rng.normal(self._centre[place], self.bandwidth)
        if not self.strength:
            return np.asarray(drawn)
        return np.where(point < self._n, drawn, self.background._draw(rng, shape))

    @cached_property
    def mean(self) -> float:  # type: ignore[override]
        """The expectation."""
        behind = float(self.background.location) * self.strength
        return float((self.seen.weight @ self._centre + behind) / self._total)

    @cached_property
    def variance(self) -> float:  # type: ignore[override]
        """The expected squared deviation from the mean."""
        own = self.seen.weight @ ((self._centre - self.mean) ** 2 + self.bandwidth**2)
        apart = (self.background.location - self.mean) ** 2 + self.background.variance
        return float((own + self.strength * apart) / self._total)

    def entropy(self) -> float:
        """In nats, by quadrature."""
        logs = self._curve.values
        inside = self._curve.step * float((np.exp(logs) * logs).sum())
        if not self.strength:
            return -inside
        spread = self.background.quantile((np.arange(4096) + 0.5) / 4096)
        beyond = spread[np.isnan(self._curve.read(spread))]
        return float(-inside - self._behind(beyond).sum() / 4096 * self.strength / self._total)

    def words(self) -> str:
        """As "mean 5.2, sd 1.3, bandwidth 0.21"."""
        sd = np.sqrt(self.variance)
        return f"mean {short(self.mean)}, sd {short(sd)}, bandwidth {short(self.bandwidth)}"
