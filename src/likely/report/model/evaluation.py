"""How good probabilities or scores are: all measures of one table, their curves and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.draw.axes import new_panels
from likely.draw.picture import save_picture
from likely.errors import LikelyError
from likely.score import (
    ROC,
    Reliability,
    Score,
    accuracy,
    auc,
    brier,
    calibration_error,
    log_loss,
    reliability,
    roc_one_vs_rest,
)
from likely.stats.groups import Floats

Bools = NDArray[np.bool_]

PICTURES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Evaluation:
    """The measures by name, and the curve of each class that has one."""

    measures: Mapping[str, Score]
    curves: Mapping[Any, ROC]
    predicted: Mapping[Any, tuple[Bools, Floats]]  # whether each row is of the class, and its probability

    @classmethod
    def of_probabilities(cls, y: NDArray[Any], p: Floats, classes: NDArray[Any]) -> Evaluation:
        """Probabilities of classes (n, g), judged by the classes that came true."""
        curves = roc_one_vs_rest(y, p, classes=classes) if len(classes) > 1 else {}
        curves = {label: curve for label, curve in curves.items() if all(curve.ranked.rows)}
        if len(classes) == 2:  # the other curve is the same, seen from the other corner
            curves = dict(list(curves.items())[-1:])
        places = {label: place for place, label in enumerate(classes.tolist())}
        predicted = {label: (np.asarray(y == label), p[:, places[label]]) for label in curves}
        return cls(_measures(y, p, classes), curves, predicted)

    @classmethod
    def of_scores(cls, y: NDArray[Any], curve: ROC, score: Floats) -> Evaluation:
        """Scores of one class, judged by what came true: by all measures if they are probabilities."""
        curves = {curve.positive: curve} if all(curve.ranked.rows) else {}
        if not ((score >= 0) & (score <= 1)).all():
            return cls({"AUC": curve.auc} if curves else {}, curves, {})
        hit = np.asarray(y == curve.positive)
        predicted = dict.fromkeys(curves, (hit, score))
        return cls(_measures(hit, score, np.array([False, True])), curves, predicted)

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain Python, ready for JSON."""
        measures = {
            name: {"estimate": float(score), "standard error": score.standard_error}
            for name, score in self.measures.items()
        }
        return {
            "measures": measures,
            "curves": {str(label): _curve(curve) for label, curve in self.curves.items()},
            "reliability": {str(label): _diagram(self._reliability(label)) for label in self.predicted},
        }

    def draw(self, path: Path) -> None:
        """ROC curves above, reliability diagrams below where there are probabilities, into one picture."""
        if path.suffix.lower() not in PICTURES:
            raise LikelyError(f"{path}: a picture has the ending {', '.join(PICTURES)}.")
        if not self.curves:
            raise LikelyError(f"{path}: no class has a curve, so there is nothing to draw.")
        down, across = 2 if self.predicted else 1, len(self.curves)
        grid = new_panels(4.2 * across, 4.2 * down, down, across)
        for place, (label, curve) in enumerate(self.curves.items()):
            curve.plot(ax=grid[0][place])
            if label in self.predicted:
                self._reliability(label).plot(ax=grid[1][place])
        figure: Any = grid[0][0].figure
        save_picture(figure, path)

    def _reliability(self, label: object) -> Reliability:
        return replace(reliability(*self.predicted[label], classes=[False, True]), label=label)


def _curve(curve: ROC) -> dict[str, Any]:
    best = curve.best()
    return {
        "threshold": curve.thresholds.tolist(),
        "tpr": curve.tpr.tolist(),
        "fpr": curve.fpr.tolist(),
        "hull": {
            "tpr": curve.hull.tpr.tolist(),
            "fpr": curve.hull.fpr.tolist(),
            "likelihood ratio": curve.hull.likelihood_ratio.tolist(),
        },
        "AUC interval": list(curve.auc.interval()),
        "best": {"threshold": best.threshold, "tpr": best.tpr, "fpr": best.fpr, "errors": best.cost},
    }


def _diagram(diagram: Reliability) -> dict[str, Any]:
    """The points of a reliability diagram, and the ends of their consistency bars."""
    ends = {"low": diagram.low.tolist(), "high": diagram.high.tolist(), "level": diagram.level}
    return {"mean": diagram.mean.tolist(), "share": diagram.share.tolist(), **ends}


def _measures(y: NDArray[Any], p: Floats, classes: NDArray[Any]) -> dict[str, Score]:
    measures = {
        "log loss (nats)": log_loss(y, p, classes=classes),
        "Brier score": brier(y, p, classes=classes),
    }
    if len(np.unique(y)) > 1:
        measures["AUC"] = auc(y, p, classes=classes)
    measures["accuracy"] = accuracy(y, p, classes=classes)
    measures["calibration error"] = calibration_error(y, p, classes=classes)
    return measures
