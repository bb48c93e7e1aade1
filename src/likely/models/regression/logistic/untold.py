"""What columns of which nothing is known add to the scores: together, what makes the base rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import ReduceTask
from likely.infer.logistic import LabelledRows, Logistic, of_vectors
from likely.infer.standard import Scaling
from likely.models.regression.design import Design, DesignRows

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SumOfRows(ReduceTask[LabelledRows, Floats]):
    """All rows of a design, added up by weight, (p,)."""

    def step(self, data: LabelledRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        weight = np.ones(stop - start) if data.weight is None else data.weight[start:stop]
        return np.asarray(data.rows(start, stop).T @ weight)


def mean_row(likelihood: Logistic) -> Floats:
    """The mean row of a design, in original units, (p,)."""
    return likelihood.sum_over_rows(SumOfRows()) / likelihood.total


def untold_scores(design: Design, mean: Floats, theta: Floats, rates: Floats) -> Floats:
    """What a missing cell adds to the scores, of numbers and then of levels, (vectors, columns).

    A column that was never missing is taken for its mean; so nothing told would be the answer of the mean
    row, which is nearer to certainty than the mean of the answers. What lies between is shared out among the
    columns by how much their evidence varies. Of a column with gaps in training, the gap's own coefficient
    says what it is worth, and nothing is added.

    >>> from likely.engine import engine_for
    >>> from likely.table.frame import Frame
    >>> design = Design.learn(Frame.of({"x": [-3.0, 5.0]}), None, False, None, engine_for(None))
    >>> untold_scores(design, np.array([1.0]), np.array([[2.0, 3.0]]), np.array([0.5, 0.5]))
    array([[-2.]])
    """
    order = [*design.counted, *design.coded]
    apart, spread = np.zeros((len(theta), len(order))), np.zeros(len(order))
    place = {j: i for i, j in enumerate(order)}
    said, share = theta[:, 1:], mean
    middle = said * (mean - design.centre) / design.unit  # (vectors, p)
    measured = np.zeros(len(mean), bool)
    measured[design._measured] = True
    # In units of its sd a number varies by 1; a 0 or 1 by its share times the rest.
    varies = np.square(said).sum(axis=0) * np.where(measured, 1.0, share * (1 - share))
    for at, j in enumerate(design.source):
        if j in place:
            apart[:, place[j]] += middle[:, at]
            spread[place[j]] += varies[at]
    if not spread.sum() > 0:
        return np.zeros_like(apart)
    between = of_vectors(np.log(rates)) - theta[:, 0] - middle.sum(axis=1)
    untold = apart + np.outer(between - (between.mean() if len(between) > 1 else 0.0), spread / spread.sum())
    # Numbers are filled in with their mean, which the design does by itself.
    filled = design.mean - design.centre[: len(design.counted)]
    untold[:, : len(design.counted)] -= said[:, : len(filled)] * filled / design.unit[: len(filled)]
    untold[:, [place[j] for j in design.gaps if j in place]] = 0.0
    return untold


@dataclass(frozen=True)
class Untold:
    """What missing cells add to the scores of rows."""

    scores: Floats | None  # (vectors, columns), of numbers and then of levels; None for nothing

    def __call__(self, rows: DesignRows, start: int, stop: int) -> Floats:
        """Of some rows, (b, vectors); (1, 1) for all of them if nothing is missing."""
        holes = None if self.scores is None else rows.holes(start, stop)
        return np.zeros((1, 1)) if holes is None or self.scores is None else holes @ self.scores.T


def scores_of(
    rows: DesignRows, scale: Scaling, theta: Floats, untold: Untold, start: int, stop: int
) -> Floats:
    """The scores of some rows, (b, vectors)."""
    return np.asarray(scale.scores(rows(start, stop), theta) + untold(rows, start, stop))
