"""Cross-validation of models that predict numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.calibrate.classifier_scores import fit_without
from likely.compare.cross_validation import check_numbers, each_test
from likely.compare.scores import Scorecard, mean
from likely.errors import LikelyError
from likely.estimator.fitted import outcomes, split_target
from likely.format import words
from likely.score.estimate import Score
from likely.score.outcomes import weights
from likely.score.proper import log_density, r_squared, rmse
from likely.table.frame import take, without

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False, repr=False)
class OutcomeValidation(Scorecard):
    """What cross-validation found of a model that predicts numbers; prints itself.

    `mean_alone` has the same scores for the mean of all rows, and a normal distribution around it.
    """

    in_nats, yardstick_name, figures = "log density", "mean alone", ".4g"

    scores: Mapping[str, Score]  # "RMSE", "R2", and "log density" if the model has one
    mean_alone: Mapping[str, Score]
    folds: int
    repeats: int
    rows: Ints  # (n,), the rows that were tested
    predictions: Floats  # (n,), of each tested row, the mean over repeats

    @property
    def yardstick(self) -> Mapping[str, Score]:
        """The scores of the mean alone."""
        return self.mean_alone

    @property
    def worse_than_yardstick(self) -> bool:
        """Whether the predictions are farther off than the mean of all rows."""
        return float(self.scores["RMSE"]) > float(self.mean_alone["RMSE"])

    @staticmethod
    def error_text(score: Score) -> str:
        """In the outcome's units, two figures."""
        return words.figures(score.standard_error, 2) if math.isfinite(score.standard_error) else "unknown"


def cross_validate_outcomes(
    model: object,
    X: object,
    y: ArrayLike,
    *,
    folds: int = 5,
    repeats: int = 1,
    seed: int = 0,
    weight: ArrayLike | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> OutcomeValidation:
    """Predict every row's number by a model that has not seen it, and score the predictions.

    The root of the mean squared error, the share of the variance that is explained (R2) and, if the model
    has `predict_distribution`, the mean log density that it gave to what came true; each with its standard
    error.

    Parameters
    ----------
    model : regressor
        One of `likely`, or any of scikit-learn's kind. It is cloned, not changed.
    X : table
        Of any library that the model takes.
    y : values, or name of a column of X
        The outcome.
    folds, repeats, seed, weight, tell
        As for `cross_validate`.

    Examples
    --------
    >>> import likely
    >>> x = np.linspace(0, 1, 50)
    >>> y = 1 + 2 * x + np.tile([0.1, -0.1], 25)
    >>> cross_validate_outcomes(likely.LinearRegression(), {"x": x}, y)
    5-fold cross-validation, 50 rows
    <BLANKLINE>
                        estimate  standard error  mean alone
    RMSE                  0.1017         0.00098       0.594
    R2                    0.9707          0.0039           0
    log density (nats)    0.8521           0.009     -0.8981
    """
    check_numbers(folds, repeats)
    frame, raw = split_target(X, y, "cross_validate")
    outcome, known = outcomes(raw), weights(weight, frame.n)
    X = without(X, raw.name) if isinstance(y, str | int) else X
    tested = np.flatnonzero(known > 0)
    if len(tested) < folds:
        raise LikelyError(f"folds={folds}: there are {len(tested)} rows. Give more rows, or fewer folds.")
    answers, logs = np.full((2, repeats, frame.n), np.nan)
    rng = np.random.default_rng(seed)
    for repeat, test in each_test(tested, lambda: rng.permutation(len(tested)) % folds, folds, repeats, tell):
        fitted = fit_without(test, model, X, outcome, weight)
        answers[repeat, test], logs[repeat, test] = predictions_and_logs(fitted, take(X, test), outcome[test])
    return _judged(outcome[tested], answers[:, tested], logs[:, tested], known[tested], folds, tested)


def judged_outcomes(y: Floats, predicted: Floats, logs: Floats, weight: Floats) -> dict[str, Score]:
    """All scores of some rows; none for the log density where some are not known."""
    scores = {"RMSE": rmse(y, predicted, weight), "R2": r_squared(y, predicted, weight)}
    return scores if np.isnan(logs).any() else scores | {"log density": log_density(logs, weight)}


def predictions_and_logs(model: Any, rows: object, y: Floats) -> tuple[Floats, Floats]:
    """What a fitted model predicts, (n,), and the log density that it gave to y; NaN if it gives none."""
    if hasattr(model, "predict_distribution"):
        try:
            distribution = model.predict_distribution(rows)
        except LikelyError:  # under an L1 prior, or where rows are few
            return model.predict(rows), np.full(len(y), np.nan)
        return np.asarray(distribution.location), np.asarray(distribution.log_prob(y))
    return np.asarray(model.predict(rows), np.float64), np.full(len(y), np.nan)


def mean_alone(y: Floats, weight: Floats) -> dict[str, Score]:
    """The scores of the mean of all rows, and of a normal distribution around it."""
    mean = np.average(y, weights=weight)
    variance = max(float(np.average((y - mean) ** 2, weights=weight)), np.finfo(np.float64).tiny)
    logs = -0.5 * (math.log(2 * math.pi * variance) + (y - mean) ** 2 / variance)
    return judged_outcomes(y, np.full(len(y), mean), logs, weight)


def _judged(
    y: Floats, answers: Floats, logs: Floats, weight: Floats, folds: int, tested: Ints
) -> OutcomeValidation:
    each = [judged_outcomes(y, *pair, weight) for pair in zip(answers, logs, strict=True)]
    return OutcomeValidation(
        scores={name: mean([scores[name] for scores in each]) for name in each[0]},
        mean_alone=mean_alone(y, weight),
        folds=folds,
        repeats=len(answers),
        rows=tested,
        predictions=answers.mean(axis=0),
    )
