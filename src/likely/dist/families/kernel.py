"""Kernel densities: a normal bump over every value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.density import Densities, Density, spread_of
from likely.dist.distribution import short
from likely.dist.numeric.interpolant import Interpolant
from likely.dist.numeric.logs import log, special
from likely.dist.numeric.value_grid import Grid
from likely.dist.predictive.student_t import StudentT
from likely.dist.weighed import Unit
from likely.stats.binned import Cells
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats

ROWS = 1 << 14  # read off at once: what the cache holds
PAIRS = 1 << 18  # of points and values that are compared at once
NARROW = 1e-3  # of the column's spread: no group's is taken to be less
TAIL = 4  # degrees of freedom of the background: heavy, and it has a variance
TRIED = 2.0 ** np.arange(-4, 2.25, 0.25)  # bandwidths of which the likeliest is taken, of the rule's


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
    def _curve(self) -> Interpolant:
        """The log density where it is not plain background."""
        height = 1 / (self.bandwidth * np.sqrt(2 * np.pi) * self._total)
        curve = Interpolant.of_bumps(self._centre, self.seen.weight * height, self.bandwidth)
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
            log_p = self._curve.read(part)
            gaps = np.flatnonzero(np.isnan(log_p))
            if len(gaps):
                log_p[gaps] = self._behind(part[gaps]) if self.strength else self._nearest(part[gaps])
            out[start : start + ROWS] = log_p
        return out.reshape(np.shape(x))

    def _nearest(self, x: Floats) -> Floats:
        at = np.searchsorted(self._centre, x)
        log_sum = np.full(len(x), -np.inf)
        height = np.log(self.seen.weight / (self.bandwidth * np.sqrt(2 * np.pi) * self._n))
        with np.errstate(over="ignore"):
            for place in (np.maximum(at - 1, 0), np.minimum(at, len(self._centre) - 1)):
                z = (x - self._centre[place]) / self.bandwidth
                log_sum = np.logaddexp(log_sum, height[place] - 0.5 * z * z)
        # Beside a value the only one, both are the same.
        return np.where((at == 0) | (at == len(self._centre)), log_sum - np.log(2), log_sum)

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


class _OverValues(ABC):
    """A bump over every value, of a bandwidth that a family says."""

    parts: NDArray[Any]  # of Bumps

    @classmethod
    @abstractmethod
    def bandwidth(cls, seen: Packed, whole: float, strength: float) -> float:
        """The sd of a bump; `whole` is the spread of the column."""

    @classmethod
    def made(cls, seen: Packed, column: Packed, strength: float) -> Bumps:
        """The bumps over a group's values."""
        whole = spread_of(column)
        background = StudentT(TAIL, column.quantile(0.5), whole)
        return Bumps(seen, cls.bandwidth(seen, whole, strength), strength, background)

    def coded(self, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
        """The bandwidth, and as many parameters as the curve has in effect.

        These are the values' own shares of the density that each has, added up. For levels and for bars the
        same sum is the number of those that are not empty.
        """
        bumps = self.parts[group, 0]
        logs = bumps.log_prob(own.centre)
        own_bump = 1 / (bumps.bandwidth * np.sqrt(2 * np.pi))
        shares = own_bump / np.maximum(np.exp(logs) * own.weight.sum(), own_bump)
        log_sum = grid.log_sum(grid.origin, bumps.bandwidth)  # the bumps stand on points of the grid
        return (1 + float((own.weight * shares).sum())) / 2, grid.on_points(logs, own, log_sum)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Kernel(_OverValues, Densities):
    """The mean of normal densities around the values.

    Bandwidth: Silverman's rule, 0.9 min(sd, IQR / 1.34) / n^(1/5), for each group by itself.
    `KernelByLikelihood` takes the one under which each value is most probable given the others.

    Default prior: `strength` imagined rows spread out as the column is, by Student's t with 4 degrees of
    freedom around its median, so that no number has density 0; and the squared spread that the rule
    goes by is believed, with that worth, to be the column's. Maximum likelihood: the values' bumps
    alone, whose spread is at least 1/1000 of the column's. (Either is a Dirichlet process's
    expectation, with that many rows behind its base.)

    >>> found = Kernel.fit([1.0, 2.0, 2.0, 3.0, 3.0, 5.0], prior=None)
    >>> found.prob([2.0, 4.0, 50.0]).round(4)
    array([0.3272, 0.044 , 0.    ])
    >>> found
    Kernel(mean 2.67, sd 1.33, bandwidth 0.469)
    """

    name = "kernel"
    story = "one of the numbers seen in the {group}, and a normal step from it"

    @classmethod
    def bandwidth(cls, seen: Packed, whole: float, strength: float) -> float:
        """By the rule."""
        n = float(seen.weight.sum())
        believed = np.sqrt(strength / (n + strength)) * whole
        own = np.hypot(np.sqrt(n / (n + strength)) * seen.spread(), believed)  # squares could overflow
        return float(0.9 * max(own, NARROW * whole) / max(n, 1.0) ** 0.2)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class KernelByLikelihood(_OverValues, Densities):
    """A kernel density whose bandwidth makes each value most probable given the others.

    Of bandwidths from 1/16 to 4 times the rule's, a fourth root of 2 apart, that are at least twice as
    wide as a cell of the grid; equal values count for one another, so data that are rounded
    coarsely are better served by the rule.
    """

    name = "kernel_by_likelihood"
    story = Kernel.story

    @classmethod
    def candidate(cls, cells: Cells, grid: Grid, unit: Unit) -> bool:
        """The rule's bandwidth is tried alone: one kernel density is enough."""
        return False

    @classmethod
    def bandwidth(cls, seen: Packed, whole: float, strength: float) -> float:
        """The likeliest of those tried."""
        rule = Kernel.bandwidth(seen, whole, strength)
        if len(seen.place) < 2 or seen.weight.sum() <= 1:
            return rule
        tried = [float(h) for h in rule * TRIED if h >= 2 * seen.width] or [rule]
        return max(tried, key=lambda h: _without_oneself(seen, h))


Kernel.register(KernelByLikelihood)  # it is one of them, for `isinstance`


def _without_oneself(seen: Packed, bandwidth: float) -> float:
    """The mean log density of each value given all the others."""
    n = float(seen.weight.sum())
    whole = n * np.exp(Bumps(seen, bandwidth, 0.0, StudentT(TAIL)).log_prob(seen.centre))
    others = whole - np.minimum(seen.weight, 1.0) / (bandwidth * np.sqrt(2 * np.pi))
    # Of a value with no other near, what is left is rounding: less than any density that counts.
    least = 1e-12 * whole.max()
    return float(np.average(np.log(np.maximum(others, least)), weights=seen.weight))
