"""The nearest sum of one-feature functions to what a pool says: the lines of its ledgers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.members.additive import AdditiveMember
from likely.pool.reading.reading import Reading, View
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.scores import centred
from likely.pool.reading.step_design import Directions, StepDesign
from likely.pool.recipe import Fitted

Floats = NDArray[np.float64]

RIDGE = 1.0  # of the projection, in rows
FARTHEST = 30.0  # log-odds beyond are cut when functions are fitted


@dataclass(frozen=True)
class Projection:
    """A function of each column for each score; what they leave over is interactions."""

    design: StepDesign
    centre: Floats  # (p,)
    slopes: Floats  # (p, t)
    base: Floats  # (t,), of an average row
    share: float  # of the variance of the scores that the functions carry, on rows not seen

    @classmethod
    def learn(cls, rows: TaughtRows, fitted: Fitted, weights: Floats) -> Projection:
        """Of the members' scores of held-out rows; what an additive member says needs no projection."""
        design, turned = rows.steps
        t = rows.goal.n_scores
        slopes, base = np.zeros((len(turned.centre), t)), np.zeros(t)
        scores = np.zeros((rows.n, t))
        for member, own, weight in zip(fitted.members, fitted.scores, weights, strict=True):
            if isinstance(member, AdditiveMember):
                added = weight * centred(member.slopes[0])
                slopes += added
                base += weight * centred(member.intercepts[:1])[0] + turned.centre @ added
            else:
                scores += weight * centred(own)
        lines, mean = projected(turned, scores, rows.weight)
        slopes += lines
        whole = np.clip(centred(np.tensordot(weights, fitted.scores, 1)), -FARTHEST, FARTHEST)
        whole -= whole.mean(axis=0)
        apart = whole - turned.rows @ (turned.turn.T @ slopes)
        spread = float(np.square(whole).sum())
        only = all(isinstance(member, AdditiveMember) for member in fitted.members)
        share = 1.0 if only or not spread else max(0.0, 1.0 - float(np.square(apart).sum()) / spread)
        return cls(design, turned.centre, slopes, base + mean, share)

    def terms(self, view: View) -> Floats:
        """What each column of the table adds to each score, (n, columns, t)."""
        reading: Reading = view.reading
        cells = self.design.matrix(view) - self.centre
        of_table = reading.source[self.design.source]
        out = np.zeros((len(cells), len(reading.schema.columns), self.slopes.shape[1]))
        for j in np.unique(of_table):
            own = of_table == j
            out[:, j] = cells[:, own] @ self.slopes[own]
        return out


def projected(turned: Directions, scores: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Slopes (p, t) of the functions nearest to scores (n, t), and the mean of these, (t,)."""
    scores = np.clip(scores, -FARTHEST, FARTHEST)
    mean = weight @ scores / weight.sum()
    products = turned.rows.T @ (weight[:, None] * (scores - mean))
    return turned.turn @ (products / (turned.scatter + RIDGE)[:, None]), mean
