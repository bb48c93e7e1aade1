"""The ways to calibrate a classifier, by name, for two classes or more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.calibrate.beta import beta_of
from likely.calibrate.binned import binned_of
from likely.calibrate.calibration import Calibration
from likely.calibrate.classifier_scores import against_rest, bounded, limit_of
from likely.calibrate.isotonic import isotonic_of
from likely.calibrate.logistic import logistic_of, means_of
from likely.calibrate.temperature import TemperatureCalibration, temperature_of
from likely.errors import LikelyError
from likely.infer.bayes import bayes_rule
from likely.score.estimate import Score
from likely.score.proper import log_loss
from likely.score.ranked import Ranked
from likely.stats.groups import Floats

Ints = NDArray[np.intp]

ONE_CLASS: dict[str, Callable[[Ranked], Calibration]] = {
    "means": means_of,
    "logistic": logistic_of,
    "beta": beta_of,
    "isotonic": isotonic_of,
    "bins": binned_of,
}
METHODS = ("none", *ONE_CLASS, "temperature")
FOLDS = 5  # parts of the rows, each scored by maps that were not fitted to it


@dataclass(frozen=True)
class AsTheyAre:
    """Scores that are log-probabilities already."""

    def __call__(self, scores: Floats) -> Floats:
        """The same."""
        return scores


@dataclass(frozen=True)
class EachClass:
    """A map for each class against the rest, their probabilities brought to the sum 1; one map for two."""

    maps: tuple[Calibration, ...]
    limit: float  # of the log-odds
    odds: bool  # whether scores are log-probabilities, so that a class is held against all others

    def __call__(self, scores: Floats) -> Floats:
        """Log-probabilities, (n, g)."""
        if scores.shape[1] == 2:
            log_odds = self.maps[0].of_scores(self.map_input(scores, 1))
            return bayes_rule(np.column_stack([-log_odds / 2, log_odds / 2]))[0]
        each = [one.of_scores(self.map_input(scores, place)) for place, one in enumerate(self.maps)]
        log_p = np.column_stack([-np.logaddexp(0.0, -log_odds) for log_odds in each])
        return bayes_rule(log_p)[0]

    def map_input(self, scores: Floats, place: int) -> Floats:
        """What the map of a class is given, (n,)."""
        if self.odds:
            return bounded(against_rest(scores, place), self.limit)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores[:, place]


@dataclass(frozen=True)
class Tempered:
    """One temperature for all classes."""

    map: TemperatureCalibration

    def __call__(self, scores: Floats) -> Floats:
        """Log-probabilities, (n, g)."""
        return self.map.of_logs(scores)


Calibrator = AsTheyAre | EachClass | Tempered  # from scores (n, g) to log P(class), (n, g)


def fit_method(
    method: str, scores: Floats, codes: Ints, classes: NDArray[Any], weight: Floats | None, odds: bool
) -> Calibrator:
    """Learn a calibrator from the scores (n, g) of rows whose class is known."""
    if method == "none":
        if not odds:
            raise LikelyError("method='none': the model has no probabilities that could stay as they are.")
        return AsTheyAre()
    if weight is not None and not weight.all():  # rows without weight are no rows
        scores, codes, weight = scores[weight > 0], codes[weight > 0], weight[weight > 0]
    if method == "temperature":
        return Tempered(temperature_of(scores, codes, weight))
    if method not in ONE_CLASS:
        raise LikelyError(f"method={method!r}: the methods are 'auto', {', '.join(map(repr, METHODS))}.")
    g = len(classes)
    places = [1] if g == 2 else list(range(g))
    limit = limit_of(np.column_stack([against_rest(scores, place) for place in places])) if odds else np.inf
    plain = EachClass((), limit, odds)
    maps = [
        ONE_CLASS[method](
            Ranked.grouped(classes[place], codes == place, plain.map_input(scores, place), weight)
        )
        for place in places
    ]
    return EachClass(tuple(maps), limit, odds)


def compare_methods(
    scores: Floats, codes: Ints, classes: NDArray[Any], weight: Floats | None, odds: bool
) -> dict[str, Score]:
    """The log loss of each method on rows that its maps were not fitted to; the best first."""
    g = len(classes)
    names = [*(["none"] if odds else []), *(["temperature"] if g > 2 else []), "logistic", "beta", "isotonic"]
    names = names if odds else [name for name in names if name != "beta"]
    fold = _folds(codes, len(classes))
    losses = {}
    for name in names:
        log_p = np.empty((len(codes), g))
        for place in range(FOLDS):
            test = fold == place
            if test.any():
                mine = None if weight is None else weight[~test]
                log_p[test] = fit_method(name, scores[~test], codes[~test], classes, mine, odds)(scores[test])
        losses[name] = log_loss(codes, log_p, classes=np.arange(g), weight=weight, logs=True)
    return dict(sorted(losses.items(), key=lambda item: float(item[1])))


def _folds(codes: Ints, g: int) -> Ints:
    """The rows of each class dealt out in turn, one class going on where the last one stopped."""
    order = np.argsort(codes, kind="stable")
    fold = np.empty(len(codes), np.intp)
    fold[order] = np.arange(len(codes)) % FOLDS
    return fold
