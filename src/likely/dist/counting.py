"""What distributions of counts share: support, factorials, sums over counts, rows that share out a total."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist.affine import Affine
from likely.dist.distribution import Distribution, dense, short, without_missing
from likely.dist.numeric.lookup import Lookup, codes_of
from likely.dist.numeric.pieces import IMPOSSIBLE, Pieces
from likely.errors import LikelyError
from likely.stats.groups import Floats
from likely.stats.sums import log_factorial
from likely.table.column.block import Rows, row_sums

MOST_STEPS = 4096  # of a table of counts


def is_count(x: Floats) -> NDArray[np.bool_]:
    """Whether each number is whole and not negative."""
    return np.asarray((x >= 0) & (x == np.floor(x)) & (x < np.inf))


def refuse_outside(rows: Rows, least: float, rule: str) -> None:
    """Name the first finite cell that is below the least count, or is not whole."""
    cells = rows if isinstance(rows, np.ndarray) else rows.toarray()
    wrong = (cells < least) | ((cells != np.floor(cells)) & ~np.isnan(cells))
    wrong &= np.isfinite(cells)  # infinity is the table's to refuse
    if wrong.any():
        raise LikelyError(f"value {float(cells[wrong][0]):g} is impossible: {rule}.")


def log_ways(trials: Floats, x: Floats) -> Floats:
    """The log of how many ways there are to choose x of the trials; -inf for more than all of them."""
    rest = trials - x
    ways = log_factorial(trials) - log_factorial(x) - log_factorial(np.maximum(rest, 0.0))
    return np.where(rest < 0, -np.inf, ways)


def sum_log_factorials(rows: Rows) -> Floats:
    """Sum over the known cells of each row of log x!, (b,), dense or sparse."""
    logs = log_factorial(rows)
    total: Floats = row_sums(logs)
    if not np.isnan(total).any():
        return total
    if isinstance(rows, np.ndarray):
        return np.asarray(np.nansum(logs, axis=1))
    logs.data = np.nan_to_num(logs.data)
    return np.asarray(row_sums(logs))


def looked_up(of: Distribution, rows: Rows) -> Floats:
    """log P(row given group), (b, g), of rows of counts (b, d), dense or sparse; a missing cell adds 0.

    Gamma functions are slow and counts few: those that occur are looked up (10 times as fast).
    """
    cells = dense(rows)
    highest = float(np.fmax.reduce(cells, axis=None, initial=0.0))
    if highest >= len(cells) or not (is_count(cells) | np.isnan(cells)).all():
        return Distribution.group_log_prob(of, cells)
    logs = of.log_prob(np.arange(highest + 1)[:, None, None])  # (k, g, d)
    return Lookup.of(list(np.moveaxis(logs, -1, 0)), of.batch[0])(codes_of(cells))


def pieces_of_counts(of: Distribution, column: int, most: Floats) -> Pieces | None:
    """log P(count given group) of a column, a step for every count up to the most (g,); None of too many."""
    counts = np.arange(float(most.max()) + 2)
    if len(counts) > MOST_STEPS:
        return None
    logs = of.take((slice(None), column)).log_prob(counts[:, None])
    return Pieces.steps(counts[:-1] + 0.5, np.where(np.isneginf(logs), IMPOSSIBLE, logs))


def entropy_by_sum(of: Distribution, tail: Floats) -> Floats:
    """-sum P(x) log P(x) over every count that matters: within 20 sds of the mean, and `tail` beyond."""
    out = np.empty(of.batch)
    reach = 20 * of.sd
    low = np.floor(np.maximum(of.mean - reach - 20, 0))
    high = np.ceil(of.mean + reach + tail)
    for place in np.ndindex(*of.batch):
        logs = of.take(place).log_prob(np.arange(float(low[place]), float(high[place]) + 1))
        out[place] = -(np.exp(logs) * np.where(np.isneginf(logs), 0.0, logs)).sum()
    return out


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
