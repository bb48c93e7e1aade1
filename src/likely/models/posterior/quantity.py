"""One number that is not known for certain: how probable it is to lie where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist import Univariate
from likely.errors import LikelyError
from likely.table.accepted import RandomState

Floats = NDArray[np.float64]

STEPS = 60  # halvings of the share that an interval leaves out below


class Interval(NamedTuple):
    """From `lower` to `upper`."""

    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class Quantity:
    """A parameter, or a function of one, as the posterior has it: base ** power.

    A variance is a precision to the power of -1, an sd one to the power of -1/2.

    >>> from likely.dist import Beta
    >>> rate = Quantity("theta", Beta(10, 2), 10 / 12, 0.9, 0.1)
    >>> rate.between(-np.inf, 0.5)
    0.005859375
    """

    name: str
    base: Univariate
    mean: float
    mode: float  # at the most probable parameters
    sd: float
    power: float = 1.0

    def cdf(self, x: ArrayLike) -> Floats:
        """P(quantity <= x)."""
        return self.base.cdf(self._back(x)) if self.power > 0 else self.base.sf(self._back(x))

    def sf(self, x: ArrayLike) -> Floats:
        """P(quantity > x)."""
        return self.base.sf(self._back(x)) if self.power > 0 else self.base.cdf(self._back(x))

    def quantile(self, q: ArrayLike) -> Floats:
        """The value that the quantity does not exceed with probability q."""
        shares = np.asarray(q, np.float64)
        with np.errstate(divide="ignore"):
            value = self.base.quantile(shares if self.power > 0 else 1 - shares)
            return np.asarray(value if self.power == 1 else value**self.power)

    def log_density(self, x: ArrayLike) -> Floats:
        """The log density at x."""
        log_density = self.base.log_prob(self._back(x))
        if self.power == 1:
            return log_density
        with np.errstate(divide="ignore", invalid="ignore"):
            stretch = (1 / self.power - 1) * np.log(np.asarray(x, np.float64)) - np.log(abs(self.power))
            return np.where(np.isneginf(log_density), log_density, log_density + stretch)

    def sample(self, n: int, random_state: RandomState = None) -> Floats:
        """Draw n times."""
        return np.asarray(self.base.sample(n, random_state) ** self.power)

    def between(self, low: float, high: float) -> float:
        """P(low < quantity < high), from the tail that keeps the digits."""
        if not low < high:
            return 0.0
        if low == -np.inf or float(self.cdf(low)) <= 0.5:
            return float(self.cdf(high) - (0.0 if low == -np.inf else self.cdf(low)))
        return float(self.sf(low) - self.sf(high))

    def equal_tailed(self, level: float) -> Interval:
        """The interval that leaves out as much below as above."""
        rest = (1 - share("level", level)) / 2
        return Interval(float(self.quantile(rest)), float(self.quantile(1 - rest)))

    def highest(self, level: float) -> Interval:
        """The narrowest interval: no value outside is denser than one inside, if there is one peak."""
        most = 1 - share("level", level)
        first, last = self._from(0.0, level), self._from(most, level)
        falls, rises = self._leans(first) >= 0, self._leans(last) <= 0
        if falls or rises:  # as dense as can be at an end: there is no better place further in
            ends = [place for place, best in ((first, falls), (last, rises)) if best]
            return min(ends, key=lambda place: place.upper - place.lower)
        low, high = 0.0, most
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._leans(self._from(middle, level)) >= 0 else (middle, high)
        return self._from((low + high) / 2, level)

    def _from(self, below: float, level: float) -> Interval:
        """The interval of this level that leaves out so much below."""
        return Interval(float(self.quantile(below)), float(self.quantile(min(below + level, 1.0))))

    def _leans(self, place: Interval) -> float:
        """Above 0 if the lower end is denser than the upper."""
        lower, upper = (float(self.log_density(end)) if np.isfinite(end) else -np.inf for end in place)
        return 0.0 if lower == upper else lower - upper

    def _back(self, x: ArrayLike) -> Floats:
        """The base at which the quantity is x."""
        values = np.asarray(x, np.float64)
        if self.power == 1:
            return values
        with np.errstate(divide="ignore", over="ignore"):
            return np.maximum(values, 0.0) ** (1 / self.power)


def share(name: str, value: float) -> float:
    """A share between 0 and 1, neither of them."""
    if not isinstance(value, int | float | np.number) or not 0 < value < 1:
        raise LikelyError(f"{name}={value!r}: give a share between 0 and 1, such as 0.9.")
    return float(value)
