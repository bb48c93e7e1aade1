"""Where rows lie, for members that go by distances or mix columns freely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.reading import Reading, View

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LEAST_SPREAD = 0.05  # variance that a column of levels has at least: those nearly constant stay near


@dataclass(frozen=True)
class RowSpace:
    """Axes: standard and rank scores of numbers, levels, missing cells; each column varies about as much."""

    bins: Ints  # of all bins, those that have an axis
    heights: Floats  # how far out they lie

    @classmethod
    def learn(cls, reading: Reading) -> RowSpace:
        """From what was seen of each bin."""
        owner, columns = reading.owner, len(reading.n_bins)
        of_number = owner < reading.n_numbers
        keep = reading.frequent & (~of_number | reading.of_gaps)
        weight = reading.tallies.sum(axis=1)
        share = weight / np.maximum(np.bincount(owner, weight, columns), 1e-12)[owner]
        spread = np.bincount(owner, share * (1 - share) * keep, columns)
        height = np.where(of_number, 1.0, 1.0 / np.sqrt(np.maximum(spread, LEAST_SPREAD))[owner])
        bins = np.flatnonzero(keep)
        return cls(bins, height[bins])

    def place(self, view: View) -> Floats:
        """Coordinates of some rows, (n, q)."""
        scales, (n, m) = view.reading.scales, view.numbers.shape
        out = np.zeros((n, 2 * m + len(self.bins)))
        out[:, :m] = np.sqrt(0.5) * scales.standard(view.numbers)
        out[:, m : 2 * m] = np.sqrt(0.5) * scales.rank(view.numbers)
        view.one_hot(self.bins, self.heights, out[:, 2 * m :])
        return out
