"""From where to where the numbers of a column reach, and to how many decimals they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DECIMALS = 9  # numbers with more are taken for continuous
FEW = 100  # numbers that are looked at first
ENOUGH = 30  # numbers, for their ends and decimals to be no chance


@dataclass(frozen=True, slots=True)
class Span:
    """The numbers that a column may hold, as far as those that were seen tell.

    >>> span = Span.of(np.array([0.5, np.nan, 2.25] * 15))
    >>> span, span.nearest(np.array([-3.0, 1.004, np.nan]))
    (Span(low=0.5, high=2.25, decimals=2), array([0.5, 1. , nan]))
    """

    low: float
    high: float
    decimals: int | None  # None: they are continuous

    @classmethod
    def of(cls, numbers: NDArray[Any], whole: bool = False) -> Span | None:
        """Of numbers, NaN where missing; None if there are none.

        Where a few of them end may be chance, and that they have no decimals, unless their type has none:
        of few only the sign is kept.
        """
        known = np.asarray(numbers, np.float64)
        known = known[np.isfinite(known)]
        if not len(known):
            return None
        low, high = float(known.min()), float(known.max())
        if len(known) < ENOUGH:
            return cls(0.0 if low >= 0 else -np.inf, 0.0 if high <= 0 else np.inf, 0 if whole else None)
        return cls(low, high, 0 if whole else _decimals(known))

    def both(self, other: Span | None) -> Span:
        """Of the numbers of two parts of a column."""
        if other is None:
            return self
        decimals = (
            None if self.decimals is None or other.decimals is None else max(self.decimals, other.decimals)
        )
        return Span(min(self.low, other.low), max(self.high, other.high), decimals)

    def nearest(self, numbers: Floats) -> Floats:
        """To each number the one nearest to it that the column may hold."""
        written = numbers if self.decimals is None else np.round(numbers, self.decimals)
        return np.clip(written, self.low, self.high)


def _decimals(known: Floats) -> int | None:
    """As few decimals as all of the numbers can be written with."""
    start = 0
    for some in (known[:FEW], known):
        for decimals in range(start, DECIMALS + 1):
            if (np.round(some, decimals) == some).all():
                start = decimals
                break
        else:
            return None
    return start
