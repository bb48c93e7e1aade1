"""The negative binomial: what a Poisson distribution predicts when its rate is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.counting import entropy_by_sum, is_count, looked_up
from likely.dist.distribution import positive, short, together
from likely.dist.numeric.logs import log_rising, special
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats
from likely.stats.sums import log_factorial
from likely.table.column.block import Rows


@dataclass(frozen=True, init=False, eq=False, repr=False)
class NegativeBinomial(Univariate):
    """A Poisson count whose rate is Gamma(shape, rate).

    Also the number of failures before the shape-th success, of probability rate / (rate + 1).

    >>> NegativeBinomial(1, 1).prob([0, 1, 2])
    array([0.5  , 0.25 , 0.125])
    """

    whole = True

    shape: Floats
    rate: Floats

    def __init__(self, shape: ArrayLike, rate: ArrayLike) -> None:
        counted, rows = together(positive("shape", shape), positive("rate", rate))
        self._set(shape=counted, rate=rows)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """0, 1, 2 and so on."""
        return is_count(x)

    def _log_prob(self, x: Floats) -> Floats:
        ways = log_rising(self.shape, x) - log_factorial(x)
        return np.asarray(ways - self.shape * np.log1p(1 / self.rate) - x * np.log1p(self.rate))

    def ends(self) -> Ends:
        """From 0 on."""
        return 0.0, np.inf

    def _cdf(self, x: Floats) -> Floats:
        return special("betaincc", x + 1, self.shape, 1 / (1 + self.rate))

    def _sf(self, x: Floats) -> Floats:
        return special("betainc", x + 1, self.shape, 1 / (1 + self.rate))

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        return looked_up(self, rows)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.poisson(rng.standard_gamma(self.shape, shape) / self.rate).astype(np.float64)

    @cached_property
    def mean(self) -> Floats:
        """shape / rate."""
        return np.asarray(self.shape / self.rate)

    @cached_property
    def variance(self) -> Floats:
        """mean (1 + 1 / rate): more than a Poisson's."""
        return np.asarray(self.mean * (1 + 1 / self.rate))

    def entropy(self) -> Floats:
        """In nats; there is no closed form."""
        return entropy_by_sum(self, 60 / np.log1p(self.rate) + 20)[()]

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "mean 3.2, sd 2.1"."""
        return f"mean {short(self.mean[group, column])}, sd {short(self.sd[group, column])}"
