"""The binomial distribution: how many of a known number of trials succeed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.counting import (
    entropy_by_sum,
    is_count,
    log_ways,
    looked_up,
    pieces_of_counts,
    refuse_outside,
)
from likely.dist.distribution import Sizes, not_negative, probability, short, together
from likely.dist.family import Family
from likely.dist.numeric.logs import special, x_log_y
from likely.dist.numeric.pieces import Pieces, just_below
from likely.dist.numeric.value_grid import Grid
from likely.dist.predictive.beta_binomial import BetaBinomial
from likely.dist.priors.beta import Beta, BinomialBeta
from likely.dist.univariate import Ends, Univariate
from likely.dist.weighed import Unit
from likely.errors import LikelyError
from likely.stats.binned import Cells
from likely.stats.groups import Floats, Groups
from likely.stats.sums import Sums
from likely.table.column.block import Rows
from likely.table.column.kinds import Kind


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Binomial(Univariate, Family):
    """The number of successes of probability p among `trials`.

    How many trials there are is not learnt: it is the largest count seen in the column, unless the prior
    says it: `BinomialBeta(1, 1, trials=10)`. More than that is impossible.

    Default prior: Beta(strength, strength). Maximum likelihood is 1/2 for a group without rows.

    >>> Binomial.fit([7, 9, 8, 8], prior=BinomialBeta(1, 1, trials=10))
    Binomial(p=0.7857142857142857, trials=10.0)
    >>> Binomial.fit([1, 4, 1], prior=None)
    Binomial(p=0.5, trials=4.0)
    """

    name = "binomial"
    kinds = (Kind.COUNT,)
    statistic = Cells
    conjugate = Beta
    named_prior = BinomialBeta
    predicted_by = BetaBinomial
    story = "the successes of so many trials, with the chance of the {group}"
    whole = True

    p: Floats
    trials: Floats

    def __init__(self, p: ArrayLike, trials: ArrayLike) -> None:
        first, second = together(probability("p", p), not_negative("trials", trials))
        self._set(p=first, trials=second)

    @classmethod
    def collect(cls, rows: Rows, groups: Groups, sizes: Sizes = None) -> Cells:
        """How often there was each count in rows (b, d), dense or sparse; NaN is missing."""
        refuse_outside(rows, 0.0, "binomial describes counts: 0, 1, 2 and so on")
        return Cells.collect(rows, groups)

    @classmethod
    def ml(cls, stat: Cells) -> Binomial:
        """Successes / trials, of as many trials as the largest count."""
        trials = cls.most(stat)
        return cls(Sums(stat.n * trials, stat.total).share, trials)

    @classmethod
    def most(cls, stat: Cells) -> Floats:
        """The largest count of each column, (1, d); 1 of a column of nothing else than 0."""
        largest = np.ones(stat.power.shape)
        np.maximum.at(largest.reshape(-1), stat.where, np.ceil(stat.centre))
        return np.asarray(largest.max(axis=0, keepdims=True, initial=1.0))

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """0, 1, 2 and so on; more than there are trials have probability 0."""
        return is_count(x)

    def _log_prob(self, x: Floats) -> Floats:
        rest = np.maximum(self.trials - x, 0.0)
        return log_ways(self.trials, x) + x_log_y(x, self.p) + x_log_y(rest, 1 - self.p)

    def ends(self) -> Ends:
        """From 0 to as many as there are trials; one of them alone where p is 0 or 1."""
        return self.trials * (self.p == 1), self.trials * (self.p > 0)

    def _cdf(self, x: Floats) -> Floats:
        return special("betaincc", x + 1, self.trials - x, self.p)

    def _sf(self, x: Floats) -> Floats:
        return special("betainc", x + 1, self.trials - x, self.p)

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        return looked_up(self, rows)

    def pieces(self, column: int) -> Pieces | None:
        """A line up to the trials, where all groups have as many: the number of orders is then the same."""
        p, trials = self.p[:, column], float(self.trials[0, column])
        if (self.trials[:, column] != trials).any():
            return pieces_of_counts(self, column, self.trials[:, column])
        never, always = p == 0, p == 1
        on, off = np.log(np.where(never, 1.0, p)), np.log1p(-np.where(always, 0.0, p))
        line = Pieces.line(trials * off, on - off)
        line = line.only(up_to=0.0, groups=never) if never.any() else line
        line = line.only(above=float(just_below(trials)), groups=always) if always.any() else line
        return line.only(up_to=trials)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.binomial(self.trials.astype(np.int64), self.p, shape).astype(np.float64)

    @cached_property
    def mean(self) -> Floats:
        """trials p."""
        return np.asarray(self.trials * self.p)

    @cached_property
    def variance(self) -> Floats:
        """trials p (1 - p)."""
        return np.asarray(self.mean * (1 - self.p))

    def entropy(self) -> Floats:
        """In nats; there is no closed form."""
        return entropy_by_sum(self, np.full_like(self.p, 20.0))[()]

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "success 0.31 of 10"."""
        return f"success {short(self.p[group, column])} of {short(self.trials[group, column])}"

    @classmethod
    def candidate(cls, cells: Cells, grid: Grid, unit: Unit) -> bool:
        """How many trials there are is not learnt, so that it has no code."""
        return False

    @classmethod
    def possible(cls, stat: Cells) -> bool:
        """No count is below 0."""
        return bool((stat.centre >= 0).all())

    @classmethod
    def at(cls, prior: BinomialBeta, parameters: Floats) -> Binomial:
        """The binomial distribution of this p."""
        return cls(parameters, prior.trials)

    @classmethod
    def predictive(cls, prior: BinomialBeta) -> BetaBinomial:
        """The beta-binomial distribution."""
        return BetaBinomial(prior.a, prior.b, prior.trials)

    @classmethod
    def told(cls, prior: BinomialBeta, stat: Cells) -> Sums:
        """The trials and the successes behind the counts."""
        trials = _trials_of_cells(prior, stat)
        if (stat.centre > trials).any():
            most = float(stat.centre.max())
            raise LikelyError(f"a count of {most:g} is more than trials={trials.max():g}: give more trials.")
        return Sums(stat.n * prior.trials, stat.total)

    @classmethod
    def log_base(cls, prior: BinomialBeta, stat: Cells) -> Floats:
        """The ways to order the trials of each count."""
        return stat.sum(stat.weight * log_ways(_trials_of_cells(prior, stat), stat.centre))

    def log_natural(self, prior: Beta) -> Floats:
        """On the scale of the log-odds."""
        return prior.log_natural(self.p)

    @classmethod
    def default_prior(cls, stat: Cells, strength: float = 1.0) -> BinomialBeta:
        """Beta(strength, strength), of as many trials as the largest count."""
        return BinomialBeta(strength, strength, cls.most(stat))

    @classmethod
    def own_prior(cls, prior: Beta, stat: Cells) -> BinomialBeta:
        """A beta distribution as the prior of this p, of as many trials as the largest count."""
        return prior if isinstance(prior, BinomialBeta) else BinomialBeta(prior.a, prior.b, cls.most(stat))


def _trials_of_cells(prior: BinomialBeta, stat: Cells) -> Floats:
    """How many trials the counts of each cell are of."""
    return np.broadcast_to(prior.trials, stat.power.shape).reshape(-1)[stat.where]
