"""A calibrated classifier as a scoring form, for other programs to work out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.calibrate.beta import BetaCalibration
from likely.calibrate.binned import BinnedCalibration
from likely.calibrate.calibration import Calibration
from likely.calibrate.isotonic import IsotonicCalibration
from likely.calibrate.logistic import LogisticCalibration
from likely.calibrate.methods import EachClass, Tempered
from likely.calibrate.record import CalibratedRecord
from likely.dist.numeric.pieces import IMPOSSIBLE, LARGE, Pieces, just_below, log_or_impossible
from likely.errors import LikelyError
from likely.export.form import ScoringForm
from likely.export.recalibration import (
    BetaMap,
    EachClassMap,
    LogitLine,
    Recalibration,
    Reweighed,
    ScoreMap,
    ShareMap,
    Sharpened,
)

Floats = NDArray[np.float64]


def calibrated_form(
    record: CalibratedRecord, rates: Floats | None, inside: ScoringForm | None = None
) -> ScoringForm:
    """The form of the model inside, and the map of its probabilities; `rates` are another base rate.

    `inside` is another form of that model than the one that it exports.
    """
    if not hasattr(record.model, "scoring_form"):
        raise LikelyError(
            f"the {type(record.model).__name__} inside cannot be exported: calibrate a NaiveBayes, a "
            "GaussianClassifier, a MixtureClassifier or a LogisticRegression."
        )
    inside = inside or record.model.scoring_form()
    if inside.classes != record.classes:
        raise LikelyError(
            f"the model was calibrated for the classes {list(record.classes)[:10]!r} and knows "
            f"{list(inside.classes)[:10]!r}: calibrate it on rows of the classes that it knows, to export it."
        )
    form = inside.with_then(*_steps(record.calibrator, len(record.classes)))
    if rates is None:
        return form
    old = record.shares
    change = np.where(old > 0, log_or_impossible(rates) - np.log(np.where(old > 0, old, 1.0)), IMPOSSIBLE)
    return form.with_then(Reweighed(np.maximum(change, IMPOSSIBLE), rates))


def _steps(calibrator: Any, g: int) -> tuple[Recalibration, ...]:
    if isinstance(calibrator, Tempered):
        return (Sharpened(calibrator.map.sharpening, min(calibrator.map.limit, LARGE)),)
    if isinstance(calibrator, EachClass) and g > 1:
        if not calibrator.odds:
            raise LikelyError("scores that are no probabilities were calibrated: they cannot be exported.")
        return (EachClassMap(tuple(map(_map, calibrator.maps)), calibrator.limit),)
    return ()


def _map(one: Calibration) -> ScoreMap:
    match one:
        case LogisticCalibration():
            low, high = max(one.lowest, -LARGE), min(one.highest, LARGE)
            return LogitLine(one.slope, one.intercept, one.centre, low, high)
        case BetaCalibration():
            return BetaMap(one.a, one.b, one.c, one.limit)
        case IsotonicCalibration():
            return ShareMap(_segments(one.lowest, one.highest, one.values))
        case BinnedCalibration():
            return ShareMap(Pieces.steps(just_below(one.edges), one.values[:, None]))
    raise LikelyError(f"a {type(one).__name__} cannot be exported.")


def _segments(lowest: Floats, highest: Floats, values: Floats) -> Pieces:
    """Steps from the lowest to the highest score of each segment, and lines from one to the next."""
    k = len(values)
    edges = np.empty(2 * k - 2)
    edges[0::2], edges[1::2] = highest[:-1], just_below(lowest[1:])
    constants, slopes, centre = np.repeat(values, 2)[:-1], np.zeros(2 * k - 1), np.zeros(2 * k - 1)
    slopes[1::2] = np.diff(values) / (lowest[1:] - highest[:-1])
    centre[1::2] = highest[:-1]
    powers = np.stack([constants, slopes, np.zeros(2 * k - 1)], axis=-1)[:, None]
    return Pieces(np.maximum.accumulate(edges), centre[:, None], powers)
