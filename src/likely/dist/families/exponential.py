"""The exponential distribution: how long until something happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.affine import Affine
from likely.dist.distribution import StraightLine, positive, short
from likely.dist.family import Family
from likely.dist.numeric.pieces import Pieces, just_below
from likely.dist.numeric.value_grid import Grid
from likely.dist.predictive.lomax import Lomax
from likely.dist.prior import CERTAIN
from likely.dist.priors.gamma import Gamma
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats
from likely.stats.sums import Sums
from likely.table.column.block import LIMIT, Rows
from likely.table.column.kinds import Kind

NARROW = 1e-9  # of the column's mean: no group's is taken to be less
LEAST = float(np.finfo(np.float64).tiny)  # of a rate that is drawn


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Exponential(Univariate, Family):
    """Waiting times from 0 on, with this rate: 1 / mean.

    Default prior: a Gamma distribution of the rate, as if `strength` values with the column's mean had been
    seen. Of a column of zeros the mean is taken to be 1 in every group, so that it is never evidence. Maximum
    likelihood: 1 / mean, which is at least 1e-9 of the column's; a group without rows has the column's.

    >>> Exponential.fit([2.0, 3.0, 4.0], prior=None)
    Exponential(rate=0.3333333333333333)
    >>> Exponential(0.5).sf([0, 2, -1]).round(4)
    array([1.    , 0.3679, 1.    ])
    """

    name = "exponential"
    kinds = (Kind.QUANTITATIVE, Kind.COUNT)
    statistic = Sums
    conjugate = Gamma
    predicted_by = Lomax
    story = "a waiting time, exponential with the rate of the {group}"
    outside = "exponential describes waiting times, from 0 on"

    rate: Floats

    def __init__(self, rate: ArrayLike) -> None:
        self._set(rate=positive("rate", rate))

    @classmethod
    def ml(cls, stat: Sums) -> Exponential:
        """The number of values over their total."""
        column, varies = _column_mean(stat)
        some = (stat.n > 0) & varies
        mean = np.where(some, stat.total / np.where(some, stat.n, 1.0), column)
        return cls(1 / np.maximum(mean, NARROW * column))

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """From 0 on."""
        return np.asarray((x >= 0) & (x < np.inf))

    def _log_prob(self, x: Floats) -> Floats:
        return np.asarray(np.log(self.rate) - self.rate * x)

    def ends(self) -> Ends:
        """From 0 on."""
        return 0.0, np.inf

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(-np.expm1(-self.rate * x))

    def _sf(self, x: Floats) -> Floats:
        return np.exp(-self.rate * x)

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(-np.log1p(-q) / self.rate)

    @cached_property
    def _affine(self) -> Affine:
        return Affine(np.asfortranarray(-self.rate), np.log(self.rate))

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        below = (rows if isinstance(rows, np.ndarray) else rows.data) < 0
        return super().group_log_prob(rows) if below.any() else self._affine(rows)

    def pieces(self, column: int) -> Pieces:
        """A line from 0 on."""
        rate = self.rate[:, column]
        return Pieces.line(np.log(rate), -rate).only(above=float(just_below(0.0)))

    def linear_odds(self, a: int, b: int) -> StraightLine:
        """Linear in the cells."""
        return self._affine.odds(a, b)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.standard_exponential(shape) / self.rate

    @cached_property
    def mean(self) -> Floats:
        """1 / rate."""
        return np.asarray(1 / self.rate)

    @cached_property
    def variance(self) -> Floats:
        """The square of the mean."""
        return np.asarray(self.mean**2)

    def entropy(self) -> Floats:
        """In nats."""
        return np.asarray(1 - np.log(self.rate))

    def describe(self, group: int, column: int, levels: Sequence[object] | None = None) -> str:
        """As "rate 0.31, mean 3.2"."""
        return f"rate {short(self.rate[group, column])}, mean {short(self.mean[group, column])}"

    def log_points(self, group: int, grid: Grid) -> float:
        """A geometric series, from the first point that is not below 0."""
        rate = float(self.rate[group, 0])
        first = max(grid.origin - np.floor(grid.origin / grid.step + 1e-6) * grid.step, 0.0)
        return float(np.log(rate * grid.step) - rate * first - np.log(-np.expm1(-rate * grid.step)))

    @classmethod
    def count_keys(cls, names: Sequence[str]) -> tuple[str, str]:
        """How many values, and their total."""
        return "number", "total"

    @classmethod
    def of_counts(cls, counts: Floats) -> Sums:
        """So many values with this total."""
        return Sums(*counts.reshape(2, 1, 1))

    @classmethod
    def told(cls, prior: Gamma, stat: Sums) -> Sums:
        """As many events as values, in all the time that was waited."""
        return Sums(n=stat.total, total=stat.n)

    @classmethod
    def at(cls, prior: Gamma, parameters: Floats) -> Exponential:
        """The exponential distribution of this rate; a draw that rounds to 0 is the least there is."""
        return cls(np.clip(parameters, LEAST, 1 / LEAST))

    @classmethod
    def at_mode(cls, prior: Gamma) -> Exponential:
        """The exponential distribution at the mode; at the mean, where that is 0."""
        return cls.at(prior, np.where(prior.mode > 0, prior.mode, prior.mean))

    @classmethod
    def predictive(cls, prior: Gamma) -> Lomax:
        """The Lomax distribution."""
        return Lomax(prior.shape, prior.rate)

    def log_natural(self, prior: Gamma) -> Floats:
        """On the scale of the log-rates."""
        return prior.log_natural(self.rate)

    def as_seen(self) -> Sums:
        """A value at the mean."""
        return Sums(np.ones_like(self.rate), self.mean)

    @classmethod
    def default_prior(cls, stat: Sums, strength: float = 1.0) -> Gamma:
        """So many values with the mean of the column; certain where all are 0."""
        mean, varies = _column_mean(stat)
        worth = np.where(varies, strength, CERTAIN)
        return Gamma(worth, worth * mean)


def _column_mean(stat: Sums) -> tuple[Floats, NDArray[np.bool_]]:
    """The mean of each column, (1, d), or 1 where all values are as good as 0; and whether some are not."""
    pooled = stat.pooled()
    some = pooled.total * LIMIT > pooled.n
    return np.where(some, pooled.total / np.where(some, pooled.n, 1.0), 1.0), some
