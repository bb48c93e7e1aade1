"""Scores of rows by models that have not seen them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.calibrate.classifier_scores import scores_of
from likely.errors import LikelyError
from likely.stats.groups import Floats
from likely.table.frame import take

Ints = NDArray[np.intp]


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
