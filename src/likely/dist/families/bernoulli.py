"""The Bernoulli distribution: true or false."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.affine import Affine
from likely.dist.distribution import StraightLine, probability, short
from likely.dist.family import Family
from likely.dist.numeric.logs import log, x_log_y
from likely.dist.numeric.pieces import Pieces, log_or_impossible
from likely.dist.prior import Laplace, LevelNames, Smoothing
from likely.dist.priors.beta import Beta
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats
from likely.stats.sums import Sums
from likely.table.column.block import Rows
from likely.table.column.kinds import Kind


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Bernoulli(Univariate, Family):
    """True (1) with probability p, else false (0).

    Default prior: Laplace's, `strength` pseudo-counts of true and of false: Beta(1, 1). Maximum
    likelihood is 1/2 for a group without rows.

    >>> Bernoulli.fit([1, 1, 0, 1], prior=None)
    Bernoulli(p=0.75)
    >>> Bernoulli.fit([1, 1])
    Bernoulli(p=0.75)
    """

    name = "bernoulli"
    kinds = (Kind.BOOLEAN,)
    statistic = Sums
    conjugate = Beta
    counts_levels = True
    story = "true or false, by the toss of a coin of the {group}"
    whole = True

    p: Floats

    def __init__(self, p: ArrayLike) -> None:
        self._set(p=probability("p", p))

    @classmethod
    def ml(cls, stat: Sums) -> Bernoulli:
        """The relative frequency of true."""
        return cls(stat.share)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """0 and 1."""
        return np.asarray((x == 0) | (x == 1))

    def _log_prob(self, x: Floats) -> Floats:
        return x_log_y(x, self.p) + x_log_y(1 - x, 1 - self.p)

    def ends(self) -> Ends:
        """0 and 1; one of them twice where p is 0 or 1."""
        return np.floor(self.p), np.ceil(self.p)

    def _cdf(self, x: Floats) -> Floats:
        return 1 - self.p + 0 * x

    def _sf(self, x: Floats) -> Floats:
        return self.p + 0 * x

    @cached_property
    def _affine(self) -> Affine:
        return Affine.of_logs(log(self.p), log(1 - self.p))

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        return self._affine(rows)

    def pieces(self, column: int) -> Pieces:
        """One step up, between 0 and 1."""
        p = self.p[:, column]
        return Pieces.steps([0.5], log_or_impossible(np.stack([1 - p, p])))

    def linear_odds(self, a: int, b: int) -> StraightLine:
        """Linear in the cells."""
        return self._affine.odds(a, b)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return (rng.random(shape) < self.p).astype(np.float64)

    @cached_property
    def mean(self) -> Floats:
        """The probability of true."""
        return self.p

    @cached_property
    def variance(self) -> Floats:
        """p (1 - p)."""
        return np.asarray(self.p * (1 - self.p))

    def entropy(self) -> Floats:
        """In nats."""
        return -(x_log_y(self.p, self.p) + x_log_y(1 - self.p, 1 - self.p))

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "true 0.73", or with the names of false and true "yes 0.73, no 0.27"."""
        p = self.p[group, column]
        if levels is None:
            return f"true {short(p)}"
        return f"{levels[1]} {short(p)}, {levels[0]} {short(1 - p)}"

    @classmethod
    def possible(cls, stat: Sums) -> bool:
        """No more are true than there are rows."""
        return stat.is_share()

    @classmethod
    def count_keys(cls, names: Sequence[str]) -> tuple[bool, bool]:
        """How many are true, and how many false."""
        return True, False

    @classmethod
    def of_counts(cls, counts: Floats) -> Sums:
        """So many true ones of all."""
        return Sums(counts.sum().reshape(1, 1), counts[0].reshape(1, 1))

    @classmethod
    def at(cls, prior: Beta, parameters: Floats) -> Bernoulli:
        """The Bernoulli distribution of this p; it is the predictive one, too, at the mean."""
        return cls(parameters)

    def log_natural(self, prior: Beta) -> Floats:
        """On the scale of the log-odds."""
        return prior.log_natural(self.p)

    def as_seen(self) -> Sums:
        """As often true as it is probable."""
        return Sums(np.ones_like(self.p), self.p)

    @classmethod
    def default_prior(cls, stat: Sums, strength: float = 1.0) -> Beta:
        """Beta(strength, strength)."""
        return cls.smoothed(stat, Laplace(strength))

    @classmethod
    def smoothed(cls, stat: Sums, smoothing: Smoothing, levels: LevelNames = None) -> Beta:
        """The Beta distribution of the pseudo-counts."""
        false, true = smoothing.pseudo_counts(2)
        return Beta(true, false)
