"""Numbers in bins where their groups differ: discretise first, then count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likely.dist.density import Densities, Density
from likely.dist.families.binned import SharedBins
from likely.stats.binned import Cells
from likely.stats.bins import bin_codes
from likely.stats.class_cells import ClassCells
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Ints
from likely.stats.recursive_partition import entropy_of_shares, recursive_partition


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Discretized(SharedBins, Densities):
    """The share of a group's values in each of some bins, cut where the groups differ.

    The cuts are those of recursive partitioning by information gain, as far as they pay for their description
    (Fayyad and Irani). A column that does not tell the groups apart is one bin, which is no evidence. In all
    else this is `Binned`: values in a bin are spread alike in all groups.

    >>> from likely.stats import Groups
    >>> rows = np.array([[1.0], [2.0], [3.0], [4.0], [11.0], [12.0], [13.0], [14.0]])
    >>> stat = Cells.collect(rows, Groups.hard([0, 0, 0, 0, 1, 1, 1, 1], 2))
    >>> Discretized.estimate(stat).parts[:, 0]
    array([UnevenBars(2 bins from 1 to 14, 83% in 1 to 7),
           UnevenBars(2 bins from 1 to 14, 83% in 8 to 14)], dtype=object)
    """

    name = "discretize"
    story = (
        "a number from a bin of the column, cut where each {group} differs, and in it as in the whole column"
    )

    @classmethod
    def group_maker(cls, stat: Cells, j: int, column: Packed, strength: float) -> Callable[[Packed], Density]:
        """What makes a group's shares of the bins of a column."""
        return cls.maker(column, strength, cls.begin(stat, j, column))

    @classmethod
    def begin(cls, stat: Cells, j: int, column: Packed) -> Ints:
        """Which values of a column, in order, begin its second bin, its third, ..."""
        cells = ClassCells.of(stat, j)
        if len(cells) < 2 or len(column.place) < 2:
            return np.empty(0, np.intp)
        tree = recursive_partition(cells.counts, entropy_of_shares, "mdl")
        starts = np.unique(bin_codes(column.centre, cells.cuts[tree.starts[1:] - 1], below=True))
        return starts[(starts > 0) & (starts < len(column.centre))]
