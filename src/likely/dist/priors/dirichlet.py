"""The Dirichlet distribution: the prior of the probabilities of levels, or of words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import (
    SUM_TOLERANCE,
    Sizes,
    check_sizes,
    column_max,
    column_sums,
    demand,
    not_negative,
    numbers,
    spread_out,
)
from likely.dist.numeric.incomplete_counts import shares_of
from likely.dist.numeric.logs import digamma, log_gamma, log_rising, x_log_y
from likely.dist.prior import Prior
from likely.errors import LikelyError
from likely.stats.counts import Counts
from likely.stats.groups import Floats
from likely.stats.sums import GapSums


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Dirichlet(Prior):
    """The density of probabilities p proportional to the product of p_i^(alpha_i - 1).

    As if alpha_i of level i had been seen before; some, not all, may be 0. With `sizes`, several columns
    stand side by side. With `trials`, it is of the words of a multinomial, so many a row.

    >>> Dirichlet([1, 1, 1]).posterior(Counts(np.array([[2.0, 4.0, 1.0]]), (3,))).mean
    array([[0.3, 0.5, 0.2]])
    """

    parameter_axes = 1
    event_axes = 1

    alpha: Floats  # (..., K)
    sizes: Sizes
    trials: Floats | None  # (...)

    def __init__(self, alpha: ArrayLike, sizes: Sizes = None, trials: ArrayLike | None = None) -> None:
        array = not_negative("alpha", alpha)
        sizes = check_sizes(sizes, array.shape[-1])
        totals = column_sums(array, sizes)
        totals = totals if sizes is None else totals[..., np.flatnonzero(sizes)]
        demand("the sum of alpha", totals, totals > 0, "one of them must be above 0")
        self._set(alpha=array, sizes=sizes, trials=None if trials is None else numbers("trials", trials))

    @property
    def batch(self) -> tuple[int, ...]:
        """The shape of the batch; it ends with the number of columns if there are `sizes`."""
        return self.alpha.shape[:-1] + (() if self.sizes is None else (len(self.sizes),))

    @cached_property
    def total(self) -> Floats:
        """The sum of alpha in each column."""
        return column_sums(self.alpha, self.sizes)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """From 0 to 1."""
        return np.asarray((x >= 0) & (x <= 1))

    def log_prob(self, x: ArrayLike) -> Floats:
        """The log density of probabilities (..., K), for each column."""
        values = numbers("x", x)
        sums = column_sums(values, self.sizes)
        outside = ~(self.inside(values) | np.isnan(values))
        outside = column_sums(outside.astype(np.float64), self.sizes) > 0
        outside |= np.abs(sums - 1) > SUM_TOLERANCE
        with np.errstate(all="ignore"):
            return np.where(outside, -np.inf, self._log_prob(values))[()]

    def _log_prob(self, x: Floats) -> Floats:
        parts = x_log_y(self.alpha - 1, x) - log_gamma(self.alpha)
        return column_sums(parts, self.sizes) + log_gamma(self.total)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        n = shape[: len(shape) - len(self.batch)]
        shape = (*n, *self.alpha.shape)
        # Gamma(alpha) is Gamma(alpha + 1) times a power: in logs, not all of a column can underflow to 0.
        with np.errstate(divide="ignore"):
            logs = (
                np.log(rng.standard_gamma(self.alpha + 1, shape)) - rng.exponential(size=shape) / self.alpha
            )
        shares = np.exp(logs - spread_out(column_max(logs, self.sizes), self.sizes))
        return shares / spread_out(column_sums(shares, self.sizes), self.sizes)

    @cached_property
    def mean(self) -> Floats:
        """alpha over its sum."""
        return np.asarray(self.alpha / spread_out(self.total, self.sizes))

    @cached_property
    def variance(self) -> Floats:
        """mean (1 - mean) / (sum + 1)."""
        return np.asarray(self.mean * (1 - self.mean) / (spread_out(self.total, self.sizes) + 1))

    @property
    def mode(self) -> Floats:
        """alpha - 1 over its sum; the mean where no alpha exceeds 1."""
        above = np.maximum(self.alpha - 1, 0)
        total = spread_out(column_sums(above, self.sizes), self.sizes)
        return np.where(total > 0, above / np.where(total > 0, total, 1), self.mean)

    def entropy(self) -> Floats:
        """In nats."""
        spread = digamma(self.alpha) - spread_out(digamma(self.total), self.sizes)
        parts = log_gamma(self.alpha) - (self.alpha - 1) * spread
        return column_sums(parts, self.sizes) - log_gamma(self.total)

    def posterior(self, stat: Counts | GapSums) -> Dirichlet:
        """What is believed once the levels, or the words, are counted.

        Of words in rows with gaps it is the one whose mean is the estimate "mean" of a `Multinomial`, and
        that weighs as much as the words that were seen: nearly what is believed, which is no Dirichlet.
        """
        counts, sizes = self._counts(stat)
        alpha = self.alpha + counts
        if isinstance(stat, Counts):
            return Dirichlet(alpha, sizes)
        shares = None
        if not stat.complete:
            shares = shares_of(stat, alpha)
            alpha = alpha.sum(axis=-1, keepdims=True) * shares
        return Dirichlet(alpha, sizes, mean_length(stat, shares))

    def log_natural(self, probs: Floats) -> Floats:
        """The sum of alpha_i log p_i, of each column."""
        return column_sums(x_log_y(self.alpha, probs), self.sizes)

    def log_evidence(self, stat: Counts | GapSums) -> Floats:
        """The log-probability of the levels, or the words, in the order they came."""
        if isinstance(stat, GapSums) and not stat.complete:
            raise LikelyError(
                "the evidence of rows of counts with missing cells has no closed form: leave these rows out."
            )
        counts, sizes = self._counts(stat)
        seen = column_sums(counts, sizes)
        total = column_sums(self.alpha, sizes)
        return column_sums(log_rising(self.alpha, counts), sizes) - log_rising(total, seen)

    def _counts(self, stat: Counts | GapSums) -> tuple[Floats, Sizes]:
        counts, sizes = (stat.table, stat.sizes) if isinstance(stat, Counts) else (stat.total, None)
        if self.alpha.shape[-1] != counts.shape[-1] or self.sizes not in (sizes, None):
            raise LikelyError(
                f"alpha has {self.alpha.shape[-1]} places and the data {counts.shape[-1]}: "
                "give one for each level of each column."
            )
        return counts, sizes


def mean_length(stat: GapSums, shares: Floats | None) -> Floats:
    """How many words a row has in each group, (g,); over all groups where one has no rows.

    With gaps, by the share of a row's words (g, d) that the known cells of a column are expected to hold.
    """
    n, words = stat.n.max(axis=1, initial=0.0), stat.total.sum(axis=1)
    if shares is not None and not stat.complete:
        n = (stat.n * shares).sum(axis=1)
    overall = words.sum() / max(n.sum(), 1.0)
    return np.asarray(np.where(n > 0, words / np.where(n > 0, n, 1.0), overall))
