"""What any classifier says about rows, as scores: one column a class, or one for two classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.calibrate.calibration import CERTAIN, within
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.estimator.classifier import AnyClassifier
from likely.infer import bayes_rule
from likely.stats.groups import Floats


def has_probabilities(model: object) -> bool:
    """Whether a model states probabilities, and not only scores.

    >>> from sklearn.svm import LinearSVC
    >>> has_probabilities(LinearSVC())
    False
    """
    return hasattr(model, "predict_proba")


def scores_of(model: AnyClassifier, X: object, classes: NDArray[Any]) -> Floats:
    """Log-probabilities where the model has them, its own scores where it has not, (n, g)."""
    told = log_probabilities if has_probabilities(model) else decisions
    return told(model, X, classes)


def log_probabilities(model: AnyClassifier, X: object, classes: NDArray[Any]) -> Floats:
    """log P(class) of every row, (n, g), for all classes: 0 for those that this model has not seen."""
    with np.errstate(divide="ignore"):
        # Probabilities too small for a float are told from 0 by their logarithms.
        if hasattr(model, "predict_log_proba"):
            told = model.predict_log_proba(X)
        else:
            told = log(model.predict_proba(X))
    return _all_classes(model, np.asarray(told, np.float64), classes, -np.inf)


def decisions(model: AnyClassifier, X: object, classes: NDArray[Any]) -> Floats:
    """The scores of a model without probabilities, (n, g): for two classes half the score for and against."""
    if not hasattr(model, "decision_function"):
        raise LikelyError(
            f"{type(model).__name__} has neither predict_proba nor decision_function: a classifier without "
            "scores cannot be calibrated."
        )
    told = np.asarray(model.decision_function(X), np.float64)
    if told.ndim == 1:
        told = np.column_stack([-told / 2, told / 2])
    if told.shape[1] != len(model.classes_):
        raise LikelyError(
            f"{type(model).__name__} scores pairs of {len(model.classes_)} classes: it needs one score a "
            "class (decision_function_shape='ovr')."
        )
    return _all_classes(model, told, classes, float(told.min(initial=0.0)))


def _all_classes(model: AnyClassifier, told: Floats, classes: NDArray[Any], absent: float) -> Floats:
    own, place = np.asarray(model.classes_).tolist(), {label: i for i, label in enumerate(classes.tolist())}
    if own == list(place):
        return told
    out = np.full((len(told), len(classes)), absent)
    out[:, [place[label] for label in own]] = told
    return out


def against_rest(log_p: Floats, place: int) -> Floats:
    """The log-odds of a class against all others, (n,), with all their digits; infinite where it is certain.

    >>> against_rest(np.log([[0.25, 0.25, 0.5]]), 2)
    array([0.])
    """
    if log_p.shape[1] == 1:
        return np.full(len(log_p), np.inf)
    others = np.delete(log_p, place, axis=1)
    with np.errstate(invalid="ignore"):
        odds = log_p[:, place] - bayes_rule(others)[1]
    return np.where(np.isnan(odds), 0.0, odds)  # a row that rules out all classes says nothing


def limit_of(scores: Floats) -> float:
    """How far out scores that are log-odds may lie: as far as any finite one, and as certain as a float.

    >>> limit_of(np.array([1.0, np.inf])), limit_of(np.array([-80.0]))
    (36.7, 80.0)
    """
    known = scores[np.isfinite(scores)]
    return max(CERTAIN, float(np.abs(known).max(initial=0.0)))


def bounded(scores: Floats, limit: float) -> Floats:
    """Scores no farther out than the limit."""
    return within(scores, -limit, limit)
