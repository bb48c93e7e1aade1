"""What few rows hold is not shown: levels are put together, and bins with their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LEAST_ROWS = 10  # that a value, or a bin, has on the page


@dataclass(frozen=True)
class Rarity:
    """How many rows a value must have to be shown by itself; 0 shows all.

    >>> Rarity(10).kept(np.array([50.0, 3.0, 10.0])).tolist()
    [True, False, True]
    """

    least: float = LEAST_ROWS

    def kept(self, rows: Floats) -> NDArray[np.bool_]:
        """Which values have rows enough; with no limit, those that no row has too."""
        return np.asarray(rows >= self.least)

    def runs(self, rows: Floats) -> list[tuple[int, int]]:
        """Neighbours in order as runs that have rows enough each, (start, stop); all in one if they are few.

        >>> Rarity(10).runs(np.array([3.0, 8.0, 20.0, 1.0])), Rarity(0).runs(np.array([3.0, 0.0]))
        ([(0, 2), (2, 4)], [(0, 1), (1, 2)])
        """
        ends: list[int] = []
        total = 0.0
        for place, own in enumerate(rows.tolist()):
            total += own
            if total >= self.least:
                ends.append(place + 1)
                total = 0.0
        if ends and total < self.least:  # what is left over goes to the run before
            ends[-1] = len(rows)
        ends = ends or [len(rows)]
        if ends[-1] < len(rows):
            ends.append(len(rows))
        return list(zip([0, *ends[:-1]], ends, strict=True))

    def smoothed(self, rows: Floats) -> Floats:
        """Rows of neighbours in order, those of a run shared out evenly."""
        out = np.zeros(len(rows))
        for start, stop in self.runs(rows):
            out[start:stop] = rows[start:stop].sum() / (stop - start)
        return out


def together(names: Sequence[str]) -> str:
    """What levels that are shown as one are called.

    >>> together(["a", "b"])
    'another (2 rare values)'
    """
    return f"another ({len(names)} rare value{'' if len(names) == 1 else 's'})"
