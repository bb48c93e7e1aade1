"""The columns that trees split, cut into bins once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.numbers import bin_edges
from likely.stats.bins import bin_codes

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

BINS = (16, 32)  # of a column: of few rows and of many
ROWS = 8  # of a bin, about, between


@dataclass(frozen=True)
class CutCells:
    """The bin of each cell, and where bins begin; missing cells lie below all others."""

    codes: NDArray[np.int32]  # (n, p)
    edges: tuple[Floats, ...]  # of each column: where its second bin begins, the third, ...

    @classmethod
    def of(cls, cells: Floats) -> CutCells:
        """Of cells (n, p), NaN where missing."""
        most = int(np.clip(len(cells) / ROWS, *BINS))
        codes, edges = np.zeros(cells.shape, np.int32), []
        for j, column in enumerate(cells.T):
            known = ~np.isnan(column)
            own = bin_edges(*np.unique(column[known], return_counts=True), most)
            if not known.all():
                own = np.concatenate([[-np.inf], own])
            codes[known, j] = bin_codes(own, column[known])
            edges.append(own)
        return cls(codes, tuple(edges))

    @property
    def n_bins(self) -> Ints:
        """Of each column, (p,)."""
        return np.array([len(own) + 1 for own in self.edges], np.intp)

    def thresholds(self, columns: Ints, bins: Ints) -> Floats:
        """What a cell is at least if it lies above some bins of some columns."""
        flat = [self.edges[j][b] for j, b in zip(columns.ravel(), bins.ravel(), strict=True)]
        return np.array(flat).reshape(columns.shape)
