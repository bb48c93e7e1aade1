"""Linear methods without probabilities, for comparison: least squares, class means, total least squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.engine import engine_for
from likely.errors import LikelyError
from likely.estimator.fitted import counted_rows, outcomes, refuse_empty, split_target
from likely.estimator.scored import Scored
from likely.infer.logistic import n_vectors
from likely.infer.newton import solve
from likely.infer.standard import dependent
from likely.models.regression.design import Design
from likely.models.regression.estimator import LinearScores, classes_of, counts_of, weights_of
from likely.models.regression.linear.collect import collect
from likely.models.regression.logistic_record import LogisticRecord
from likely.models.regression.prior import Coefficients
from likely.models.regression.summary import CoefficientTable, class_summary
from likely.table.accepted import Kinds, TableLike, Target, Weights

Floats = NDArray[np.float64]
PARALLEL = 1e-12  # share of the outcome in the normal of a plane that is no function of the columns


class _LinearClassifier(LinearScores, Scored, ClassifierMixin, BaseEstimator):
    """Scores that are sums of coefficients times values; the class with the highest is predicted."""

    def __init__(self, kinds: Kinds = None, n_jobs: int | None = None) -> None:
        self.kinds = kinds
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        X, y, sample_weight = counted_rows(X, y, sample_weight)
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight = weights_of(sample_weight, frame.n)
        target, codes = classes_of(raw, weight)
        design = Design.learn(frame, self.kinds, True, weight, self._engine)
        scores, g = [], len(target.known)
        for code in range(g - n_vectors(g), g):
            sign = np.where(codes == code, 1.0, -1.0)
            seen = collect(design, frame, sign, weight, self._engine)
            mean = np.asarray(seen.mean[0] + seen.mean_rest[0])
            scores.append(self._score(float(seen.n[0]), mean, seen.scatter[0]))
        # Scores are kept as a logistic regression keeps its log-odds, of standardised columns.
        theta = Coefficients(design, len(scores), True).from_original(np.array(scores))
        self._take(LogisticRecord(design, target, theta, None, counts_of(codes, weight, target), 0.0))
        return self

    def _score(self, n: float, mean: Floats, scatter: Floats) -> Floats:
        """Intercept and coefficients, from mean and scatter of the columns and the target (-1 or 1)."""
        raise NotImplementedError

    def summary(self) -> CoefficientTable:
        """Intercepts and coefficients of the scores, as a table; they have no standard errors."""
        return class_summary(self._known(), type(self).__name__, "", 0.95)

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The class with the highest score."""
        scores = self.decision_function(X)
        best = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[best])


class LeastSquaresClassifier(_LinearClassifier):
    """Linear regression of 1 (the class) and -1 (the others), with its sign for an answer.

    Far points pull the boundary over, however clear their class is: compare `LogisticRegression`.

    Parameters
    ----------
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`.
    n_jobs : int or None
        Threads: None for one, -1 for all cores.

    Examples
    --------
    >>> import likely
    >>> model = likely.LeastSquaresClassifier().fit({"x": [0.0, 1.0, 3.0]}, ["a", "a", "b"])
    >>> model.predict({"x": [1.0, 2.5]}).tolist()
    ['a', 'b']
    """

    def _score(self, n: float, mean: Floats, scatter: Floats) -> Floats:
        used = np.flatnonzero(~dependent(scatter[:-1, :-1]))
        w = np.zeros(len(mean) - 1)
        if len(used):
            w[used] = solve(scatter[np.ix_(used, used)], scatter[used, -1])
        return np.append(mean[-1] - w @ mean[:-1], w)


class BasicLinearClassifier(_LinearClassifier):
    """The boundary half-way between the means of the class and of the others, at right angles to their line.

    Parameters
    ----------
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`.
    n_jobs : int or None
        Threads: None for one, -1 for all cores.

    Examples
    --------
    >>> import likely
    >>> model = likely.BasicLinearClassifier().fit({"x": [0.0, 1.0, 3.0]}, ["a", "a", "b"])
    >>> model.coef_, model.intercept_  # 2.5 from mean to mean, and the boundary at 1.75
    (array([[2.5]]), array([-4.375]))
    """

    def _score(self, n: float, mean: Floats, scatter: Floats) -> Floats:
        share = (1 + mean[-1]) / 2
        apart = scatter[:-1, -1] / (2 * n * share * (1 - share))  # mean of the class less that of the others
        middle = mean[:-1] + (0.5 - share) * apart
        return np.append(-apart @ middle, apart)


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
