"""The values of one column in order, and how much of each group lies at each: what every cut looks at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.stats.binned import Cells
from likely.stats.bins import bin_codes
from likely.stats.dyadic_grid import EXACT, Packed
from likely.stats.groups import Floats, Ints


@dataclass(frozen=True, slots=True)
class ClassCells:
    """The occupied cells of a column, rising, on one grid for all groups.

    While the column has few distinct values each is a cell of its own, and all is exact.

    >>> from likely.stats.groups import Groups
    >>> rows = np.array([[2.0], [1.0], [2.0], [4.0]])
    >>> cells = ClassCells.of(Cells.collect(rows, Groups.hard([0, 0, 1, 1], 2)), 0)
    >>> cells.centre, cells.counts.tolist(), cells.cuts
    (array([1., 2., 4.]), [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]], array([1.5, 3. ]))
    """

    low: Floats  # (b,) where each cell begins
    last: Floats  # (b,) the same, or where the last of those begins that are joined in it
    centre: Floats  # (b,) the mean of its values
    counts: Floats  # (g, b)
    width: float  # of a cell; 0 while cells are values

    @classmethod
    def of(cls, cells: Cells, column: int) -> ClassCells:
        """The cells of one column of a statistic."""
        parts = [cells.packed(group, column) for group in range(cells.n_groups)]
        whole, counts = Packed.counted(parts)
        width = 0.0 if whole.power == EXACT else float(np.ldexp(1.0, whole.power))
        return cls(whole.place, whole.place, whole.centre, counts, width)

    def __len__(self) -> int:
        return len(self.low)

    @property
    def total(self) -> Floats:
        """The weight in each cell, (b,)."""
        return np.asarray(self.counts.sum(axis=0))

    @property
    def cuts(self) -> Floats:
        """Where to cut between each cell and the next, (b - 1,): midway, and so that f >= cut is the next."""
        below, above = self.last[:-1] + self.width, self.low[1:]
        middle = below / 2 + above / 2
        return np.where(middle > self.last[:-1], middle, above)

    def on_cells(self, edges: Floats) -> Floats:
        """Edges moved to where a cell ends, so that what lies between them is known exactly; none twice."""
        edges = np.unique(edges)
        if self.width and len(edges):
            starts = np.unique(bin_codes(self.low, edges))
            edges = self.cuts[starts[(starts > 0) & (starts < len(self))] - 1]
        return edges

    def between(self, edges: Floats) -> Floats:
        """How much of each group lies between rising inner edges, (g, k); one at an edge is above it."""
        starts = np.append(0, bin_codes(self.centre, edges, below=True))  # cells below each edge
        beside = np.append(self.counts, np.zeros((len(self.counts), 1)), axis=1)  # for bins beyond the last
        sums = np.add.reduceat(beside, starts, axis=1)
        sums[:, np.diff(starts, append=len(self)) == 0] = 0.0
        return sums

    def joined(self, starts: Ints) -> ClassCells:
        """Fewer cells: each of these, the first included, with those up to the next."""
        if len(starts) == len(self):
            return self
        counts = np.add.reduceat(self.counts, starts, axis=1)
        total = np.add.reduceat(self.total, starts)
        centre = np.add.reduceat(
            self.centre * (self.total / np.repeat(total, np.diff(starts, append=len(self)))), starts
        )
        last = self.last[np.append(starts[1:], len(self)) - 1]
        return ClassCells(self.low[starts], last, centre, counts, self.width)
