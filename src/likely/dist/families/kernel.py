"""Kernel densities: a normal bump over every value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.density import Densities, spread_of
from likely.dist.numeric.kernel_density import Bumps
from likely.dist.numeric.value_grid import Grid
from likely.dist.predictive.student_t import StudentT
from likely.dist.weighed import Unit
from likely.stats.binned import Cells
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats

NARROW = 1e-3  # of the column's spread: no group's is taken to be less
TAIL = 4  # degrees of freedom of the background: heavy, and it has a variance
TRIED = 2.0 ** np.arange(-4, 2.25, 0.25)  # bandwidths of which the likeliest is taken, of the rule's


class _OverValues(ABC):
    """A bump over every value, of a bandwidth that a family says."""

    parts: NDArray[Any]  # of Bumps

    @classmethod
    @abstractmethod
    def bandwidth(cls, seen: Packed, whole: float, strength: float) -> float:
        """The sd of a bump; `whole` is the spread of the column."""

    @classmethod
    def made(cls, seen: Packed, column: Packed, strength: float) -> Bumps:
        """The bumps over a group's values."""
        whole = spread_of(column)
        background = StudentT(TAIL, column.quantile(0.5), whole)
        return Bumps(seen, cls.bandwidth(seen, whole, strength), strength, background)

    def coded(self, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
        """The bandwidth, and as many parameters as the curve has in effect.

        These are the values' own shares of the density that each has, added up. For levels and for bars the
        same sum is the number of those that are not empty.
        """
        bumps = self.parts[group, 0]
        logs = bumps.log_prob(own.centre)
        own_bump = 1 / (bumps.bandwidth * np.sqrt(2 * np.pi))
        shares = own_bump / np.maximum(np.exp(logs) * own.weight.sum(), own_bump)
        log_sum = grid.log_sum(grid.origin, bumps.bandwidth)  # the bumps stand on points of the grid
        return (1 + float((own.weight * shares).sum())) / 2, grid.on_points(logs, own, log_sum)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Kernel(_OverValues, Densities):
    """The mean of normal densities around the values.

    Bandwidth: Silverman's rule, 0.9 min(sd, IQR / 1.34) / n^(1/5), for each group by itself.
    `KernelByLikelihood` takes the one under which each value is most probable given the others.

    Default prior: `strength` imagined rows spread out as the column is, by Student's t with 4 degrees of
    freedom around its median, so that no number has density 0; and the squared spread that the rule
    goes by is believed, with that worth, to be the column's. Maximum likelihood: the values' bumps
    alone, whose spread is at least 1/1000 of the column's. (Either is a Dirichlet process's
    expectation, with that many rows behind its base.)

    >>> found = Kernel.fit([1.0, 2.0, 2.0, 3.0, 3.0, 5.0], prior=None)
    >>> found.prob([2.0, 4.0, 50.0]).round(4)
    array([0.3272, 0.044 , 0.    ])
    >>> found
    Kernel(mean 2.67, sd 1.33, bandwidth 0.469)
    """

    name = "kernel"
    story = "one of the numbers seen in the {group}, and a normal step from it"

    @classmethod
    def bandwidth(cls, seen: Packed, whole: float, strength: float) -> float:
        """By the rule."""
        n = float(seen.weight.sum())
        own = (n * seen.spread() ** 2 + strength * whole**2) / (n + strength)
        return float(0.9 * max(np.sqrt(own), NARROW * whole) / max(n, 1.0) ** 0.2)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class KernelByLikelihood(_OverValues, Densities):
    """A kernel density whose bandwidth makes each value most probable given the others.

    Of bandwidths from 1/16 to 4 times the rule's, a fourth root of 2 apart, that are at least twice as
    wide as a cell of the grid; equal values count for one another, so data that are rounded
    coarsely are better served by the rule.
    """

    name = "kernel_by_likelihood"
    story = Kernel.story

    @classmethod
    def candidate(cls, cells: Cells, grid: Grid, unit: Unit) -> bool:
        """The rule's bandwidth is tried alone: one kernel density is enough."""
        return False

    @classmethod
    def bandwidth(cls, seen: Packed, whole: float, strength: float) -> float:
        """The likeliest of those tried."""
        rule = Kernel.bandwidth(seen, whole, strength)
        if len(seen.place) < 2 or seen.weight.sum() <= 1:
            return rule
        tried = [float(h) for h in rule * TRIED if h >= 2 * seen.width] or [rule]
        return max(tried, key=lambda h: _without_oneself(seen, h))


Kernel.register(KernelByLikelihood)  # it is one of them, for `isinstance`


def _without_oneself(seen: Packed, bandwidth: float) -> float:
    """The mean log density of each value given all the others."""
    n = float(seen.weight.sum())
    whole = n * np.exp(Bumps(seen, bandwidth, 0.0, StudentT(TAIL)).log_prob(seen.centre))
    others = whole - np.minimum(seen.weight, 1.0) / (bandwidth * np.sqrt(2 * np.pi))
    # Of a value with no other near, what is left is rounding: less than any density that counts.
    least = 1e-12 * whole.max()
    return float(np.average(np.log(np.maximum(others, least)), weights=seen.weight))
