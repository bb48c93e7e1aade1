"""The uniform distribution: anywhere between two ends alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import demand, finite, short, together
from likely.dist.family import Family
from likely.dist.numeric.logs import log
from likely.dist.numeric.pieces import Pieces, just_below
from likely.dist.numeric.value_grid import Grid, Reach
from likely.dist.predictive.uniform_pareto import UniformPareto
from likely.dist.prior import CERTAIN
from likely.dist.priors.bilateral_pareto import BilateralPareto
from likely.dist.univariate import Ends, Univariate
from likely.dist.weighed import Unit
from likely.stats.binned import Cells
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats
from likely.table.column.kinds import Kind

ROWS_A_RANGE = 50  # at least, in each class, for "auto" to weigh it
NARROW = 1e-3  # of the column's range: no group's is taken to be less


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Uniform(Univariate, Family):
    """The same density everywhere from `low` to `high`, and 0 elsewhere.

    Extremes cannot be taken back from a sum of data; the statistic keeps the cells that the values lie in,
    so the ends are those of the lowest and the highest cell: the values themselves while there are at
    most 32768 different ones, then up to a cell further out.

    Default prior: a bilateral Pareto distribution of the ends, worth `strength` rows, that believes in
    no more than the middle of the group's own values; the expected ends lie outside the values by
    range / (n + strength - 1), so a new value just outside is possible, and far outside has density 0
    (not so for estimate="predictive"). No group is narrower than 1/1000 of the column; of a constant
    column all have the same range, 1 wide, so that it is never evidence.

    Maximum likelihood: the observed range; a group without rows has that of the column.

    >>> Uniform.fit([2.0, 5.0, 3.0], prior=None)
    Uniform(low=2.0, high=5.0)
    >>> Uniform.fit([2.0, 5.0, 3.0])
    Uniform(low=1.0, high=6.0)
    """

    name = "uniform"
    story = "between two ends of the {group}, anywhere alike"
    kinds = (Kind.QUANTITATIVE, Kind.COUNT)
    statistic = Cells
    conjugate = BilateralPareto
    column_parameters = 2
    predicted_by = UniformPareto

    low: Floats
    high: Floats

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        first, second = together(finite("low", low), finite("high", high))
        demand("high", second, second > first, "it must be above low")
        self._set(low=first, high=second)

    @classmethod
    def ml(cls, stat: Cells) -> Uniform:
        """The observed range."""
        return cls(*Reach.of(stat).ends(NARROW))

    def _log_prob(self, x: Floats) -> Floats:
        within = (x >= self.low) & (x <= self.high)
        return np.where(within, -np.log(self.high - self.low), -np.inf)

    def pieces(self, column: int) -> Pieces:
        """One step for each group."""
        ends = zip(self.low[:, column].tolist(), self.high[:, column].tolist(), strict=True)
        return Pieces.beside(
            [
                Pieces.steps([], [[-np.log(high - low)]]).only(above=float(just_below(low)), up_to=high)
                for low, high in ends
            ]
        )

    def ends(self) -> Ends:
        """Low and high."""
        return self.low, self.high

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray((x - self.low) / (self.high - self.low))

    def _sf(self, x: Floats) -> Floats:
        return np.asarray((self.high - x) / (self.high - self.low))

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(self.low + (self.high - self.low) * q)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.uniform(self.low, self.high, shape)

    @cached_property
    def mean(self) -> Floats:
        """Half way."""
        return np.asarray(self.low / 2 + self.high / 2)

    @cached_property
    def variance(self) -> Floats:
        """(high - low)^2 / 12."""
        return np.asarray((self.high - self.low) ** 2 / 12)

    def entropy(self) -> Floats:
        """In nats."""
        return log(self.high - self.low)

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "from 2.1 to 5.3"."""
        return f"from {short(self.low[group, column])} to {short(self.high[group, column])}"

    @classmethod
    def candidate(cls, cells: Cells, grid: Grid, unit: Unit) -> bool:
        """Only of many rows: few say little of ends beyond which nothing is possible."""
        return bool(cells.n[cells.n > 0].min() >= ROWS_A_RANGE) and super().candidate(cells, grid, unit)

    def coded(self, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
        """An end takes log2 n bits: n rows fix it to 1/n of the range."""
        return 2.0, super().coded(group, own, grid)[1]

    def log_points(self, group: int, grid: Grid) -> float:
        """How many points there are between the ends, over how many steps."""
        low, high = float(self.low[group, 0]), float(self.high[group, 0])
        return float(np.log(grid.points(np.array([low, high]))[0] * grid.step / (high - low)))

    @classmethod
    def at(cls, prior: BilateralPareto, parameters: Floats) -> Uniform:
        """The uniform distribution between these ends."""
        return cls(parameters[..., 0], parameters[..., 1])

    @classmethod
    def predictive(cls, prior: BilateralPareto) -> UniformPareto:
        """Uniform from left to right, with Pareto tails."""
        return UniformPareto(prior.left, prior.right, prior.rows)

    @classmethod
    def default_prior(cls, stat: Cells, strength: float = 1.0) -> BilateralPareto:
        """Around the middle of each group, 1/1000 of the column wide; certain where that is constant."""
        reach = Reach.of(stat)
        return BilateralPareto(*reach.middle(NARROW), np.where(reach.constant, CERTAIN, strength))
