"""Stretches of sequences as points: where states last, K-means finds them in what a stretch has in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.models.groups.points import Look, Points
from likely.models.markov.sequences import Sequences

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Stretches:
    """The means of so many rows at a time, NaN where all are missing: points of their own."""

    points: Floats  # (m, p)
    scale: Floats  # (p,): the worth of each axis
    weight: Floats  # (m,)
    which: Ints  # (n,): the stretch of each row of the table

    @classmethod
    def of(cls, points: Points, sequences: Sequences, weight: Floats, length: int) -> Stretches:
        """Stretches of a length, and what is left of each sequence."""
        lengths = sequences.lengths
        many = -(-lengths // length)
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        which = np.empty(lengths.sum(), np.intp)
        which[sequences.rows] = np.repeat(np.cumsum(many) - many, lengths) + within // length
        m = int(many.sum())
        total, known = np.zeros((2, m, len(points.scale)))

        def look(start: int, cells: Floats) -> None:
            own = which[start : start + len(cells)]
            there = ~np.isnan(cells)
            for axis in range(cells.shape[1]):
                some = there[:, axis]
                total[:, axis] += np.bincount(own[some], cells[some, axis], m)
                known[:, axis] += np.bincount(own[some], minlength=m)

        points.each(look)
        with np.errstate(invalid="ignore"):
            means = total / np.where(known > 0, known, np.nan)
        return cls(means, points.scale, np.bincount(which, weight, m).astype(np.float64), which)

    @property
    def n(self) -> int:
        """How many stretches there are."""
        return len(self.points)

    @property
    def most(self) -> int:
        """All are at hand at once."""
        return max(self.n, 1)

    def at(self, stretches: Ints) -> Floats:
        """The points of some stretches, (k, p)."""
        return self.points[stretches]

    def each(self, look: Look) -> None:
        """Look at all points."""
        look(0, self.points.copy())
