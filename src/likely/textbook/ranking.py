"""Worked examples of ranking and calibration."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.draw.axes import new_panels
from likely.textbook.example import Step, worked


def draw_roc() -> Any:
    """The curve of twelve rows and its hull, with lines of equal accuracy and of equal information gain."""
    from likely import score

    curve = score.roc(list("++-++-+-----"), [9, 8, 7, 7, 6, 5, 4, 3, 2, 1, 0, -1], positive="+")
    panels = new_panels(8.6, 4.4, 1, 2)[0]
    for ax, measure in zip(panels, ("accuracy", "information gain"), strict=True):
        curve.plot(isometrics=measure, ax=ax).set_aspect("equal")
    return panels[0]


@worked(
    "C1",
    "Flach",
    "ROC curve, hull, and the best threshold for any base rate and costs",
    data="Five positive and seven negative rows with scores from 9 to -1; one of either has the score 7.",
    steps=(
        Step("AUC, a tie counting half: 31.5 of 35 pairs", 0.9),
        Step("hull: slopes in ROC space after the upright one", (2.8, 1.4, 0.0)),
        Step("likelihood ratios of the segments less these slopes: largest", 0.0),
        Step("odds of the segments, the slopes in coverage space", (2.0, 1.0, 0.0)),
        Step("lower hull < curve < upper hull: areas", True),
        Step("base rate 1/2: lowest score to call positive", 4.0),
        Step("base rate 1/5: lowest score to call positive", 8.0),
        Step("base rate 1/100, a miss costs 50: slope of equal cost", 0.99 / 0.5),
        Step("base rate 1/100, a miss costs 50: lowest score to call positive", 6.0),
        Step("information gain along its isometric: largest change", 0.0, tolerance=1e-6),
    ),
    notes="A segment is worth calling positive if its likelihood ratio exceeds the slope. The data are ours.",
    figure=draw_roc,
)
def _hull() -> dict[str, Any]:
    import numpy as np

    from likely import score

    curve = score.roc(list("++-++-+-----"), [9, 8, 7, 7, 6, 5, 4, 3, 2, 1, 0, -1], positive="+")
    hull = curve.hull
    slopes = np.diff(hull.tpr[1:]) / np.diff(hull.fpr[1:])
    rare = curve.best(base_rate=0.01, false_negative=50)
    fpr, tpr = score.isometric("information gain", (0.2, 0.6), 0.5, points=11)
    tables = [np.array([[t, f], [1 - t, 1 - f]]) / 2 for f, t in zip(fpr, tpr, strict=True)]
    gains = [score.mutual_information(table) for table in tables]
    return {
        "AUC, a tie counting half: 31.5 of 35 pairs": float(curve.auc),
        "hull: slopes in ROC space after the upright one": slopes,
        "likelihood ratios of the segments less these slopes: largest": np.abs(
            hull.likelihood_ratio[1:] - slopes
        ).max(),
        "odds of the segments, the slopes in coverage space": hull.odds[1:],
        "lower hull < curve < upper hull: areas": bool(curve.lower_hull.area < curve.auc < hull.area),
        "base rate 1/2: lowest score to call positive": curve.best(base_rate=0.5).threshold,
        "base rate 1/5: lowest score to call positive": curve.best(base_rate=0.2).threshold,
        "base rate 1/100, a miss costs 50: slope of equal cost": rare.slope,
        "base rate 1/100, a miss costs 50: lowest score to call positive": rare.threshold,
        "information gain along its isometric: largest change": max(gains) - min(gains),
    }


@worked(
    "C2",
    "Flach",
    "Calibrators: from scores to probabilities",
    data="The twelve rows of C1; and four with scores -1 and 1 (negative), 2 and 4 (positive).",
    steps=(
        Step("isotonic, by the ROC hull: values", (1.0, 2 / 3, 1 / 2, 0.0)),
        Step("isotonic less the shares of the hull's segments: largest", 0.0),
        Step("logistic, by class means and variance: slope (mu+ - mu-) / sigma^2", 3.0),
        Step("logistic, by class means: probability half-way between them", 0.5),
        Step("logistic, fitted (Platt): sum less that of the smoothed labels", 0.0, tolerance=1e-6),
        Step("base rate left out: odds over the base rate's, error", 0.0),
    ),
    notes="""
    Pooling adjacent violators gives the segments of the hull. Platt's labels are (n+ + 1) / (n+ + 2) and
    1 / (n- + 2). The data are ours.
    """,
)
def _calibrators() -> dict[str, Any]:
    import numpy as np

    from likely import calibrate, score

    y, scores = list("++-++-+-----"), [9, 8, 7, 7, 6, 5, 4, 3, 2, 1, 0, -1]
    steps = calibrate.isotonic(y, scores, positive="+", smoothing=None)
    hull = score.roc(y, scores, positive="+").hull
    line = calibrate.logistic_by_means([0, 0, 1, 1], [-1, 1, 2, 4])
    platt = calibrate.logistic(y, scores, positive="+")
    labels = np.where(np.array(y) == "+", 6 / 7, 1 / 9)
    p, free = platt([5.0]), platt([5.0], base_rate=0.5)
    return {
        "isotonic, by the ROC hull: values": steps([9, 6, 4, 0]),
        "isotonic less the shares of the hull's segments: largest": np.abs(
            steps(hull.highest) - hull.probability
        ).max(),
        "logistic, by class means and variance: slope (mu+ - mu-) / sigma^2": line.slope,
        "logistic, by class means: probability half-way between them": line([1.5]).item(),
        "logistic, fitted (Platt): sum less that of the smoothed labels": platt(scores).sum() - labels.sum(),
        "base rate left out: odds over the base rate's, error": (
            p / (1 - p) / (5 / 7) - free / (1 - free)
        ).item(),
    }


def draw_kept_words() -> Any:
    """Probabilities that are too bold, in ten bins."""
    from likely import score

    rng = np.random.default_rng(0)
    chance = rng.random(2000)
    bold = chance**2 / (chance**2 + (1 - chance) ** 2)
    return score.reliability(rng.random(2000) < chance, bold).plot()


@worked(
    "C3",
    "Flach",
    "Are the probabilities calibrated?",
    data="Four forecasts, .2, .4, .6 and .8; the second and the fourth came true. Then 2000 too bold ones.",
    steps=(
        Step("Brier score, (.04 + .36 + .36 + .04) / 4", 0.2),
        Step("log loss in nats", float(-(2 * np.log(0.8) + 2 * np.log(0.4)) / 4)),
        Step("Brier score: miscalibration, discrimination, uncertainty", (0.075, 0.125, 0.25)),
        Step("miscalibration - discrimination + uncertainty - score", 0.0),
        Step("two bins: mean probability", (0.3, 0.7)),
        Step("two bins: share that came true", (0.5, 0.5)),
        Step("two bins: calibration error", 0.2),
        Step("true chances: error within three standard errors of that of chance", True),
        Step("too bold: error more than three standard errors from it", True),
    ),
    notes="""
    Chance alone puts shares off the diagonal: an error is judged by its sampling error. The data are ours.
    """,
    figure=draw_kept_words,
)
def _kept() -> dict[str, Any]:
    import numpy as np

    from likely import score

    y, p = [0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8]
    parts, bins = score.decompose(y, p), score.reliability(y, p, bins=2)
    rng = np.random.default_rng(0)
    chance = rng.random(2000)
    bold = chance**2 / (chance**2 + (1 - chance) ** 2)
    came = rng.random(2000) < chance
    errors = [score.calibration_error(came, told) for told in (chance, bold)]
    off = [abs(error - error.if_calibrated) / error.standard_error for error in errors]
    return {
        "Brier score, (.04 + .36 + .36 + .04) / 4": float(score.brier(y, p)),
        "log loss in nats": float(score.log_loss(y, p)),
        "Brier score: miscalibration, discrimination, uncertainty": (
            parts.miscalibration,
            parts.discrimination,
            parts.uncertainty,
        ),
        "miscalibration - discrimination + uncertainty - score": parts.miscalibration
        - parts.discrimination
        + parts.uncertainty
        - float(score.brier(y, p)),
        "two bins: mean probability": bins.mean,
        "two bins: share that came true": bins.share,
        "two bins: calibration error": float(score.calibration_error(y, p, bins=2)),
        "true chances: error within three standard errors of that of chance": bool(off[0] < 3),
        "too bold: error more than three standard errors from it": bool(off[1] > 3),
    }


EXAMPLES = (_hull, _calibrators, _kept)
