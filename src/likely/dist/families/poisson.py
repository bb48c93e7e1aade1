"""The Poisson distribution: how many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.affine import Affine
from likely.dist.counting import entropy_by_sum, is_count, sum_log_factorials
from likely.dist.distribution import StraightLine, not_negative, short
from likely.dist.family import Family
from likely.dist.numeric.logs import log, log_gamma, special, x_log_y
from likely.dist.numeric.pieces import Pieces
from likely.dist.predictive.negative_binomial import NegativeBinomial
from likely.dist.priors.gamma import Gamma
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats
from likely.stats.sums import CountSums, log_factorial
from likely.table.column.block import Rows
from likely.table.column.kinds import Kind

SURELY = 1e6  # beyond twice the rate and so many, the chance of a larger count underflows


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Poisson(Univariate, Family):
    """Counts with this mean.

    Default prior: a Gamma distribution with the column's mean, worth `strength` rows, or as many events where
    a row has several (of a column of zeros, half a count over all its rows). Maximum likelihood: a group
    without rows has the column's mean.

    >>> Poisson.fit([2, 3, 4], prior=None)
    Poisson(rate=3.0)
    >>> Poisson(2).prob([0, -1, 1.5])
    array([0.13533528, 0.        , 0.        ])
    """

    name = "poisson"
    kinds = (Kind.COUNT,)
    statistic = CountSums
    conjugate = Gamma
    predicted_by = NegativeBinomial
    story = "a count, Poisson with the rate of the {group}"
    whole = True

    rate: Floats

    def __init__(self, rate: ArrayLike) -> None:
        self._set(rate=not_negative("rate", rate))

    @classmethod
    def ml(cls, stat: CountSums) -> Poisson:
        """The mean count."""
        pooled = stat.pooled()
        # Of nothing seen at all, half a count, as the default prior has it.
        column = np.where(pooled.n > 0, pooled.total / np.where(pooled.n > 0, pooled.n, 1.0), 0.5)
        return cls(np.where(stat.n > 0, stat.total / np.where(stat.n > 0, stat.n, 1.0), column))

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """0, 1, 2 and so on."""
        return is_count(x)

    def _log_prob(self, x: Floats) -> Floats:
        return np.asarray(x_log_y(x, self.rate) - self.rate - log_factorial(x))

    def ends(self) -> Ends:
        """From 0 on; nothing else where the rate is 0."""
        return 0.0, np.where(self.rate > 0, np.inf, 0.0)

    def _cdf(self, x: Floats) -> Floats:
        return special("gammaincc", self._near(x) + 1, self.rate)

    def _sf(self, x: Floats) -> Floats:
        return special("gammainc", self._near(x) + 1, self.rate)

    def _near(self, x: Floats) -> Floats:
        """Counts so large that none is ever larger, brought to where SciPy has an answer for them."""
        return np.minimum(x, 2 * self.rate + SURELY)

    @cached_property
    def _affine(self) -> Affine:
        return Affine.of_logs(log(self.rate), np.zeros_like(self.rate)).plus(-self.rate)

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        out = self._affine(rows)
        out -= sum_log_factorials(rows)[:, None]
        return out

    def pieces(self, column: int) -> Pieces:
        """A line; the factorials are the same for all groups. Nothing but 0 where the rate is 0."""
        rate = self.rate[:, column]
        line = Pieces.line(-rate, log(np.where(rate > 0, rate, 1.0)))
        return line if rate.all() else line.only(up_to=0.0, groups=rate == 0)

    def linear_odds(self, a: int, b: int) -> StraightLine:
        """Linear in the cells."""
        return self._affine.odds(a, b)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.poisson(self.rate, shape).astype(np.float64)

    @cached_property
    def mean(self) -> Floats:
        """The rate."""
        return self.rate

    @cached_property
    def variance(self) -> Floats:
        """The rate too."""
        return self.rate

    def entropy(self) -> Floats:
        """In nats; there is no closed form."""
        return entropy_by_sum(self, np.full_like(self.rate, 60.0))[()]

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "rate 3.2"."""
        return f"rate {short(self.rate[group, column])}"

    @classmethod
    def count_keys(cls, names: Sequence[str]) -> tuple[str, str]:
        """How many events, in how many rows' time."""
        return "total", "exposure"

    @classmethod
    def of_counts(cls, counts: Floats) -> CountSums:
        """One count over all the exposure: its rate is `exposure` times as large."""
        total, exposure = counts
        rest = log_gamma(total + 1) - x_log_y(total, exposure)
        return CountSums(*(np.reshape(number, (1, 1)) for number in (exposure, total, rest)))

    @classmethod
    def at(cls, prior: Gamma, parameters: Floats) -> Poisson:
        """The Poisson distribution of this rate."""
        return cls(parameters)

    @classmethod
    def predictive(cls, prior: Gamma) -> NegativeBinomial:
        """The negative binomial."""
        return NegativeBinomial(prior.shape, prior.rate)

    @classmethod
    def log_base(cls, prior: Gamma, stat: CountSums) -> Floats:
        """The factorials."""
        return -stat.log_factorial

    def log_natural(self, prior: Gamma) -> Floats:
        """On the scale of the log-rates."""
        return prior.log_natural(self.rate)

    def as_seen(self) -> CountSums:
        """A count of the rate."""
        return CountSums(np.ones_like(self.rate), self.rate, np.zeros_like(self.rate))

    @classmethod
    def default_prior(cls, stat: CountSums, strength: float = 1.0) -> Gamma:
        """The mean of the column, worth `strength` rows, or as many events where a row has several.

        So a group whose rate is far below the others' keeps it.
        """
        pooled = stat.pooled()
        counted = np.where(pooled.total > 0, pooled.total, 0.5)
        mean = counted / np.where(pooled.n > 0, pooled.n, 1.0)
        rows = strength / np.maximum(mean, 1.0)
        return Gamma(rows * mean, rows)
