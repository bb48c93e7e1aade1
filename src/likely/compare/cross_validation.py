"""Cross-validation: every row is predicted by a model that has not seen it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.calibrate.classifier_scores import fit_without, log_probabilities
from likely.compare.scores import CrossValidation, judged, mean
from likely.dist.numeric.logs import log
from likely.errors import LikelyError, notice
from likely.estimator.fitted import class_array, class_codes, split_target, target_column
from likely.infer.folds import stratified
from likely.score.outcomes import weights
from likely.table.frame import take, without

Ints = NDArray[np.intp]
Tell = Callable[[int, int], None]
Floats = NDArray[np.float64]


def check_numbers(folds: int, repeats: int) -> None:
    """Refuse numbers of folds and of repeats that cannot be."""
    for name, number, least in (("folds", folds, 2), ("repeats", repeats, 1)):
        if not isinstance(number, int) or number < least:
            raise LikelyError(f"{name}={number!r}: give a whole number of {least} or more.")


def each_test(
    tested: Ints, deal: Callable[[], Ints], folds: int, repeats: int, tell: Tell | None
) -> Iterator[tuple[int, Ints]]:
    """Of each repeat and fold: which repeat it is, and the rows to test, which are those to leave out.

    `deal` says anew in each repeat which fold each of the rows that are `tested` is in.

    >>> list(each_test(np.array([2, 5, 7]), lambda: np.array([0, 1, 0]), 2, 1, None))
    [(0, array([2, 7])), (0, array([5]))]
    """
    for repeat in range(repeats):
        fold = deal()
        for place in range(folds):
            yield repeat, tested[fold == place]
            if tell is not None:
                tell(repeat * folds + place + 1, repeats * folds)


def cross_validate(
    model: object,
    X: object,
    y: ArrayLike,
    *,
    folds: int = 5,
    repeats: int = 1,
    seed: int = 0,
    weight: ArrayLike | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> CrossValidation:
    """Predict every row by a model that has not seen it, and score the predictions.

    The folds are stratified: each class is spread evenly over them. They depend on the seed alone. Log loss,
    Brier score and accuracy are means over rows, and their standard errors those of means; the one of AUC
    is DeLong's. With repeats, scores and errors are means over the repeats: the rows stay the same, so
    repeating does not make the error smaller. A class with a single row cannot be learnt and tested: that
    row only helps in learning.

    Parameters
    ----------
    model : classifier
        One of `likely`, or any of scikit-learn's kind with `predict_proba`. It is cloned, not changed.
    X : table
        Of any library that the model takes.
    y : values, or name of a column of X
        The target.
    folds, repeats : int
        In how many parts the rows are cut, and how often.
    seed : int
        Decides which rows go together.
    weight : (n,) or None
        How much each row counts, in learning and in scoring.
    tell : function or None
        Called with the number of models fitted so far, and of all: for a progress bar.

    Examples
    --------
    >>> import likely
    >>> cross_validate(likely.NaiveBayes(), likely.read("titanic"), "survived")
    5-fold cross-validation, 2201 rows
    <BLANKLINE>
                     estimate  standard error  base rate alone
    log loss (nats)     0.515           0.011            0.629
    Brier score         0.167           0.005            0.219
    AUC                 0.706           0.013            0.500
    accuracy            0.778           0.009            0.677
    """
    check_numbers(folds, repeats)
    if not (hasattr(model, "predict_proba") or hasattr(model, "predict_log_proba")):
        raise LikelyError(
            f"{type(model).__name__} has no predict_proba: give a model of probabilities. For models that "
            "predict numbers there is cross_validate_outcomes."
        )
    frame, raw = split_target(X, y, "cross_validate")
    column = target_column(raw)
    codes, classes = class_codes(column, raw), class_array(column)
    X = without(X, raw.name) if isinstance(y, str | int) else X
    known = weights(weight, frame.n)
    tested = _tested(codes, classes, known, folds)
    log_p = np.full((repeats, frame.n, len(classes)), -np.inf)  # log P(class)
    rng = np.random.default_rng(seed)
    deal = partial(stratified, codes[tested], folds, rng)
    for repeat, test in each_test(tested, deal, folds, repeats, tell):
        fitted = fit_without(test, model, X, classes[codes], weight)
        log_p[repeat, test] = log_probabilities(fitted, take(X, test), classes)
    by_repeat = [judged(codes[tested], answer[tested], known[tested]) for answer in log_p]
    share = log(np.bincount(codes[tested], known[tested], len(classes)) / known[tested].sum())
    return CrossValidation(
        scores={name: mean([scores[name] for scores in by_repeat]) for name in by_repeat[0]},
        base_rate=judged(codes[tested], np.broadcast_to(share, (len(tested), len(share))), known[tested]),
        folds=folds,
        repeats=repeats,
        classes=tuple(classes.tolist()),
        rows=tested,
        probabilities=np.exp(log_p[:, tested]).mean(axis=0),
    )


def _tested(codes: Ints, classes: NDArray[Any], weight: Floats, folds: int) -> Ints:
    """The rows that can be tested; a row without weight is no row."""
    rows = np.bincount(codes[weight > 0], minlength=len(classes))
    tested = np.flatnonzero((weight > 0) & (rows[codes] > 1))
    alone = np.flatnonzero(rows == 1)
    if len(tested) < folds:
        raise LikelyError(
            f"folds={folds}: there are {len(tested)} rows of a class that has two rows or more; "
            "cross-validation needs one for every fold. Give more rows, or fewer folds."
        )
    if len(alone):
        notice(
            f"class {classes.tolist()[alone[0]]!r} has a single row, which cannot be both learnt from and "
            f"tested: {len(alone)} such row{'s are' if len(alone) > 1 else ' is'} left out of the scores.",
        )
    return tested
