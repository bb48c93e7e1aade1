"""The beta distribution: the prior of a probability, as Bernoulli, binomial and geometric ones have it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import demand, not_negative, together
from likely.dist.numeric.logs import digamma, log_rising, special, x_log_y
from likely.dist.prior import Prior
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats
from likely.stats.sums import Sums


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Beta(Univariate, Prior):
    """The density of p proportional to p^(a-1) (1-p)^(b-1): as if a were true and b false, seen before.

    a or b may be 0 (not both), for a smoothing that imagines rows of one kind only; that has no density.

    >>> Beta(10, 2).mean, Beta(10, 2).mode, Beta(10, 2).cdf(0.5)
    (array(0.83333333), array(0.9), np.float64(0.005859375))
    """

    a: Floats
    b: Floats

    def __init__(self, a: ArrayLike, b: ArrayLike) -> None:
        first, second = together(not_negative("a", a), not_negative("b", b))
        demand("a + b", first + second, first + second > 0, "one of them must be above 0")
        self._set(a=first, b=second)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """From 0 to 1."""
        return np.asarray((x >= 0) & (x <= 1))

    def _log_prob(self, x: Floats) -> Floats:
        return x_log_y(self.a - 1, x) + special("xlog1py", self.b - 1, -x) - special("betaln", self.a, self.b)

    def ends(self) -> Ends:
        """0 and 1; one of them twice where a or b is 0."""
        return np.where(self.b == 0, 1.0, 0.0), np.where(self.a == 0, 0.0, 1.0)

    def _cdf(self, x: Floats) -> Floats:
        return special("betainc", self.a, self.b, x)

    def _sf(self, x: Floats) -> Floats:
        # betaincc takes up to ten times as long as its mirror image, which is as exact where 1 - x is.
        a, b, x = np.broadcast_arrays(self.a, self.b, x)
        above = np.array(1 - special("betainc", a, b, x))
        mirrored, tail = (above < 0.5) & (x >= 0.5), (above < 0.5) & (x < 0.5)
        above[mirrored] = special("betainc", b[mirrored], a[mirrored], 1 - x[mirrored])
        above[tail] = special("betaincc", a[tail], b[tail], x[tail])
        return above

    def _quantile(self, q: Floats) -> Floats:
        return special("betaincinv", self.a, self.b, q)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        # NumPy draws only where both are above 0.
        some = (self.a > 0) & (self.b > 0)
        drawn = rng.beta(np.where(some, self.a, 1.0), np.where(some, self.b, 1.0), shape)
        return np.where(some, drawn, self.mean)

    @cached_property
    def mean(self) -> Floats:
        """a / (a + b)."""
        return np.asarray(self.a / (self.a + self.b))

    @cached_property
    def variance(self) -> Floats:
        """mean (1 - mean) / (a + b + 1)."""
        return np.asarray(self.mean * (self.b / (self.a + self.b)) / (self.a + self.b + 1))

    @property
    def mode(self) -> Floats:
        """(a - 1) / (a + b - 2); the mean where neither a nor b exceeds 1."""
        true, false = np.maximum(self.a - 1, 0), np.maximum(self.b - 1, 0)
        peaked = true + false > 0
        return np.where(peaked, true / np.where(peaked, true + false, 1), self.mean)

    def entropy(self) -> Floats:
        """In nats."""
        a, b = self.a, self.b
        expected = (a - 1) * digamma(a) + (b - 1) * digamma(b) - (a + b - 2) * digamma(a + b)
        return np.asarray(special("betaln", a, b) - expected)

    def posterior(self, stat: Sums) -> Self:
        """What is believed once the data are seen."""
        return self._with(a=self.a + stat.total, b=self.b + stat.failures)

    def log_natural(self, p: Floats) -> Floats:
        """a log p + b log(1 - p)."""
        return x_log_y(self.a, p) + x_log_y(self.b, 1 - p)

    def log_evidence(self, stat: Sums) -> Floats:
        """log B(a + true, b + false) / B(a, b)."""
        true, false = stat.total, stat.failures
        both = log_rising(self.a + self.b, stat.n)
        return np.asarray(log_rising(self.a, true) + log_rising(self.b, false) - both)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class BinomialBeta(Beta):
    """Beta(a, b), and how many trials a count is of.

    >>> BinomialBeta(1, 1, trials=10)
    BinomialBeta(a=1.0, b=1.0, trials=10.0)
    """

    trials: Floats

    def __init__(self, a: ArrayLike, b: ArrayLike, trials: ArrayLike) -> None:
        super().__init__(a, b)
        arrays = np.broadcast_arrays(self.a, self.b, not_negative("trials", trials))
        self._set(**dict(zip(("a", "b", "trials"), arrays, strict=True)))


@dataclass(frozen=True, init=False, eq=False, repr=False)
class GeometricBeta(Beta):
    """Beta(a, b) that says what it is about: how many trials it takes until the first success.

    >>> GeometricBeta(1, 3).mean
    array(0.25)
    """
