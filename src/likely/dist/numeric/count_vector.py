"""Rows of counts that share out a total: what a multinomial and a Dirichlet-multinomial have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import Distribution, dense, short, without_missing
from likely.dist.numeric.affine import Affine
from likely.dist.numeric.counting import is_count, sum_log_factorials
from likely.stats.groups import Floats
from likely.stats.sums import log_factorial
from likely.table.sparse import Rows, row_sums


class CountVector(Distribution):
    """Counts (..., d) of words of d kinds, given how many words there are in all.

    A missing cell leaves the other kinds to share out the words that are known.
    """

    parameter_axes = 1
    event_axes = 1
    rest_name = "number of orders"

    total_tells: ClassVar[bool] = True  # whether the number of words tells groups apart, without gaps
    trials: Floats  # (...): how many words a row has that is drawn

    @property
    @abstractmethod
    def _weights(self) -> Floats:
        """To which the expected counts are proportional, (..., d)."""

    @abstractmethod
    def _cells(self, x: Floats) -> Floats:
        """What each count adds, (..., d)."""

    @abstractmethod
    def _cell_sums(self, rows: Rows) -> tuple[Floats, bool]:
        """The sums over the known cells of what each count adds, (b, g); and whether a cell is missing."""

    @abstractmethod
    def _of_total(self, words: Floats, mass: Floats) -> Floats:
        """What the number of words adds, shared among kinds of this weight together."""

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """0, 1, 2 and so on."""
        return is_count(x)

    def _log_prob(self, x: Floats) -> Floats:
        words = x.sum(axis=-1)
        orders = log_factorial(words) - log_factorial(x).sum(axis=-1)
        total = self._of_total(words, self._weights.sum(axis=-1))
        return np.asarray(self._cells(x).sum(axis=-1) + orders + total)

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group and its total), (b, g), of rows (b, d) of counts, dense or sparse."""
        out, _ = self._cell_sums(rows)
        out += self.rest(rows)
        return out

    def relative(self, rows: Rows, evidence: bool = True) -> tuple[Floats, Floats | float]:
        """The number of orders is the same for all groups."""
        apart, gaps = self._cell_sums(rows)
        if not (evidence or self.total_tells or gaps):
            return apart, 0.0
        totals = self._totals(rows)
        apart += self._of_total(*totals)
        return apart, self._orders(rows, totals[0])[:, 0] if evidence else 0.0

    def terms(self, rows: Rows) -> Floats:
        """What each column adds to the log-probability of each row in each group, (b, g, d)."""
        return without_missing(self._cells(dense(rows)[:, None, :]))

    def rest(self, rows: Rows) -> Floats:
        """The log number of orders in which the words can come, and what their total adds, (b, g)."""
        words, mass = self._totals(rows)
        return np.asarray(self._orders(rows, words) + self._of_total(words, mass))

    def _orders(self, rows: Rows, words: Floats) -> Floats:
        """The log number of orders in which the words can come, (b, 1)."""
        return np.asarray(log_factorial(words) - sum_log_factorials(rows)[:, None])

    def _totals(self, rows: Rows) -> tuple[Floats, Floats]:
        """How many words each row has, (b, 1), and the weight of the kinds that are known, (b, g)."""
        weights = self._weights
        words = row_sums(rows)[:, None]
        if not np.isnan(words).any():
            return words, np.broadcast_to(weights.sum(axis=1), (len(words), len(weights)))
        words = Affine(np.ones((1, weights.shape[1])), np.zeros((1, weights.shape[1])))(rows)
        return words, Affine(np.zeros_like(weights), weights)(rows)

    def _lengths(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Whole numbers of words; between two, either is drawn so often that the mean holds."""
        return np.floor(self.trials + rng.random(shape)).astype(np.int64)

    @cached_property
    def _shares(self) -> Floats:
        """The expected shares of the words, (..., d)."""
        return np.asarray(self._weights / self._weights.sum(axis=-1, keepdims=True))

    @property
    @abstractmethod
    def _clumping(self) -> Floats:
        """The correlation of two words of a row, (...)."""

    @cached_property
    def mean(self) -> Floats:
        """The expected counts."""
        return np.asarray(self.trials[..., None] * self._shares)

    @cached_property
    def variance(self) -> Floats:
        """Of each count: from the words, from their pairs, and from trials between whole numbers."""
        between = self.trials % 1 * (1 - self.trials % 1)
        pairs = self.trials * (self.trials - 1) + between
        words = (self.trials + pairs * self._clumping)[..., None] * (1 - self._shares)
        return np.asarray(self._shares * (words + between[..., None] * self._shares))

    def entropy(self) -> Floats:
        """In nats, given the number of trials."""
        out = np.empty(self.batch)
        for place in np.ndindex(*self.batch):
            one, below = self.take(place), int(self.trials[place])
            share = float(self.trials[place]) - below
            more = share * one._entropy(below + 1) if share else 0.0
            out[place] = (1 - share) * one._entropy(below) + more
        return out[()]

    def _entropy(self, trials: int) -> float:
        """Of a single distribution: each kind against all others, for the sum over all counts is long."""
        counts = np.arange(trials + 1.0)[:, None]  # (trials + 1, 1)
        weights = self._weights
        against = self._with_weights(np.stack([weights, weights.sum() - weights], axis=-1))
        marginal = against.prob(np.stack([counts, trials - counts], axis=-1))  # (trials + 1, d)
        each = self._cells(counts) - log_factorial(counts)
        parts = marginal * np.where(marginal > 0, each, 0.0)  # what cannot be may be -inf
        words = np.asarray(float(trials))
        return float(-log_factorial(words) - self._of_total(words, weights.sum()) - parts.sum())

    @classmethod
    @abstractmethod
    def _with_weights(cls, weights: Floats) -> Self:
        """The distribution with these weights."""

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "0.012 of the words"."""
        return f"{short(self._shares[group, column])} of the words"
