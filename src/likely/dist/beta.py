"""The beta distribution: the prior of a probability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import Grouped
from likely.dist.family import Prior
from likely.dist.logs import digamma, log_rising, special, x_log_y
from likely.dist.parameters import demand, not_negative, together
from likely.stats.groups import Floats
from likely.stats.sums import Sums


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Beta(Prior):
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
    def inside(cls, x: Any) -> NDArray[np.bool_]:
        """From 0 to 1."""
        return np.asarray((x >= 0) & (x <= 1))

    def _log_prob(self, x: Floats) -> Floats:
        return x_log_y(self.a - 1, x) + special("xlog1py", self.b - 1, -x) - special("betaln", self.a, self.b)

    def cdf(self, x: ArrayLike) -> Floats:
        """The probability that p is up to x."""
        return special("betainc", self.a, self.b, np.clip(x, 0, 1))[()]

    def quantile(self, q: ArrayLike) -> Floats:
        """The value that p does not exceed with probability q."""
        return special("betaincinv", self.a, self.b, q)[()]

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.beta(self.a, self.b, shape)

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
        return self._with(a=self.a + stat.total, b=self.b + (stat.n - stat.total))

    def mean_of(self) -> Grouped:
        """The Bernoulli distribution at the mean."""
        from likely.dist.bernoulli import Bernoulli

        return Bernoulli(self.mean)

    def mode_of(self) -> Grouped:
        """The Bernoulli distribution at the mode."""
        from likely.dist.bernoulli import Bernoulli

        return Bernoulli(self.mode)

    def predictive(self) -> Grouped:
        """For a single new value, the same as at the mean."""
        return self.mean_of()

    def log_evidence(self, stat: Sums) -> Floats:
        """log B(a + true, b + false) / B(a, b)."""
        true, false = stat.total, stat.n - stat.total
        both = log_rising(self.a + self.b, stat.n)
        return np.asarray(log_rising(self.a, true) + log_rising(self.b, false) - both)
