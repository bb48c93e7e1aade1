"""The kernel member: a regression (logistic, of classes) on how near a row is to others (Gaussian kernel)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.members.space import RowSpace
from likely.pool.reading.reading import View
from likely.pool.reading.ridge import RidgePath, ridge_path
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.step_design import Directions

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LANDMARKS = 400  # rows that others are compared with
WIDTHS = (0.3, 1.0, 3.0)  # 1 / squared length, in mean squared distances
FEW = 128  # of these, by which the width is chosen
SPANNED = 0.5  # of the few: if they have fewer directions, they are all that it takes
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
        mean = max(float(_squares(marks, marks).mean()), 1e-12)
        # A width that is good for some landmarks is good for more, or nearly so. The middle one is tried
        # first: if a longer one is better, so it is than a shorter one.
        best = _Fit.of(x, marks[:FEW], WIDTHS[1] / mean, rows)
        for width in (WIDTHS[0], WIDTHS[2]):
            other = _Fit.of(x, marks[:FEW], width / mean, rows)
            if other.path.loss < best.path.loss:
                best = other
                break
        if len(marks) > FEW and len(best.turned.scatter) > SPANNED * FEW:
            best = _Fit.of(x, marks, best.width, rows)
        path, turned = best.path, best.turned
        slopes = turned.turn @ path.slopes  # (1 + folds, l, t)
        intercepts = path.intercepts - turned.centre @ slopes
        return cls(space, best.marks, best.width, best.white @ slopes, intercepts, path.ridge), path.scores

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t)."""
        return np.asarray(self._near(view) @ self.slopes[0] + self.intercepts[0])

    def by_fold(self, view: View) -> Floats:
        """By the models of the folds, (folds, n, t)."""
        return np.asarray(self._near(view) @ self.slopes[1:] + self.intercepts[1:, None])

    def _near(self, view: View) -> Floats:
        """How near each row is to each landmark, (n, l)."""
        return np.exp(-self.width * _squares(self.space.place(view), self.landmarks))


@dataclass(frozen=True)
class _Fit:
    """Regressions on how near rows are to some landmarks, by one width."""

    marks: Floats
    width: float
    white: Floats  # by which nearness is turned, so that inner products of rows are the kernel's
    turned: Directions
    path: RidgePath

    @classmethod
    def of(cls, x: Floats, marks: Floats, width: float, rows: TaughtRows) -> _Fit:
        """Of rows, (n, q)."""
        inner = np.exp(-width * _squares(marks, marks)) + 1e-6 * np.eye(len(marks))
        white = np.linalg.inv(np.linalg.cholesky(inner)).T
        turned = Directions.of(np.exp(-width * _squares(x, marks)) @ white, rows.weight, LEAST)
        return cls(marks, width, white, turned, ridge_path(turned, rows, RIDGES))


def _squares(a: Floats, b: Floats) -> Floats:
    """Squared distances, (n, l)."""
    out = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1) - 2.0 * (a @ b.T)
    return np.asarray(np.maximum(out, 0.0))
