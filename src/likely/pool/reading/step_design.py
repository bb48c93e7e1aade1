"""Functions of single columns as columns of numbers, and the directions in which rows vary."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.reading import Reading, View

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LINE = (
    2.0  # what a standard score is measured in, beside ranks and levels: the smaller, the more it is shrunk
)
STEP = 0.6  # a bin of numbers
WIDEST = 800  # bins of numbers, beyond which these have no steps
NEGLIGIBLE = 1e-7  # of the greatest variance: directions with less are left out


@dataclass(frozen=True)
class StepDesign:
    """Line, rank and steps of numbers, and levels, side by side."""

    bins: Ints  # of all bins, those that have a column, in order
    heights: Floats  # what is written where a row lies in them
    source: Ints  # (p,), the binned column that each column of the design comes from

    @classmethod
    def learn(cls, reading: Reading) -> StepDesign:
        """Which bins have a column of their own."""
        m, owner = reading.n_numbers, reading.owner
        of_number = owner < m
        keep = reading.frequent.copy()
        if of_number.sum() > WIDEST:
            keep &= ~of_number | reading.of_gaps
        bins = np.flatnonzero(keep)
        source = np.concatenate([np.arange(m), np.arange(m), owner[bins]])
        return cls(bins, np.where(of_number[bins], STEP, 1.0), source)

    def matrix(self, view: View) -> Floats:
        """The design of some rows, (n, p)."""
        scales, (n, m) = view.reading.scales, view.numbers.shape
        out = np.zeros((n, len(self.source)))
        out[:, :m] = LINE * scales.standard(view.numbers, seen=True)
        out[:, m : 2 * m] = scales.rank(view.numbers)
        view.one_hot(self.bins, self.heights, out[:, 2 * m :])
        return out


@dataclass(frozen=True)
class Directions:
    """The principal directions of some columns about their mean, and the rows in them."""

    centre: Floats  # (p,)
    turn: Floats  # (p, r)
    rows: Floats  # (n, r)
    scatter: Floats  # (r,), sums of squares

    @classmethod
    def of(cls, matrix: Floats, weight: Floats, least: float = 0.0) -> Directions:
        """Of a matrix (n, p), by the smaller of its two Gram matrices; of more than the `least` scatter."""
        centre = weight @ matrix / weight.sum()
        z = matrix - centre
        n, p = z.shape
        heavy = np.sqrt(weight)[:, None] * z
        if p <= n:
            square, turn = np.linalg.eigh(heavy.T @ heavy)
        else:
            square, left = np.linalg.eigh(heavy @ heavy.T)
            square = np.maximum(square, 0.0)
            turn = heavy.T @ (left / np.sqrt(np.maximum(square, 1e-300)))
        keep = square > NEGLIGIBLE * max(square[-1] if len(square) else 0.0, 1e-12)
        keep &= square > least
        turn = np.ascontiguousarray(turn[:, keep])
        return cls(centre, turn, z @ turn, square[keep])
