"""What a pool predicts of a number: a distribution for each row, within the support of what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import short
from likely.dist.univariate import Ends, Univariate
from likely.pool.error_shape import ErrorShape

Floats = NDArray[np.float64]

POINTS = 512  # quantiles that the variance is taken over
ROUNDED = 1 / 6  # the variance that bringing any number to a whole one adds, in the mean
LEAST = 0.5  # of the variance of errors, that is not taken for that
HALVINGS = 60  # until an expectation is met to the last digits


@dataclass(frozen=True)
class OutcomeSupport:
    """Between which numbers outcomes lie, and whether they are whole."""

    low: float
    high: float
    whole: bool
    nearest: float = 0.75  # sizes of its error that an expectation lies from the lower end, at least

    @classmethod
    def of(cls, values: Floats) -> OutcomeSupport:
        """Of numbers that were seen: nothing below 0 if nothing was, though 0 was near; no greatest is known.

        >>> OutcomeSupport.of(np.array([0.5, 2.5, 7.0]))
        OutcomeSupport(low=0.0, high=inf, whole=False, nearest=0.75)
        >>> OutcomeSupport.of(np.array([980.0, 1020.0])).low
        -inf
        """
        least, most = float(values.min()), float(values.max())
        whole = bool((np.floor(values) == values).all() and max(abs(least), abs(most)) < 2**52)
        return cls(0.0 if 0 <= least <= most - least else -np.inf, np.inf, whole)

    def kept(self, values: Floats, scale: Floats) -> Floats:
        """Expectations brought within, if their errors have these sizes."""
        return np.clip(values, self.low + self.nearest * scale, self.high)


@dataclass(frozen=True, eq=False, repr=False)
class PoolOutcomes(Univariate):
    """The distribution of each row's number: errors of a size around a place, kept to the support.

    What the support cuts off would move the expectation: the place is the one from which it is met.
    """

    location: Floats  # what is expected
    scale: Floats  # the size of the error
    errors: ErrorShape
    support: OutcomeSupport

    def ends(self) -> Ends:
        """Of the support."""
        return self.support.low, self.support.high

    @cached_property
    def _placed(self) -> tuple[Floats, Floats, Floats, Floats]:
        """The place that errors start from, their size, the mass below the support, and that in it."""
        low, mean = self.support.low, self.errors.moments[0]
        if np.isinf(low):
            nothing = np.zeros_like(self.location)
            return self.location - self.scale * mean, self.scale, nothing, nothing + 1
        aim, scale = np.asarray(self.location - low), np.array(self.scale)
        most = np.array(self.errors.most_cut)
        shrunk = self._kept_mean(most, scale) > aim
        scale[shrunk] = self._smaller(most, aim[shrunk], scale[shrunk])
        cut = np.where(shrunk, most, np.minimum(mean - aim / scale, most))
        near = ~shrunk & (self.errors.cdf(cut) > 1e-17)  # elsewhere nothing is cut off
        start, stop = cut[near], np.full(int(near.sum()), most)
        for _ in range(HALVINGS):
            middle = 0.5 * (start + stop)
            more = self._kept_mean(middle, scale[near]) > aim[near]
            start, stop = np.where(more, middle, start), np.where(more, stop, middle)
        cut[near] = 0.5 * (start + stop)
        step = self._step(scale)
        return low - cut * scale, scale, self.errors.cdf(cut, step), self.errors.sf(cut, step)

    def _step(self, scale: Floats) -> Floats:
        """A whole number in sizes of the error: numbers between two are either, the more often the nearer."""
        return 1 / scale if self.whole else np.zeros_like(scale)

    def _kept_mean(self, cut: Floats, scale: Floats) -> Floats:
        """What is expected above the end of the support, if errors below `cut` fall outside."""
        return np.asarray(scale * self.errors.excess(cut) / self.errors.sf(cut, self._step(scale)))

    def _smaller(self, cut: Floats, aim: Floats, scale: Floats) -> Floats:
        """The size of errors, up to `scale`, by which this is expected."""
        low, high = np.zeros_like(scale), scale
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            more = self._kept_mean(cut, np.maximum(middle, 1e-300)) > aim
            low, high = np.where(more, low, middle), np.where(more, middle, high)
        return high

    def _z(self, x: Any) -> Floats:
        place, scale, _, _ = self._placed
        return np.asarray((x - place) / scale)

    def _log_prob(self, x: Floats) -> Floats:
        _, scale, _, mass = self._placed
        inside = (x >= self.support.low) & (x <= self.support.high)
        log_p = self.errors.log_density(self._z(x)) - np.log(scale) - np.log(mass)
        return np.where(inside, log_p, -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        _, scale, below, mass = self._placed
        step = self._step(scale)
        return np.asarray(np.clip((self.errors.cdf(self._z(x) + step, step) - below) / mass, 0.0, 1.0))

    def _sf(self, x: Floats) -> Floats:
        _, scale, _, mass = self._placed
        step = self._step(scale)
        return np.asarray(np.clip(self.errors.sf(self._z(x) + step, step) / mass, 0.0, 1.0))

    def _quantile(self, q: Floats) -> Floats:
        place, scale, below, mass = self._placed
        at = place + scale * self.errors.quantile(below + q * mass)
        return np.clip(at, self.support.low, self.support.high)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return np.asarray(self._quantile(rng.random(shape)))

    @cached_property
    def _spread_out(self) -> Floats:
        """Quantiles at even shares, (points, ...)."""
        shares = (np.arange(POINTS) + 0.5) / POINTS
        return np.asarray(self._quantile(shares.reshape(-1, *[1] * self.location.ndim)))

    @property
    def mean(self) -> Floats:
        """The expectation."""
        return self.location

    @cached_property
    def variance(self) -> Floats:
        """The variance; over 512 quantiles where the support has an end."""
        if np.isinf(self.ends()).all() and not self.whole:
            return np.asarray(self.scale**2 * self.errors.moments[1])
        return np.asarray(np.square(self._spread_out - self.location).mean(axis=0))

    def entropy(self) -> Floats:
        """In nats, over 512 quantiles."""
        return np.asarray(-self._log_prob(self._spread_out).mean(axis=0))

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "mean 38.2, sd 13.6"."""
        one = self.take((group, column))
        return f"mean {short(float(one.mean))}, sd {short(float(one.sd))}"


