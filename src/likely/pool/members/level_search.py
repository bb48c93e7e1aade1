"""Which question splits the leaves of a level best, for the trees of all folds side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likely.pool.members.cut_cells import CutCells

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

RIDGE = 1.0  # rows that say nothing, in each leaf


class LevelSearch:
    """Questions about some columns: does a cell lie above a bin?

    A question is the same for all leaves of a tree. It is the better, the longer the vector of what it
    explains of the slopes: the root of the sum over its leaves of (sum of slopes)^2 / weight.
    """

    def __init__(self, cut: CutCells, columns: Ints, fold: Ints, row: Ints) -> None:
        """Of rows that each belong to the tree of a fold, (m,)."""
        n_bins = cut.n_bins[columns]
        self.columns, self.fold, self.folds = columns, fold, int(fold.max()) + 1
        self.ends = np.cumsum(n_bins)
        self.starts = self.ends - n_bins
        self.owner = np.repeat(np.arange(len(columns)), n_bins)  # (b,) of all bins
        self.places = (cut.codes[:, columns] + self.starts.astype(np.int32))[row]  # (m, c)
        self.ones = np.ones(self.places.size)
        self.row_ends = np.arange(0, self.places.size + 1, len(columns))

    def best(self, counted: Floats, leaf: Ints, leaves: int, noise: Floats) -> tuple[Ints, Ints]:
        """The column and the bin that split the leaves of each tree best, (folds,).

        Of each row its slopes and, last, its weight are counted, (m, t + 1); noise, (folds, b), is added to
        what a question is worth.
        """
        own = self._by_bin(counted, leaf, leaves)
        up_to = np.cumsum(own, axis=-1)
        before = up_to[..., self.starts] - own[..., self.starts]
        all_bins = (up_to[..., self.ends - 1] - before)[..., self.owner]
        up_to -= before[..., self.owner]
        worth = np.sqrt((_explained(up_to) + _explained(all_bins - up_to)).sum(axis=1)) + noise
        worth[:, self.ends - 1] = -np.inf  # nothing lies above the last bin of a column
        at = worth.argmax(axis=1)
        column = self.owner[at]
        return self.columns[column], at - self.starts[column]

    def _by_bin(self, counted: Floats, leaf: Ints, leaves: int) -> Floats:
        """Sums of what is counted, by leaf and bin, (t + 1, folds, leaves, b)."""
        bins = len(self.owner)
        shape = self.folds * leaves * bins, len(leaf)
        at = self.places + ((self.fold * leaves + leaf) * bins)[:, None]
        where = sparse.csc_matrix((self.ones, at.ravel(), self.row_ends), shape)
        return np.ascontiguousarray((where @ counted).T).reshape(-1, self.folds, leaves, bins)


def _explained(sums: Floats) -> Floats:
    """Of sums of slopes and, last, the weight, (t + 1, ...): the square of what a mean explains."""
    squares = np.square(sums[0])
    for own in sums[1:-1]:
        squares += own * own
    return np.asarray(squares / (np.maximum(sums[-1], 0.0) + RIDGE))
