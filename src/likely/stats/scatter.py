"""Weight, mean vector and scatter matrix of the complete rows in each group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.stats.exact import two_sum
from likely.stats.groups import Floats, Groups
from likely.stats.statistic import Statistic, take_out


@dataclass(frozen=True, slots=True)
class Scatter(Statistic):
    """Centred cross-products of the columns.

    Only rows without a missing cell enter: no sum over pairs of known cells would be the statistic
    of any likelihood. What the others know is the work of EM.

    >>> s = Scatter.collect(np.array([[1.0, 0.0], [3.0, 1.0]]), Groups.one(2))
    >>> s.scatter[0]
    array([[2. , 1. ],
           [1. , 0.5]])
    """

    n: Floats  # (g,) weight of the complete rows
    mean: Floats  # (g, d), 0 where n is 0
    scatter: Floats  # (g, d, d)
    mean_rest: Floats = None  # type: ignore[assignment]  # (g, d) what rounding took from the mean

    def __post_init__(self) -> None:
        if self.mean_rest is None:
            object.__setattr__(self, "mean_rest", np.zeros_like(self.mean))

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Scatter:
        """Nothing seen yet."""
        return cls(np.zeros(n_groups), np.zeros((n_groups, width)), np.zeros((n_groups, width, width)))

    @classmethod
    def collect(cls, rows: Any, groups: Groups) -> Scatter:
        """Take the cross-products of rows (b, d), dense or sparse; rows with NaN are left out."""
        rows = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
        result = cls.empty(groups.n_groups, rows.shape[1])
        complete = ~np.isnan(rows).any(axis=1)
        for group in range(groups.n_groups):
            weight = groups.column(group)
            inside = complete & (weight > 0)
            weight, mine = weight[inside], rows[inside]
            if not len(mine):
                continue
            n = weight.sum()
            # Twice: the second mean takes away the rounding of the first.
            mean = mine[0] + (weight @ (mine - mine[0])) / n
            own = mine - mean
            rest = (weight @ own) / n
            own -= rest
            result.n[group] = n
            result.mean[group], result.mean_rest[group] = two_sum(mean, rest)
            result.scatter[group] = (own * weight[:, None]).T @ own
        return result

    @property
    def covariance(self) -> Floats:
        """The maximum-likelihood covariance, scatter / n (0 where nothing was seen), (g, d, d)."""
        n = np.broadcast_to(self.n[:, None, None], self.scatter.shape)
        return np.divide(self.scatter, n, out=np.zeros_like(self.scatter), where=n > 0)

    def __add__(self, other: Scatter) -> Scatter:
        n = self.n + other.n
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = (other.mean - self.mean) + (other.mean_rest - self.mean_rest)
        moved = two_sum(self.mean, self.mean_rest + delta * share[:, None])
        mean, rest = np.where((self.n == 0)[:, None], (other.mean, other.mean_rest), moved)
        between = delta[:, :, None] * delta[:, None, :] * (self.n * share)[:, None, None]
        return Scatter(n, mean, self.scatter + other.scatter + between, rest)

    def __sub__(self, other: Scatter) -> Scatter:
        n = np.maximum(take_out(self.n, other.n), 0.0)
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        some = (n > 0)[:, None]
        delta = (self.mean - other.mean) + (self.mean_rest - other.mean_rest)
        mean, rest = np.where(some, two_sum(self.mean, self.mean_rest + delta * share[:, None]), 0.0)
        between = delta[:, :, None] * delta[:, None, :] * (self.n * share)[:, None, None]
        left = self.scatter - other.scatter - between
        return Scatter(n, mean, np.where(some[:, :, None], left, 0.0), rest)

    def __mul__(self, factor: float) -> Scatter:
        n = self.n * factor
        mean, rest = np.where((n > 0)[:, None], (self.mean, self.mean_rest), 0.0)
        return Scatter(n, mean, self.scatter * factor, rest)
