"""Weight, mean and squared deviations of each column in each group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.stats.groups import Floats, Groups
from likely.stats.scratch import scratch_like
from likely.stats.statistic import Statistic
from likely.stats.sums import sums_of_known

# When the squares around a common centre exceed those around a group's own mean by this factor,
# subtracting one from the other would lose three digits: the deviations are then taken directly.
CANCELLATION = 1e3


@dataclass(frozen=True, slots=True)
class Moments(Statistic):
    """Centred moments, so that a shift of the data costs no digits.

    >>> m = Moments.collect(np.array([[1.0], [3.0]]), Groups.one(2))
    >>> m.n.item(), m.mean.item(), m.scatter.item()
    (2.0, 2.0, 2.0)
    """

    n: Floats  # (g, d) weight of the known cells
    mean: Floats  # (g, d), 0 where n is 0
    scatter: Floats  # (g, d) sum of squared deviations from the mean

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Moments:
        """Nothing seen yet."""
        return cls(*(np.zeros((n_groups, width)) for _ in range(3)))

    @classmethod
    def collect(cls, rows: Any, groups: Groups) -> Moments:
        """Take the moments of rows (b, d), dense or sparse; NaN is missing."""
        if not isinstance(rows, np.ndarray):
            return _collect_sparse(rows, groups)
        if not len(rows):
            return cls.empty(groups.n_groups, rows.shape[1])
        centre = _rough_centre(rows)
        known = None
        deviations = np.subtract(rows, centre, out=scratch_like("deviations", rows))
        total = groups.sum(deviations)
        n = np.repeat(groups.total()[:, None], rows.shape[1], axis=1)
        if np.isnan(total).any():
            known = ~np.isnan(rows)
            deviations[~known] = 0.0
            total, n = groups.sum(deviations), groups.sum(known.astype(np.float64))
        mean = np.divide(total, n, out=np.zeros_like(n), where=n > 0)
        squares = groups.sum(np.square(deviations, out=deviations))
        scatter = np.maximum(squares - n * mean * mean, 0.0)
        lost = (scatter * CANCELLATION < squares).any(axis=1)
        if lost.any():
            scatter = _direct(rows - centre, known, groups, mean, scatter, lost)
        return cls(n, np.where(n > 0, centre + mean, 0.0), scatter)

    @property
    def variance(self) -> Floats:
        """The maximum-likelihood variance, scatter / n (0 where nothing was seen)."""
        return np.divide(self.scatter, self.n, out=np.zeros_like(self.n), where=self.n > 0)

    def __add__(self, other: Moments) -> Moments:
        n = self.n + other.n
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = other.mean - self.mean
        scatter = self.scatter + other.scatter + delta * delta * (self.n * share)
        # An empty side hands over the other's mean untouched, to the last bit.
        mean = np.where(self.n == 0, other.mean, self.mean + delta * share)
        return Moments(n, mean, scatter)

    def __sub__(self, other: Moments) -> Moments:
        n = np.maximum(self.n - other.n, 0.0)
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = self.mean - other.mean
        mean = np.where(n > 0, self.mean + delta * share, 0.0)
        left = self.scatter - other.scatter - delta * delta * (self.n * share)
        return Moments(n, mean, np.where(n > 0, np.maximum(left, 0.0), 0.0))

    def __mul__(self, factor: float) -> Moments:
        n = self.n * factor
        return Moments(n, np.where(n > 0, self.mean, 0.0), self.scatter * factor)


def _rough_centre(rows: Floats) -> Floats:
    """The mean of a few rows spread over the block: near enough to centre by, and nearly free."""
    few = rows[:: max(1, len(rows) // 64)]
    known = ~np.isnan(few)
    centre: Floats = np.where(known, few, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return centre


def _direct(
    deviations: Floats, known: Any, groups: Groups, mean: Floats, scatter: Floats, lost: Any
) -> Floats:
    """The squares around each group's own mean, for the groups that lost digits."""
    if known is not None:
        deviations[~known] = 0.0
    inside = 1.0 if known is None else known
    if groups.codes is not None:
        own = (deviations - mean[groups.codes]) * inside
        return groups.sum(own * own)
    scatter = scatter.copy()
    for group in map(int, np.flatnonzero(lost)):
        own = (deviations - mean[group]) * inside
        scatter[group] = groups.column(group) @ (own * own)
    return scatter


def _collect_sparse(rows: Any, groups: Groups) -> Moments:
    """Around 0, where most cells are; columns that lose digits so are few and are taken as dense."""
    n, total = sums_of_known(rows, groups)
    squares = sums_of_known(rows.multiply(rows).tocsr(), groups)[1]
    mean = np.divide(total, n, out=np.zeros_like(n), where=n > 0)
    scatter = np.maximum(squares - n * mean * mean, 0.0)
    lost = np.flatnonzero((scatter * CANCELLATION < squares).any(axis=0))
    if len(lost):
        dense = Moments.collect(rows[:, lost].toarray().astype(np.float64), groups)
        mean[:, lost], scatter[:, lost] = dense.mean, dense.scatter
    return Moments(n, mean, scatter)
