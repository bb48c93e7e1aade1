"""The nearest sum of one-feature functions to what a pool says: the lines of its ledgers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.members.additive import AdditiveMember, StepDesign
from likely.pool.reading import Reading, View
from likely.pool.recipe import Fitted
from likely.pool.ridge import Directions
from likely.pool.rows import TaughtRows

Floats = NDArray[np.float64]

RIDGE = 1.0  # of the projection, in rows
FARTHEST = 30.0  # log-odds beyond are cut when functions are fitted


@dataclass(frozen=True)
class Projection:
    """A function of each column for each class; what they leave over is interactions."""

    design: StepDesign
    centre: Floats  # (p,)
    slopes: Floats  # (p, g)
    base: Floats  # (g,), of an average row
    share: float  # of the variance of the log-odds that the functions carry, on rows not seen

    @classmethod
    def learn(cls, rows: TaughtRows, fitted: Fitted, weights: Floats) -> Projection:
        """Of the members' scores of held-out rows; what an additive member says needs no projection."""
        design = StepDesign.learn(rows.reading)
        g = rows.n_classes
        matrix = design.matrix(rows.view)
        turned = Directions.of(matrix, rows.weight)
        slopes, base = np.zeros((matrix.shape[1], g)), np.zeros(g)
        log_p = np.zeros((rows.n, g))
        for member, own, weight in zip(fitted.members, fitted.log_p, weights, strict=True):
            if isinstance(member, AdditiveMember):
                added = weight * _by_class(member.slopes)
                slopes += added
                base += weight * _by_class(member.intercepts[None])[0] + turned.centre @ added
            else:
                log_p += weight * own
        scores = np.clip(_centred(log_p), -FARTHEST, FARTHEST)
        mean = rows.weight @ scores / rows.weight.sum()
        products = turned.rows.T @ (rows.weight[:, None] * (scores - mean))
        slopes += turned.turn @ (products / (turned.scatter + RIDGE)[:, None])
        whole = np.clip(_centred(np.tensordot(weights, fitted.log_p, 1)), -FARTHEST, FARTHEST)
        told = (matrix - turned.centre) @ slopes
        apart = whole - whole.mean(axis=0) - told
        spread = float(np.square(whole - whole.mean(axis=0)).sum())
        only = all(isinstance(member, AdditiveMember) for member in fitted.members)
        share = 1.0 if only or not spread else max(0.0, 1.0 - float(np.square(apart).sum()) / spread)
        return cls(design, turned.centre, slopes, base + mean, share)

    def terms(self, view: View) -> Floats:
        """What each column of the table adds for each class, (n, columns, g)."""
        reading: Reading = view.reading
        cells = self.design.matrix(view) - self.centre
        of_table = reading.source[self.design.source]
        out = np.zeros((len(cells), len(reading.schema.columns), self.slopes.shape[1]))
        for j in np.unique(of_table):
            own = of_table == j
            out[:, j] = cells[:, own] @ self.slopes[own]
        return out


def _by_class(scores: Floats) -> Floats:
    """Scores of each class, centred, of (..., t)."""
    if scores.shape[1] == 1:
        return np.concatenate([-0.5 * scores, 0.5 * scores], axis=1)
    return _centred(scores)


def _centred(scores: Floats) -> Floats:
    return np.asarray(scores - scores.mean(axis=1, keepdims=True))
