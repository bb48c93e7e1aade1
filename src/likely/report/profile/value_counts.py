"""The numbers of a column, counted: each distinct one, and how often it occurs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.stats.groups import Floats, Ints


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """Finite numbers in order, each once, with their counts; and how many cells are none.

    >>> ValueCounts.of(np.array([3.0, np.nan, 1.0, 3.0, np.inf]))
    ValueCounts(values=array([1., 3.]), counts=array([1, 2]), missing=1, infinite=1)
    """

    values: Floats  # (k,) ascending
    counts: Ints  # (k,)
    missing: int
    infinite: int
    ends: Ints = field(init=False, repr=False)  # (k,) counts added up

    def __post_init__(self) -> None:
        object.__setattr__(self, "ends", np.cumsum(self.counts))

    @classmethod
    def of(cls, numbers: NDArray[Any], zeros: int = 0) -> ValueCounts:
        """Count numbers (NaN is missing), and so many zeros that are not among them."""
        ordered = np.sort(numbers)
        low, high, known = 0, len(ordered), len(ordered)
        if ordered.dtype.kind == "f":  # NaNs come last
            low = int(np.searchsorted(ordered, -np.inf, "right"))
            high, known = (int(place) for place in np.searchsorted(ordered, [np.inf, np.nan]))
        finite = ordered[low:high]
        # Compared before they become floats, which would take large neighbours for the same number.
        new = np.ones(len(finite), bool)
        np.not_equal(finite[1:], finite[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        values = finite[starts].astype(np.float64) + 0.0  # no -0
        counts = np.diff(starts, append=len(finite))
        if zeros:
            values, counts = _with_zeros(values, counts, zeros)
        return cls(values, counts, len(ordered) - known, low + known - high)

    @property
    def n(self) -> int:
        """How many finite numbers there are."""
        return int(self.ends[-1]) if len(self.ends) else 0

    def quantiles(self, shares: ArrayLike) -> Floats:
        """The values below which these shares of the numbers lie, linear between neighbours."""
        place = np.asarray(shares, np.float64) * (self.n - 1)
        before = np.floor(place).astype(np.intp)
        after = np.minimum(before + 1, self.n - 1)
        low, high = (self.values[self.ends.searchsorted(at, "right")] for at in (before, after))
        part = place - before
        # Not low + part * (high - low): the difference of two numbers may be beyond all of them.
        return np.where(low == high, low, low * (1 - part) + high * part)

    def without(self, place: int) -> ValueCounts:
        """The others, one value left out."""
        return ValueCounts(np.delete(self.values, place), np.delete(self.counts, place), self.missing, 0)


def _with_zeros(values: Floats, counts: Ints, zeros: int) -> tuple[Floats, Ints]:
    place = int(np.searchsorted(values, 0.0))
    if place < len(values) and values[place] == 0:
        counts[place] += zeros
        return values, counts
    return np.insert(values, place, 0.0), np.insert(counts, place, zeros)
