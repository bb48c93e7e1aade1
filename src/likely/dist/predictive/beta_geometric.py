"""The beta-geometric: what a geometric distribution predicts when its probability is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.counting import is_count, looked_up
from likely.dist.distribution import positive, short, together
from likely.dist.numeric.logs import log_rising
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats
from likely.table.column.block import Rows

FIRST = 2048  # counts that the entropy adds up one by one; beyond, the sum is as good as an integral


@dataclass(frozen=True, init=False, eq=False, repr=False)
class BetaGeometric(Univariate):
    """A geometric count, from 1, whose probability is Beta(a, b).

    >>> BetaGeometric(1, 1).prob([1, 2, 3])  # 1 / (x (x + 1))
    array([0.5       , 0.16666667, 0.08333333])
    """

    whole = True

    a: Floats
    b: Floats

    def __init__(self, a: ArrayLike, b: ArrayLike) -> None:
        first, second = together(positive("a", a), positive("b", b))
        self._set(a=first, b=second)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """1, 2, 3 and so on."""
        return np.asarray(is_count(x) & (x >= 1))

    def _log_prob(self, x: Floats) -> Floats:
        return np.asarray(np.log(self.a) + log_rising(self.b, x - 1) - log_rising(self.a + self.b, x))

    def ends(self) -> Ends:
        """From 1 on."""
        return 1.0, np.inf

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(-np.expm1(self._log_failures(x)))

    def _sf(self, x: Floats) -> Floats:
        return np.exp(self._log_failures(x))

    def _log_failures(self, x: Floats) -> Floats:
        """The log-probability that x trials all fail."""
        # The same ratio of gammas in two orders: the difference of the smaller logs has more digits.
        few = log_rising(self.b, x) - log_rising(self.a + self.b, x)
        return np.where(x <= self.a, few, log_rising(self.b, self.a) - log_rising(self.b + x, self.a))

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        return looked_up(self, rows)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        p = np.maximum(rng.beta(self.a, self.b, shape), 1e-18)  # whole numbers end near 1e18
        return rng.geometric(p).astype(np.float64)

    @cached_property
    def mean(self) -> Floats:
        """(a + b - 1) / (a - 1); infinite for a <= 1."""
        above = self.a > 1
        return np.where(above, (self.a + self.b - 1) / np.where(above, self.a - 1, 1.0), np.inf)

    @cached_property
    def variance(self) -> Floats:
        """Infinite for a <= 2."""
        a, b, above = self.a, self.b, self.a > 2
        return np.where(above, a * b * (a + b - 1) / np.where(above, (a - 1) ** 2 * (a - 2), 1.0), np.inf)

    def entropy(self) -> Floats:
        """In nats; there is no closed form."""
        out = np.empty(self.batch)
        for place in np.ndindex(*self.batch):
            out[place] = self.take(place)._surprise()
        return out[()]

    def _surprise(self) -> float:
        few = self._log_prob(np.arange(1.0, FIRST + 1))
        # In v = log(x + b) the rest is smooth; it is gone where the survivors are, (x / b)^-a.
        start = float(np.log(FIRST + 0.5 + self.b))
        end = min(float(start + 45 / np.minimum(self.a, 50.0)), 700.0)
        nodes, weights = np.polynomial.legendre.leggauss(400)
        v = start + (end - start) * (nodes + 1) / 2
        logs = self._log_prob(np.exp(v) - self.b)
        rest = (np.exp(logs + v) * logs) @ weights * (end - start) / 2
        return float(-(np.exp(few) * few).sum() - rest)

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "success 0.31 from 12 trials"."""
        a, b = self.a[group, column], self.b[group, column]
        return f"success {short(a / (a + b))} as of {short(a + b)} trials"
