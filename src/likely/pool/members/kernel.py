"""The kernel member: a regression (logistic, of classes) on how near a row is to others (Gaussian kernel)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.members.space import RowSpace
from likely.pool.reading.reading import View
from likely.pool.reading.ridge import ridge_path, square_errors
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.step_design import Directions

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LANDMARKS = 400  # rows that others are compared with
WIDTHS = (0.3, 1.0, 3.0)  # 1 / squared length, in mean squared distances
FEW = 128  # of these, by which the width is chosen
LEAST = 0.02  # sum of squares of a direction: of less, no ridge leaves anything
RIDGES = np.geomspace(30.0, 0.01, 8)


@dataclass(frozen=True)
class KernelMember:
    """Landmarks, and what nearness to each adds to the score of each class."""

    space: RowSpace
    landmarks: Floats  # (l, q)
    width: float
    slopes: Floats  # (1 + folds, l, t), first of all rows, then without each fold
    intercepts: Floats  # (1 + folds, t)
    ridge: float

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[KernelMember, Floats]:
        """The member, and scores of the rows by models that had not seen them."""
        space = RowSpace.learn(rows.reading)
        x = space.place(rows.view)
        marks = x[np.random.default_rng(rows.seed).permutation(rows.n)[:LANDMARKS]]
        far, apart = _squares(x, marks), _squares(marks, marks)
        mean = max(float(apart.mean()), 1e-12)
        # A width that is good for some landmarks, by squares, is good for all, by the loss, or nearly so.
        few = np.ix_(range(min(FEW, len(marks))), range(min(FEW, len(marks))))
        errors = []
        for width in WIDTHS:
            some, _ = _turned(far[:, : len(few[0])], apart[few], width / mean, rows.weight)
            errors.append(ridge_path(some, rows, RIDGES).loss)
        width = WIDTHS[int(np.argmin(errors))] / mean
        turned, white = _turned(far, apart, width, rows.weight)
        path = ridge_path(turned, rows, RIDGES)
        slopes = turned.turn @ path.slopes  # (1 + folds, l, t)
        intercepts = path.intercepts - turned.centre @ slopes
        return cls(space, marks, width, white @ slopes, intercepts, path.ridge), path.scores

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t)."""
        return np.asarray(self._near(view) @ self.slopes[0] + self.intercepts[0])

    def by_fold(self, view: View) -> Floats:
        """By the models of the folds, (folds, n, t)."""
        return np.asarray(self._near(view) @ self.slopes[1:] + self.intercepts[1:, None])

    def _near(self, view: View) -> Floats:
        """How near each row is to each landmark, (n, l)."""
        return np.exp(-self.width * _squares(self.space.place(view), self.landmarks))


def _turned(far: Floats, apart: Floats, width: float, weight: Floats) -> tuple[Directions, Floats]:
    """Rows whose inner products are the kernel's, in their directions, and what nearness is turned by."""
    inner = np.exp(-width * apart) + 1e-6 * np.eye(len(apart))
    white = np.linalg.inv(np.linalg.cholesky(inner)).T
    return Directions.of(np.exp(-width * far) @ white, weight, LEAST), white


def _squares(a: Floats, b: Floats) -> Floats:
    """Squared distances, (n, l)."""
    out = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1) - 2.0 * (a @ b.T)
    return np.asarray(np.maximum(out, 0.0))
