"""Choosing a family (families="auto"): whether it can describe a column, and in how many bits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.value_grid import Grid
from likely.dist.univariate import Univariate
from likely.stats.binned import Cells
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats, Groups, Statistic
from likely.table.column.block import Rows
from likely.table.column.kinds import Kind

Unit = Literal["number", "duration", "moment"]  # of a column: dates and times of day are moments
NUMERIC = {Kind.QUANTITATIVE, Kind.COUNT}


class Weighed(ABC):
    """A candidate family: the one with the shortest description of a column is chosen."""

    kinds: ClassVar[tuple[Kind, ...]]  # of the columns it can stand for
    joint: ClassVar[bool] = False  # whether it is one distribution of all its columns
    statistic: ClassVar[type[Statistic]]
    outside: ClassVar[str] = ""  # what is said of cells that are of its kinds, but outside its support
    column_parameters: ClassVar[int] = 1  # free numbers that describe a column of a group

    @classmethod
    @abstractmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """Which numbers the support allows."""

    @classmethod
    @abstractmethod
    def collect(cls, rows: Rows, groups: Groups) -> Any:
        """The statistic of rows."""

    @abstractmethod
    def take(self, index: Any) -> Self:
        """The distributions at these places of the batch."""

    @classmethod
    def describes(cls, values: Floats) -> NDArray[np.bool_]:
        """Which numbers a column may hold for the family to be a candidate."""
        return cls.inside(values)

    @classmethod
    def candidate(cls, cells: Cells, grid: Grid, unit: Unit) -> bool:
        """Whether it may describe numbers that lie in these cells and on this grid.

        By default all that its support allows. Times are no counts, even if whole; and where 0 is a moment,
        as of dates, no support ends there.
        """
        if cls.joint or NUMERIC.isdisjoint(cls.kinds):
            return False
        counts = issubclass(cls, Univariate) and cls.whole
        if (counts and not (grid.whole and unit == "number")) or (cls.outside and unit == "moment"):
            return False
        return bool(cls.describes(grid.values).all())

    @classmethod
    def of_cells(cls, cells: Cells, grid: Grid) -> Statistic:
        """Its estimate from cells (g, 1), each counted as often as its weight."""
        if cls.statistic is Cells:
            return cells
        return cls.collect(cells.centre[:, None], _groups_of(cells))  # type: ignore[no-any-return]

    @classmethod
    def naming_bits(cls, grid: Grid) -> float:
        """The bits of settings that must be sent before the parameters."""
        return 0.0

    def coded(self, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
        """How many times log2 n bits its parameters take, and the log-probability of every cell's value.

        By default a parameter takes 1/2, and a density is brought to the points of the grid.
        """
        one = self.take((group, 0))
        assert isinstance(one, Univariate)
        logs = one.log_prob(own.centre)
        if not one.whole:
            logs = grid.on_points(logs, own, self.log_points(group, grid))
        return self.column_parameters / 2, logs

    def log_points(self, group: int, grid: Grid) -> float:
        """The log of what the density of a group, times the step, adds up to over the points of the grid."""
        one = self.take((group, 0))
        assert isinstance(one, Univariate)
        return grid.log_total(one.log_prob, *one.quantile([1e-12, 1 - 1e-12]).tolist())


def _groups_of(cells: Cells) -> Groups:
    return Groups.hard(cells.where, cells.n_groups, cells.weight)
