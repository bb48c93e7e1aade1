"""Distributions of one number: the probability of a value up to, below or above a point, and quantiles."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import Distribution, demand, numbers
from likely.stats.groups import Floats, Ints

Ends = tuple[Any, Any]


class Univariate(Distribution):
    """A distribution on the line. Points broadcast with the batch as in `log_prob`; NaN gives NaN.

    Either tail has digits of its own: P(X > x) is never computed as 1 - P(X <= x).
    """

    whole: ClassVar[bool] = False  # whether only whole numbers have mass

    def ends(self) -> Ends:
        """The least and the greatest possible value of each distribution; the infinities if there is none."""
        return -np.inf, np.inf

    def jumps(self) -> Floats:
        """Where between the ends the densities of the batch jump, in any order."""
        return np.zeros(0)

    @abstractmethod
    def _cdf(self, x: Floats) -> Floats:
        """P(X <= x) from one end to the other; x is whole if only whole numbers have mass."""

    @abstractmethod
    def _sf(self, x: Floats) -> Floats:
        """P(X > x), likewise."""

    def cdf(self, x: ArrayLike) -> Floats:
        """The probability of a value up to x: P(X <= x)."""
        return self._at(numbers("x", x), self._cdf, (0.0, 1.0))

    def sf(self, x: ArrayLike) -> Floats:
        """The probability of a value above x: P(X > x)."""
        return self._at(numbers("x", x), self._sf, (1.0, 0.0))

    def below(self, x: ArrayLike) -> Floats:
        """The probability of a value below x, itself not counted: P(X < x)."""
        return self.cdf(self._before(x))

    def at_least(self, x: ArrayLike) -> Floats:
        """The probability of a value from x on: P(X >= x)."""
        return self.sf(self._before(x))

    def quantile(self, q: ArrayLike) -> Floats:
        """The least value that a share q of the values does not exceed."""
        shares = numbers("q", q)
        demand("q", shares, ~((shares < 0) | (shares > 1)), "a share is a number from 0 to 1")
        low, high = self.ends()
        with np.errstate(all="ignore"):
            points = np.where(shares == 1, high, self._quantile(shares))
        points = np.where((shares == 0) | (np.asarray(low) == high), low, points)
        return np.where(np.isnan(shares), np.nan, points)[()]

    def _quantile(self, q: Floats) -> Floats:
        # Of the upper half the rest is exact, and the upper tail has the digits.
        upper, rest = q > 0.5, 1 - q
        shape = np.broadcast_shapes(q.shape, self.batch)
        return least(lambda x: np.where(upper, self.sf(x) <= rest, self.cdf(x) >= q), shape)

    def _at(self, x: Floats, inside: Callable[[Floats], Floats], outside: tuple[float, float]) -> Floats:
        places = np.floor(x) if self.whole else x
        low, high = self.ends()
        known = np.isfinite(places) & (places >= low) & (places < high)
        with np.errstate(all="ignore"):
            shares = np.minimum(inside(np.where(known, places, np.nan)), 1.0)  # a sum may round to more
        beyond = np.where(places >= high, outside[1], outside[0])
        return np.where(np.isnan(x), np.nan, np.where(known, shares, beyond))[()]

    def _before(self, x: ArrayLike) -> Floats:
        """The last value before x, if only whole numbers have mass."""
        values = numbers("x", x)
        return np.asarray(np.ceil(values) - 1 if self.whole else values)


def least(reached: Callable[[Floats], NDArray[np.bool_]], shape: tuple[int, ...]) -> Floats:
    """The least numbers at which something is reached that holds from there on.

    The doubles in their order are halved, so 64 steps find any of them, to the last bit.

    >>> least(lambda x: np.arctan(x) >= 0.5, ())
    array(0.54630249)
    """
    top = np.asarray(np.finfo(np.float64).max).view(np.int64)
    low, high = np.full(shape, -top), np.full(shape, top)
    for _ in range(64):
        middle = (low >> 1) + (high >> 1) + (low & high & 1)  # the sum itself would overflow
        enough = reached(_in_place(middle))
        low, high = np.where(enough | (low == high), low, middle + 1), np.where(enough, middle, high)
    return _in_place(high)


def _in_place(order: Ints) -> Floats:
    """The doubles at these places of their order; 0 is at place 0."""
    sign = np.iinfo(np.int64).min
    return np.where(order < 0, sign | -order, order).view(np.float64)
