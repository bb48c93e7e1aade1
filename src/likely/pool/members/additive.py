"""The additive member: each column adds a function of its own to the log-odds, or to the number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.reading import View
from likely.pool.reading.ridge import ridge_path
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.step_design import Directions, StepDesign

Floats = NDArray[np.float64]

RIDGES = np.geomspace(3000.0, 0.0003, 15)


@dataclass(frozen=True)
class AdditiveMember:
    """A ridge regression (logistic, of classes) on the design, the ridge chosen by held-out rows."""

    design: StepDesign
    slopes: Floats  # (1 + folds, p, t), first of all rows, then without each fold
    intercepts: Floats  # (1 + folds, t)
    ridge: float

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[AdditiveMember, Floats]:
        """The member, and scores of the rows by models that had not seen them."""
        return cls._of(rows, *rows.steps)

    @classmethod
    def fit_lines(cls, rows: TaughtRows) -> tuple[AdditiveMember, Floats]:
        """The same with nothing but a line for each column of numbers, and their gaps, beside levels."""
        design, matrix = rows.steps[0], rows.steps[0].matrix(rows.view)
        reading, m = rows.reading, rows.reading.n_numbers
        curved = (reading.owner < m) & ~reading.of_gaps
        matrix[:, m : 2 * m] = 0.0
        matrix[:, 2 * m :][:, curved[design.bins]] = 0.0
        return cls._of(rows, design, Directions.of(matrix, rows.weight))

    @classmethod
    def _of(cls, rows: TaughtRows, design: StepDesign, turned: Directions) -> tuple[AdditiveMember, Floats]:
        path = ridge_path(turned, rows, RIDGES)
        slopes = np.einsum("pr,frt->fpt", turned.turn, path.slopes)
        intercepts = path.intercepts - np.einsum("p,fpt->ft", turned.centre, slopes)
        return cls(design, slopes, intercepts, path.ridge), path.scores

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t)."""
        return np.asarray(self.design.matrix(view) @ self.slopes[0] + self.intercepts[0])

    def by_fold(self, view: View) -> Floats:
        """By the models of the folds, (folds, n, t)."""
        return np.asarray(self.design.matrix(view) @ self.slopes[1:] + self.intercepts[1:, None])
