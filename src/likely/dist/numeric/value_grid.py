"""The grid that the values of a column lie on, and from where to where they reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.binned import Cells
from likely.stats.dyadic_grid import EXACT, Packed
from likely.stats.groups import Floats

LEAST = 1e-150  # of a column that varies, how far it reaches: the square of less is no number
DECIMALS = 9  # up to so many, values are taken to be written with; those of longer ones to be continuous
DUST = 8 * float(np.finfo(np.float64).eps)  # relative deviations that rounding alone can make
FEW = 8  # values that are looked at first
SLACK = 1e-6  # of a step: a point of the grid so near an edge is on it
SMOOTH = 2.0  # steps: a normal density of a larger sd adds up to 1 over the grid, to the last bit
MOST_POINTS = 1 << 14  # that are added up one by one


@dataclass(frozen=True, slots=True)
class Reach:
    """The ends of the lowest and the highest cell; those of the column for a group without rows.

    >>> from likely.stats.groups import Groups
    >>> seen = Cells.collect(np.array([[1.0], [3.0]]), Groups.hard([0, 0], 2))
    >>> Reach.of(seen).low.tolist(), Reach.of(seen).high.tolist()
    ([[1.0], [1.0]], [[3.0], [3.0]])
    """

    low: Floats  # (g, d)
    high: Floats  # (g, d)
    column: Floats  # (1, d) how far the column reaches
    constant: NDArray[np.bool_]  # (1, d)
    empty: NDArray[np.bool_]  # (g, d) without rows

    @classmethod
    def of(cls, stat: Cells) -> Reach:
        """Of a column of which nothing was seen, from 0 to 1."""
        low, high = np.full(stat.power.shape, np.inf), np.full(stat.power.shape, -np.inf)
        width = np.where(stat.power > EXACT, np.ldexp(1.0, stat.power), 0.0).reshape(-1)
        np.minimum.at(low.reshape(-1), stat.where, stat.place)
        np.maximum.at(high.reshape(-1), stat.where, stat.place + width[stat.where])
        lowest, highest = low.min(axis=0, keepdims=True), high.max(axis=0, keepdims=True)
        unseen = lowest > highest
        lowest, highest = np.where(unseen, 0.0, lowest), np.where(unseen, 1.0, highest)
        empty = low > high
        reach = highest - lowest
        constant = reach < LEAST
        return cls(np.where(empty, lowest, low), np.where(empty, highest, high), reach, constant, empty)

    def ends(self, narrow: float) -> tuple[Floats, Floats]:
        """The ends, at least this share of the column apart; of a constant column, 1 apart."""
        middle = self.low / 2 + self.high / 2
        # Beside large values so small a range could round to nothing.
        least = np.maximum(narrow * self.column, 8 * np.spacing(np.abs(middle)))
        half = np.where(self.constant, np.maximum(1.0, least), least) / 2
        return np.minimum(self.low, middle - half), np.maximum(self.high, middle + half)

    def middle(self, narrow: float) -> tuple[Floats, Floats]:
        """As narrow a range as `ends` allows, around the middle of each group that has rows."""
        low, high = self.ends(narrow)
        middle, half = low / 2 + high / 2, np.maximum(narrow * self.column, 8 * np.spacing(np.abs(high))) / 2
        whole = self.constant | self.empty
        inner = np.maximum(low, middle - half), np.minimum(high, middle + half)
        return np.where(whole, low, inner[0]), np.where(whole, high, inner[1])


@dataclass(frozen=True, eq=False)
class Grid:
    """Points a step apart, from the least value to the greatest.

    With a grid, a density gives probabilities: p(x) * step, over the sum of that over all points. So
    densities, and the masses of counts and levels, are code lengths of the same thing.
    """

    values: Floats  # the different values of the column, ascending (of full cells, their means)
    step: float
    whole: bool  # whether the values are whole numbers

    @classmethod
    def of(cls, cells: Cells) -> Grid:
        """The grid of a column of cells (g, 1).

        If the values can be written with at most 9 decimals, the step is the largest number that all
        differences are multiples of; else, and where cells hold several values, the smallest difference
        that is no rounding error.

        >>> from likely.stats.groups import Groups
        >>> grid = Grid.of(Cells.collect(np.array([[0.1], [0.7], [0.4], [1.6]]), Groups.one(4)))
        >>> round(grid.step, 9), grid.room, grid.whole
        (0.3, 6, False)
        """
        values = np.unique(cells.centre)
        if len(values) < 2:
            whole = bool(len(values) and values[0] == np.floor(values[0]))
            return cls(values, 1.0, whole)
        step, decimals = None, 0
        if (cells.power == EXACT).all():
            step, decimals = common_step(values)
        if step is None:
            step, decimals = least_gap(values), DECIMALS + 1
        return cls(values, step, decimals == 0)

    @property
    def origin(self) -> float:
        """The least value."""
        return float(self.values[0])

    @property
    def room(self) -> int:
        """How many points there are from the least value to the greatest."""
        return round((float(self.values[-1]) - self.origin) / self.step) + 1

    def points(self, edges: Floats) -> Floats:
        """How many points lie from each edge up to the next; one on the last edge counts."""
        at = (edges - self.origin) / self.step
        first = np.ceil(at - SLACK)
        first[-1] = np.floor(at[-1] + SLACK) + 1
        return np.diff(first)

    def log_sum(self, mean: float, sd: float) -> float:
        """The log of what a normal density, times the step, adds up to over the points."""
        if sd > SMOOTH * self.step:
            return 0.0
        nearest = np.rint((mean - self.origin) / self.step)
        z = ((nearest + np.arange(-40, 41)) * self.step - (mean - self.origin)) / sd
        return float(np.logaddexp.reduce(-0.5 * z * z) + np.log(self.step / (sd * np.sqrt(2 * np.pi))))

    def log_total(self, log_prob: Callable[[Floats], Floats], low: float, high: float) -> float:
        """The log of what any density, times the step, adds up to over the points from low to high.

        Over more than so many points it is smooth, and adds up to 1.
        """
        first = np.ceil((low - self.origin) / self.step - SLACK)
        last = np.floor((high - self.origin) / self.step + SLACK)
        if not 0 <= last - first < MOST_POINTS:
            return 0.0
        points = self.origin + np.arange(first, last + 1) * self.step
        return float(np.logaddexp.reduce(log_prob(points)) + np.log(self.step))

    def on_points(self, log_density: Floats, own: Packed, log_sum: float) -> Floats:
        """A density as probabilities of the points; of a group of one value, that has all of it."""
        if len(own.place) == 1:
            return np.zeros(1)
        return np.asarray(log_density + (np.log(self.step) - log_sum))


def common_step(values: Floats) -> tuple[float | None, int]:
    """The largest number that all differences are multiples of, and the decimals it takes to write them."""
    few = values[:FEW] * 10.0**DECIMALS  # what is continuous shows it at once
    if (np.abs(few) < 2.0**53).all() and (np.abs(few - np.rint(few)) > DUST * np.abs(few)).any():
        return None, 0
    for decimals in range(DECIMALS + 1):
        scaled = values * 10.0**decimals
        whole = np.rint(scaled)
        if not (np.abs(whole) < 2.0**53).all():
            break
        if (np.abs(scaled - whole) <= (DUST * np.abs(scaled) if decimals else 0.0)).all():
            step = int(np.gcd.reduce(np.diff(whole).astype(np.int64)))
            return (step / 10.0**decimals if step else None), decimals
    return None, 0


def least_gap(values: Floats) -> float:
    """The smallest difference between two or more different values, ascending, that is no rounding error."""
    gaps = np.diff(values)
    real = gaps > DUST * np.maximum(np.abs(values[1:]), np.abs(values[:-1]))
    return float(gaps[real].min() if real.any() else gaps.min())
