"""Whether the parts of a calibrated classifier fit together: what a file says is not believed before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from likely.calibrate.beta import BetaCalibration
from likely.calibrate.binned import BinnedCalibration
from likely.calibrate.classifier_scores import has_probabilities
from likely.calibrate.isotonic import IsotonicCalibration
from likely.calibrate.logistic import LogisticCalibration
from likely.calibrate.methods import METHODS, Calibrator, EachClass, Tempered
from likely.calibrate.record import CalibratedRecord
from likely.estimator.check_column import check_target, demand
from likely.estimator.registry import is_estimator
from likely.models.groups.check import HEAVIEST, check_finite

LARGEST = 2**1000  # of whole numbers that stand for floats


def check_calibrated(record: CalibratedRecord) -> None:
    """Refuse a record of which no model could have been fitted."""
    check_target(record.target)
    model, g, counts = record.model, len(record.classes), record.class_counts
    demand(is_estimator(model) and hasattr(model, "classes_"), "it calibrates no fitted classifier")
    known = model.classes_.tolist()
    alike = set(map(type, known)) <= set(map(type, record.classes))
    demand(alike and set(known) <= set(record.classes), "it calibrates other classes than the model has")
    demand(record.width == len(record.schema.columns), "it calibrates a model of other columns")
    check_finite("the counts of its classes", counts, (g,))
    demand(bool(((counts >= 0) & (counts < HEAVIEST)).all()) and counts.sum() > 0, "a count is no count")
    demand(record.method in METHODS, "it is calibrated by no method that is known")
    for _, loss, n, error in record.losses:
        demand(n >= 0 and _floats(loss, error), "it compared methods by what are no losses")
    _check_calibrator(record.calibrator, has_probabilities(model), g)


def _check_calibrator(calibrator: Calibrator, odds: bool, g: int) -> None:
    wrong = "its map of scores is none that can be learnt"
    if isinstance(calibrator, Tempered):
        demand(_floats(calibrator.map.sharpening, calibrator.map.limit), wrong)
        demand(_between(calibrator.map.sharpening, 0.0) and _between(calibrator.map.limit, 0.0), wrong)
    elif isinstance(calibrator, EachClass):
        demand(calibrator.odds is odds and _floats(calibrator.limit) and calibrator.limit > 0, wrong)
        demand(len(calibrator.maps) == (1 if g == 2 else g), "it has not one map a class")
        for one in calibrator.maps:
            demand(_floats(*(getattr(one, f.name) for f in fields(one) if f.name != "label")), wrong)
            demand(0 <= one.base_rate <= 1 and _SOUND.get(type(one), _unknown)(one), wrong)
    else:
        demand(odds, wrong)


def _floats(*values: object) -> bool:
    """Whether all are arrays, or numbers of a float's range: whole numbers in a file may be of any length."""
    return all(abs(value) < LARGEST for value in values if type(value) is int)


def _between(value: float, low: float) -> bool:
    """Whether a number is finite, and not below another."""
    return low <= value < np.inf


def _rising(array: Any, *, strictly: bool = False) -> bool:
    """Whether an array is one of numbers, each as high as the last or higher."""
    if array.ndim != 1 or np.isnan(array).any():
        return False
    return bool((array[1:] > array[:-1]).all() if strictly else (array[1:] >= array[:-1]).all())


def _shares(array: Any) -> bool:
    return array.ndim == 1 and len(array) > 0 and bool(((array >= 0) & (array <= 1)).all())


def _logistic(one: LogisticCalibration) -> bool:
    line = _between(one.slope, 0.0) and bool(np.isfinite([one.intercept, one.centre]).all())
    return line and one.lowest <= one.highest


def _beta(one: BetaCalibration) -> bool:
    return all(_between(part, 0.0) for part in (one.a, one.b, one.limit)) and bool(np.isfinite(one.c))


def _isotonic(one: IsotonicCalibration) -> bool:
    if not (one.lowest.shape == one.highest.shape == one.values.shape and _shares(one.values)):
        return False
    apart = bool((one.lowest <= one.highest).all() and (one.highest[:-1] < one.lowest[1:]).all())
    return apart and _rising(one.lowest, strictly=True) and _rising(one.values)


def _binned(one: BinnedCalibration) -> bool:
    return _rising(one.edges, strictly=True) and _shares(one.values) and len(one.values) == len(one.edges) + 1


def _unknown(one: object) -> bool:
    return False


_SOUND: dict[type, Callable[[Any], bool]] = {
    LogisticCalibration: _logistic,
    BetaCalibration: _beta,
    IsotonicCalibration: _isotonic,
    BinnedCalibration: _binned,
}
