"""Total least squares: the plane nearest to the points, where the columns are as uncertain as the outcome."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import engine_for
from likely.errors import LikelyError
from likely.estimator.fitted import outcomes, refuse_empty, split_target
from likely.models.regression.design import Design
from likely.models.regression.estimator import weights_of
from likely.models.regression.linear.record import collect
from likely.table.accepted import Kinds, TableLike, Target, Weights

Floats = NDArray[np.float64]

PARALLEL = 1e-12  # share of the outcome in the normal of a plane that is no function of the columns


@dataclass(frozen=True, eq=False)
class TotalLeastSquares:
    """The plane outcome = intercept + coefficients . columns, and its squared distances from the points."""

    names: tuple[str, ...]
    coefficients: Floats  # (p,)
    intercept: float
    distances: float  # sum of squared distances, at right angles to the plane

    def __repr__(self) -> str:
        terms = [f"{w:+.4g} {name}" for w, name in zip(self.coefficients, self.names, strict=True)]
        return f"{self.intercept:.4g} {' '.join(terms)} (sum of squared distances {self.distances:.4g})"


def total_least_squares(
    X: TableLike, y: Target, sample_weight: Weights = None, *, kinds: Kinds = None
) -> TotalLeastSquares:
    """Fit the plane with the smallest distances at right angles, not along the outcome's axis.

    That is maximum likelihood where columns and outcome have the same normal noise: bring them to units in
    which they do.

    Parameters
    ----------
    X : table
        The columns.
    y : values, or name of a column of X
        The outcome.
    sample_weight : (n,) or None
        How much each row counts.
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`.

    Examples
    --------
    >>> total_least_squares({"x": [0.0, 1.0, 2.0]}, [0.0, 1.5, 2.0]).coefficients.round(4)
    array([1.0425])
    """
    frame, raw = split_target(X, y, "total_least_squares")
    refuse_empty(frame)
    weight, engine = weights_of(sample_weight, frame.n), engine_for(None)
    design = Design.learn(frame, kinds, True, weight, engine)
    seen = collect(design, frame, outcomes(raw), weight, engine)
    values, vectors = np.linalg.eigh(seen.scatter[0])
    normal = vectors[:, 0]
    if abs(normal[-1]) <= PARALLEL:
        raise LikelyError(
            "the nearest plane stands upright, so that the outcome is no function of the columns: leave out "
            "constant and collinear columns."
        )
    coefficients = -normal[:-1] / normal[-1]
    mean = seen.mean[0] + seen.mean_rest[0]
    intercept = float(mean[-1] - coefficients @ mean[:-1])
    return TotalLeastSquares(design.names, coefficients, intercept, max(float(values[0]), 0.0))
