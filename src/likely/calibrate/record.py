"""The record of a calibrated classifier: its state, its validation when read from a file, its summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from likely.calibrate.beta import BetaCalibration
from likely.calibrate.binned import BinnedCalibration
from likely.calibrate.classifier_scores import has_probabilities
from likely.calibrate.isotonic import IsotonicCalibration
from likely.calibrate.logistic import LogisticCalibration
from likely.calibrate.methods import METHODS, Calibrator, EachClass, Tempered
from likely.dist.distribution import short
from likely.errors import LikelyError
from likely.estimator.check_column import check_target, demand
from likely.estimator.fitted import OfTarget
from likely.estimator.record import Story
from likely.estimator.registry import is_estimator
from likely.format import words
from likely.models.groups.check import HEAVIEST, check_finite
from likely.score.estimate import Score
from likely.stats.groups import Floats
from likely.table.column.column import Column
from likely.table.schema import Schema

LARGEST = 2**1000  # of whole numbers that stand for floats


@dataclass(frozen=True, eq=False)
class CalibratedRecord(OfTarget):
    """The fitted model, the calibration map of its scores, and what the map was learnt from."""

    model: Any
    calibrator: Calibrator
    target: Column
    class_counts: Floats  # (g,), weight of the rows of each class
    width: int  # columns of the table
    method: str
    losses: tuple[tuple[str, float, int, float], ...] = ()  # of the methods that were compared

    @property
    def schema(self) -> Schema:
        """The schema of the wrapped model; only models of this library have one."""
        schema: Schema = self.model.record_.schema
        return schema

    def story(self, model: str, hidden: bool = False) -> Story:
        """The generative story of the wrapped model; the calibration map has no part in it."""
        if not hasattr(self.model, "story"):
            raise LikelyError(f"the {type(self.model).__name__} inside does not say how a row comes about.")
        inside: Story = self.model.story()
        step = f"The probabilities that this gives are calibrated ({self.method}) before they are said."
        return replace(inside, model=f"{model} {inside.model}", steps=(*inside.steps, step))

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, in plain words, for people who look into its file."""
        inside = {"estimator": type(self.model).__name__, **self.model._trained_on()}
        return {
            "target": self.target.name,
            "weight_of_rows": float(self.class_counts.sum()),
            "method": self.method,
            "model": inside,
        }

    @property
    def shares(self) -> Floats:
        """The share of each class among the rows, (g,)."""
        return np.asarray(self.class_counts / self.class_counts.sum())

    @property
    def log_losses(self) -> dict[str, Score]:
        """The log loss of each method that was compared, the best first."""
        return {name: Score(value, n, error) for name, value, n, error in self.losses}


def plain_losses(losses: dict[str, Score]) -> tuple[tuple[str, float, int, float], ...]:
    """Log losses as names and numbers.

    >>> plain_losses({"beta": Score(0.5, 10, 0.1)})
    (('beta', 0.5, 10, 0.1),)
    """
    return tuple((name, float(loss), loss.n, loss.standard_error) for name, loss in losses.items())


def check_calibrated(record: CalibratedRecord) -> None:
    """Refuse a record that no fit could have produced."""
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
    """Whether all are arrays, or numbers in the range of floats: integers in files may have any length."""
    return all(abs(value) < LARGEST for value in values if type(value) is int)


def _between(value: float, low: float) -> bool:
    """Whether a number is finite, and not below another."""
    return low <= value < np.inf


def _rising(array: Any, *, strictly: bool = False) -> bool:
    """Whether an array holds numbers that never decrease."""
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


@dataclass(frozen=True, repr=False)
class CalibratedSummary:
    """How a classifier was calibrated, and the classifier itself.

    Prints as text, and gives everything with `to_dict()`.
    """

    record: CalibratedRecord

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        record, inside = self.record, self._inside()
        weights = zip(record.classes, record.class_counts.tolist(), strict=True)
        return {
            "estimator": "Calibrated",
            "method": record.method,
            "target": record.target.name,
            "weight_of_rows": float(record.class_counts.sum()),
            "classes": [{"class": words.json_ready(label), "weight": weight} for label, weight in weights],
            "log_losses": {
                name: {"estimate": float(loss), "standard_error": loss.standard_error}
                for name, loss in record.log_losses.items()
            },
            "model": inside.to_dict() if hasattr(inside, "to_dict") else str(inside),
        }

    def _inside(self) -> Any:
        """The model, as it describes itself; its name and parameters, if it does not."""
        for face in ("describe", "summary"):
            if hasattr(self.record.model, face):
                return getattr(self.record.model, face)()
        return repr(self.record.model)

    def __str__(self) -> str:
        record = self.record
        name, rows = type(record.model).__name__, short(record.class_counts.sum())
        said = [
            f"Calibrated {name} of {words.shown(record.target.name)!r}: {record.method}, from {rows} rows"
        ]
        losses = [[name, f"{loss:.4f}", f"± {loss.error_text}"] for name, loss in record.log_losses.items()]
        if losses:
            said += ["", words.table([["method", "log loss", ""], *losses], "<><")]
        return "\n".join([*said, "", str(self._inside())])

    __repr__ = __str__
