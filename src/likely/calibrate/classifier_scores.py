"""What any classifier says about rows, as scores; also of rows that the models have not seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.calibrate.calibration import CERTAIN, within
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.estimator.classifier import AnyClassifier
from likely.infer import bayes_rule
from likely.stats.groups import Floats
from likely.table.frame import take

Ints = NDArray[np.intp]


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


def out_of_fold(
    model: object, X: object, codes: Ints, classes: NDArray[Any], weight: Floats | None, cv: object
) -> Floats:
    """The scores of all rows, (n, g), each by a copy of the model that was fitted to other folds."""
    from sklearn.base import clone

    scores = np.empty((len(codes), len(classes)))
    seen = np.zeros(len(codes), bool)
    for train, test in _folds(codes, cv):
        part = None if weight is None else weight[train]
        if part is not None and not part.any():
            raise LikelyError("sample_weight is 0 in all rows but those of one fold: give fewer folds.")
        fitted = fit_to(clone(model), take(X, train), classes[codes[train]], part)
        scores[test] = scores_of(fitted, take(X, test), classes)
        seen[test] = True
    if not seen.all():
        raise LikelyError("cv leaves rows out of every test: each row must be tested once.")
    return scores


def _folds(codes: Ints, cv: object) -> Iterator[tuple[Ints, Ints]]:
    """Rows to learn from and rows to test, as often as there are folds; tables are often sorted."""
    from sklearn.model_selection import KFold, StratifiedKFold, check_cv

    n = len(codes)
    if isinstance(cv, int):
        if isinstance(cv, bool) or cv < 2:
            raise LikelyError(f"cv={cv!r}: give a number of folds of 2 or more, a splitter, or 'prefit'.")
        if n < 2:
            raise LikelyError(
                f"n_samples={n}: the model is tested on rows it has not seen, and 1 sample is not enough for "
                "that. Give more rows."
            )
        most = int(np.bincount(codes).max())
        cv = StratifiedKFold(min(cv, most), shuffle=True, random_state=0) if most > 1 else KFold(2)
    with warnings.catch_warnings():  # a class with fewer rows than folds has none in some of them
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        yield from check_cv(cv, codes, classifier=True).split(np.empty((n, 1)), codes)


def fit_without(test: Ints, model: object, X: object, y: NDArray[Any], weight: ArrayLike | None) -> Any:
    """A copy of the model, fitted to all rows but those to test."""
    from sklearn.base import clone

    rest = np.delete(np.arange(len(y)), test)
    part = None if weight is None else np.asarray(weight, np.float64)[rest]
    return fit_to(clone(model), take(X, rest), y[rest], part)


def fit_to(model: Any, X: object, y: ArrayLike, weight: Floats | None) -> Any:
    """The model, fitted; weights are passed on only if there are any, for not every model takes them."""
    return model.fit(X, y) if weight is None else model.fit(X, y, sample_weight=weight)
