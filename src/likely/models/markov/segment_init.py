"""Stretches of sequences as points: where states last, K-means finds them in what a stretch has in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.models.groups.points import PointRows, Points
from likely.models.markov.sequences import Sequences

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Stretches:
    """The means of so many rows at a time, NaN where all are missing: points of their own."""

    means: Floats  # (m, p)
    scale: Floats  # (p,): the worth of each axis
    weight: Floats  # (m,)
    which: Ints  # (n,): the stretch of each row of the table
    engine: Engine

    @classmethod
    def of(cls, points: Points, sequences: Sequences, weight: Floats, length: int) -> Stretches:
        """Stretches of a length, and what is left of each sequence."""
        lengths = sequences.lengths
        many = -(-lengths // length)
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        which = np.empty(lengths.sum(), np.intp)
        which[sequences.rows] = np.repeat(np.cumsum(many) - many, lengths) + within // length
        m = int(many.sum())
        rows = Chunk(RowsOfStretches(points.rows.data, which), points.n, len(points.scale))
        total, known = points.engine.reduce(rows, SumsOfStretches(m))
        with np.errstate(invalid="ignore"):
            means = total / np.where(known > 0, known, np.nan)
        heavy = np.bincount(which, weight, m).astype(np.float64)
        return cls(means, points.scale, heavy, which, points.engine)

    @property
    def n(self) -> int:
        """How many stretches there are."""
        return len(self.means)

    @property
    def most(self) -> int:
        """All are at hand at once."""
        return max(self.n, 1)

    @property
    def rows(self) -> Chunk[PointRows]:
        """All points, for an engine."""
        return Chunk(MeanPoints(self.means), *self.means.shape)

    def at(self, places: Ints) -> Floats:
        """The points of some stretches, (k, p)."""
        return self.means[places]


@dataclass(frozen=True, slots=True)
class MeanPoints:
    """Points that are written out already."""

    means: Floats  # (m, p)

    def points(self, start: int, stop: int) -> Floats:
        """Some of them, (b, p)."""
        return self.means[start:stop].copy()


@dataclass(frozen=True, slots=True)
class RowsOfStretches:
    """The rows of a table as points, and the stretch of each."""

    rows: PointRows
    which: Ints  # (n,)


@dataclass(frozen=True, slots=True)
class SumsOfStretches(ReduceTask[RowsOfStretches, Floats]):
    """For each stretch and axis the sum of what is known, and how much that is, (2, m, p)."""

    m: int

    def step(self, data: RowsOfStretches, start: int, stop: int) -> Floats:
        """Of some rows."""
        cells, own = data.rows.points(start, stop), data.which[start:stop]
        there = ~np.isnan(cells)
        sums = np.empty((2, self.m, cells.shape[1]))
        for axis in range(cells.shape[1]):
            some = there[:, axis]
            sums[0, :, axis] = np.bincount(own[some], cells[some, axis], self.m)
            sums[1, :, axis] = np.bincount(own[some], minlength=self.m)
        return sums