@dataclass(frozen=True, eq=False, repr=False)
class WholeOutcomes(PoolOutcomes):
    """The same brought to whole numbers at random, so that what is expected stays the same."""

    whole: ClassVar[bool] = True

    def _log_prob(self, x: Floats) -> Floats:
        low, high = self.ends()
        first = x - 1 < low
        up, down = self._cdf(x), np.where(first, 0.0, self._cdf(x - 1))
        over, above = np.where(x >= high, 0.0, self._sf(x)), np.where(first, 1.0, self._sf(x - 1))
        mass = np.where(up > 0.5, above - over, up - down)  # from the side that has the digits
        inside = (np.floor(x) == x) & (x >= low) & (x <= high)
        return np.where(inside, np.log(np.maximum(mass, 1e-300)), -np.inf)

    def _quantile(self, q: Floats) -> Floats:
        first = np.ceil(super()._quantile(q)) - 1  # this or the next
        first = np.maximum(first, self.support.low)
        return np.asarray(np.where(self._cdf(first) >= q - 1e-12, first, first + 1))


def outcomes_of(location: Floats, scale: Floats, errors: ErrorShape, support: OutcomeSupport) -> PoolOutcomes:
    """The distributions of rows."""
    if not support.whole:
        return PoolOutcomes(location, scale, errors, support)
    # Errors of whole numbers vary already as much as bringing them to whole numbers makes them vary.
    rest = 1 - ROUNDED / np.maximum(np.square(scale) * errors.moments[1], ROUNDED)
    return WholeOutcomes(location, scale * np.sqrt(np.maximum(rest, LEAST)), errors, support)
