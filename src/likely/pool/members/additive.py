"""The additive member: each column adds a function of its own to the log-odds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading import Reading, View
from likely.pool.ridge import Directions, ridge_path
from likely.pool.rows import TaughtRows
from likely.pool.scores import log_probabilities

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

RIDGES = np.geomspace(3000.0, 0.0003, 15)
LINE = (
    2.0  # what a standard score is measured in, beside ranks and levels: the smaller, the more it is shrunk
)
STEP = 0.6  # a bin of numbers
WIDEST = 800  # bins of numbers, beyond which these have no steps


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
        out[:, :m] = LINE * scales.standard(view.numbers)
        out[:, m : 2 * m] = scales.rank(view.numbers)
        view.one_hot(self.bins, self.heights, out[:, 2 * m :])
        return out


@dataclass(frozen=True)
class AdditiveMember:
    """A ridge logistic regression on the design, the ridge chosen by held-out rows."""

    design: StepDesign
    slopes: Floats  # (p, t)
    intercepts: Floats  # (t,)
    ridge: float

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[AdditiveMember, Floats]:
        """The member, and log-probabilities of the rows by models that had not seen them."""
        design = StepDesign.learn(rows.reading)
        turned = Directions.of(design.matrix(rows.view), rows.weight)
        path = ridge_path(turned, rows, RIDGES)
        slopes = turned.turn @ path.slopes
        return cls(design, slopes, path.intercepts - turned.centre @ slopes, path.ridge), path.log_p

    def log_proba(self, view: View) -> Floats:
        """Log P(class given row), (n, g)."""
        return log_probabilities(self.design.matrix(view) @ self.slopes + self.intercepts)
