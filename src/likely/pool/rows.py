"""The rows that members are fitted to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading import Reading, View

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class TaughtRows:
    """Rows with their classes, weights and folds, as they are read."""

    reading: Reading
    view: View
    codes: Ints  # (n,)
    n_classes: int
    weight: Floats  # (n,), with mean 1
    fold: Ints  # (n,)
    seed: int

    @property
    def n(self) -> int:
        """How many."""
        return len(self.codes)

    @property
    def folds(self) -> int:
        """In how many parts they are cut."""
        return int(self.fold.max()) + 1

    @property
    def shares(self) -> Floats:
        """Of the classes, (g,), with half a row added to each: none is impossible."""
        count = np.bincount(self.codes, self.weight, self.n_classes) + 0.5
        return np.asarray(count / count.sum())

    def truth(self) -> Floats:
        """1 where a row is of a class, else 0, (n, g)."""
        out = np.zeros((self.n, self.n_classes))
        out[np.arange(self.n), self.codes] = 1.0
        return out
