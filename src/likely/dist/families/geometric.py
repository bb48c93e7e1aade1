"""The geometric distribution: how many trials until the first success."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.affine import Affine
from likely.dist.counting import is_count, refuse_outside
from likely.dist.distribution import Sizes, demand, dense, probability, short
from likely.dist.family import Family
from likely.dist.numeric.logs import log, x_log_y
from likely.dist.numeric.pieces import Pieces, just_below
from likely.dist.predictive.beta_geometric import BetaGeometric
from likely.dist.priors.beta import Beta, GeometricBeta
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats, Groups
from likely.stats.sums import Sums
from likely.table.column.block import Rows
from likely.table.column.kinds import Kind


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Geometric(Univariate, Family):
    """The number of trials up to the first success of probability p: counts from 1.

    A count x is x - 1 failures and a success, so the statistic is that of the trials: how many there
    were, and how many succeeded (as many as rows); it knows its Beta prior from the Bernoulli's.

    Default prior: Beta(strength, strength). Maximum likelihood is 1 / mean, and 1/2 for a group without
    rows. A 0 is refused; counts from 0 have `x + 1` here.

    >>> Geometric.fit([1, 2, 1, 4], prior=None)
    Geometric(p=0.5)
    >>> Geometric(0.5).prob([1, 2, 0])
    array([0.5 , 0.25, 0.  ])
    """

    name = "geometric"
    story = "trials up to the first success, with the chance of the {group}"
    kinds = (Kind.COUNT,)
    statistic = Sums
    conjugate = Beta
    named_prior = GeometricBeta
    predicted_by = BetaGeometric
    whole = True

    p: Floats

    def __init__(self, p: ArrayLike) -> None:
        array = probability("p", p)
        self._set(p=demand("p", array, array > 0, "it must be above 0, for the first success to come"))

    @classmethod
    def collect(cls, rows: Rows, groups: Groups, sizes: Sizes = None) -> Sums:
        """The trials and successes behind rows (b, d) of counts, dense or sparse; NaN is missing."""
        refuse_outside(rows, 1.0, "counts for geometric begin at 1: add 1 to counts that begin at 0")
        counted = Sums.collect(rows, groups)
        return Sums(n=counted.total, total=counted.n)

    @classmethod
    def ml(cls, stat: Sums) -> Geometric:
        """Successes / trials."""
        return cls(stat.share)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """1, 2, 3 and so on."""
        return np.asarray(is_count(x) & (x >= 1))

    def _log_prob(self, x: Floats) -> Floats:
        return np.asarray(x_log_y(x - 1, 1 - self.p) + np.log(self.p))

    def ends(self) -> Ends:
        """From 1 on; nothing else where success is sure."""
        return 1.0, np.where(self.p < 1, np.inf, 1.0)

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(-np.expm1(x * np.log1p(-self.p)))

    def _sf(self, x: Floats) -> Floats:
        return np.exp(x * np.log1p(-self.p))

    @cached_property
    def _affine(self) -> Affine:
        sure = self.p == 1  # then every count but 1 is impossible
        log_failure = np.where(sure, 0.0, log(np.where(sure, 0.5, 1 - self.p)))
        barred = Affine(sure.astype(np.float64), -sure.astype(np.float64)) if sure.any() else None
        return Affine(log_failure, np.log(self.p) - log_failure, barred)

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        cells = dense(rows)
        out = self._affine(cells)
        out[(cells < 1).any(axis=1)] = -np.inf
        return out

    def pieces(self, column: int) -> Pieces:
        """A line from 1 on; nothing but 1 where success is sure."""
        p = self.p[:, column]
        sure = p == 1
        line = Pieces.line(np.log(p), np.log1p(-np.where(sure, 0.5, p)), 1.0)
        line = line.only(up_to=1.0, groups=sure) if sure.any() else line
        return line.only(above=float(just_below(1.0)))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.geometric(self.p, shape).astype(np.float64)

    @cached_property
    def mean(self) -> Floats:
        """1 / p."""
        return np.asarray(1 / self.p)

    @cached_property
    def variance(self) -> Floats:
        """(1 - p) / p^2."""
        return np.asarray((1 - self.p) / self.p**2)

    def entropy(self) -> Floats:
        """In nats: that of one trial, as often as there are trials."""
        return -(x_log_y(self.p, self.p) + x_log_y(1 - self.p, 1 - self.p)) / self.p

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "success 0.31, mean 3.2"."""
        return f"success {short(self.p[group, column])}, mean {short(self.mean[group, column])}"

    @classmethod
    def possible(cls, stat: Sums) -> bool:
        """No more trials succeed than there are."""
        return stat.is_share()

    @classmethod
    def n_rows(cls, stat: Sums) -> Floats:
        """As many as trials that succeeded."""
        return stat.total

    @classmethod
    def at(cls, prior: Beta, parameters: Floats) -> Geometric:
        """The geometric distribution of this p; a draw that rounds to 0 is the least there is."""
        return cls(np.maximum(parameters, np.finfo(np.float64).tiny))

    @classmethod
    def at_mode(cls, prior: Beta) -> Geometric:
        """The geometric distribution at the mode; at the mean, where that is 0."""
        return cls.at(prior, np.where(prior.mode > 0, prior.mode, prior.mean))

    @classmethod
    def predictive(cls, prior: Beta) -> BetaGeometric:
        """The beta-geometric distribution."""
        return BetaGeometric(prior.a, prior.b)

    def log_natural(self, prior: Beta) -> Floats:
        """On the scale of the log-odds."""
        return prior.log_natural(self.p)

    def as_seen(self) -> Sums:
        """As many trials as a success takes on average."""
        return Sums(n=self.mean, total=np.ones_like(self.p))

    @classmethod
    def default_prior(cls, stat: Sums, strength: float = 1.0) -> Beta:
        """Beta(strength, strength)."""
        return Beta(strength, strength)
