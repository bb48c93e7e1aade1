"""From where to where the values of each group and column reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.binned import Cells
from likely.stats.dyadic_grid import EXACT
from likely.stats.groups import Floats

LEAST = 1e-150  # of a column that varies, how far it reaches: the square of less is no number


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
