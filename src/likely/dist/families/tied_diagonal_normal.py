"""Normal distributions whose columns have each one variance, the same in all groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.families.normal import Normal
from likely.dist.numeric.column_variance import Spread
from likely.dist.priors.normal_inverse_gamma import NormalInverseGamma
from likely.dist.priors.shared_diagonal import SharedDiagonal
from likely.stats.moments import Moments


@dataclass(frozen=True, init=False, eq=False, repr=False)
class TiedDiagonalNormal(Normal):
    """A normal distribution with a mean for each group, and for each column one variance for all groups.

    The log-odds between groups are linear. Default prior, floors and constant columns are those of
    `Normal`; the worth of `strength` rows is believed of the one variance of a column, not of each group's.

    Maximum likelihood: the squared deviations from the groups' own means, over the rows of all groups.
    """

    name = "tied_diagonal_normal"
    named_prior = SharedDiagonal
    story = "a number, normal with the mean of the {group} and one sd for all"

    @classmethod
    def ml(cls, stat: Moments) -> Normal:  # type: ignore[override]
        """Means, and the pooled variance within the groups, floored."""
        column = Spread.of(stat)
        n, scatter = stat.n.sum(axis=0, keepdims=True), stat.scatter.sum(axis=0, keepdims=True)
        within = np.maximum(scatter / np.where(n > 0, n, 1.0), column.floor)
        variance = np.where(column.constant, column.total, within)
        seen = (stat.n > 0) & ~column.constant
        mean, rest = np.where(seen, (stat.mean, stat.mean_rest), np.stack([column.mean, column.mean_rest]))
        return Normal(mean, np.sqrt(variance), rest)

    @classmethod
    def free_parameters(cls, stat: Moments) -> tuple[int, int]:
        """A mean for every column of a group; a variance for every column."""
        return int(stat.n.shape[1]), int(stat.n.shape[1])

    @classmethod
    def default_prior(cls, stat: Moments, strength: float = 1.0, hidden: bool = False) -> SharedDiagonal:
        """Weak, and in the units of the data; certain where the column is constant."""
        return cls.own_prior(super().default_prior(stat, strength, hidden), stat)

    @classmethod
    def own_prior(cls, prior: NormalInverseGamma, stat: Moments) -> SharedDiagonal:
        """What is believed of the mean and variance of a group, the variance being that of all groups."""
        return SharedDiagonal(prior.location, prior.kappa, prior.a, prior.b, prior.location_rest)
