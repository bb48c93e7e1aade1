"""A range of values in words, with the numbers that the words say."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.format.words import shown
from likely.table.build import values_of
from likely.table.column.column import Column

Floats = NDArray[np.float64]

DIGITS = range(3, 18)  # significant ones: as few as tell a limit from its neighbours


@dataclass(frozen=True)
class ValueRange:
    """The values from one number to another, both ends in it; no limit where the words name none."""

    low: float
    high: float
    words: str

    @classmethod
    def of(cls, column: Column, points: Floats, start: int, last: int) -> ValueRange:
        """From one of some rising points to another. At the ends of the points there is no limit."""
        low, high = (_limit(column, points, place) for place in (start, last))
        if start == 0:
            return cls(-math.inf, high[0], f"up to {high[1]}")
        if last == len(points) - 1:
            return cls(low[0], math.inf, f"from {low[1]} on")
        words = f"= {low[1]}" if low == high else f"from {low[1]} to {high[1]}"
        return cls(low[0], high[0], words)

    def holds(self, x: Floats) -> NDArray[np.bool_]:
        """Whether numbers lie in it; missing ones do not."""
        return np.asarray((x >= self.low) & (x <= self.high))


def _limit(column: Column, points: Floats, place: int) -> tuple[float, str]:
    """A point as it is written, and the number that is written: nearer to it than to its neighbours."""
    value = float(points[place])
    if column.unit is not None:
        whole = float(np.clip(round(value), math.ceil(points[0]), math.floor(points[-1])))
        return whole, shown(values_of(column, [whole], "dict")[0])
    before = float(points[max(place - 1, 0)])
    after = float(points[min(place + 1, len(points) - 1)])
    for digits in DIGITS:
        text = f"{value:.{digits}g}" if abs(value) < 1000 else f"{value:.{max(digits - 4, 0)}f}"
        said = float(text)
        inside = points[0] <= said <= points[-1]
        if said == value or (inside and (before + value) / 2 < said < (value + after) / 2):
            break
    return said, text
