"""How good probabilities or scores are: all measures of one table, as data and for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from likely.cli.output import Table
from likely.cli.work.models import target_of, with_classes
from likely.errors import LikelyError, notice
from likely.format.words import many
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
    roc,
    roc_one_vs_rest,
)
from likely.table.rows import without

PICTURES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Evaluation:
    """The measures by name, and the curve of each class that has one."""

    title: str
    measures: Mapping[str, Score]
    curves: Mapping[Any, ROC]
    foretold: Mapping[Any, tuple[Any, Any]]  # whether each row is of the class, and its probability

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain Python, ready for JSON."""
        measures = {
            name: {"estimate": float(score), "standard error": score.standard_error}
            for name, score in self.measures.items()
        }
        return {
            "measures": measures,
            "curves": {str(label): _curve(curve) for label, curve in self.curves.items()},
            "reliability": {str(label): _diagram(self._reliability(label)) for label in self.foretold},
        }

    @property
    def tables(self) -> list[Table]:
        """The measures, and the best threshold of each curve."""
        rows = [[name, f"{score:.3f}", score.error_text] for name, score in self.measures.items()]
        found = [Table(self.title, ("", "estimate", "standard error"), rows, "<>>")]
        best = [(label, curve.best()) for label, curve in self.curves.items()]
        body = [
            [str(label), f"{b.threshold:.4g}", f"{b.tpr:.3f}", f"{b.fpr:.3f}", f"{b.cost:.3f}"]
            for label, b in best
        ]
        heads = ("class", "threshold", "true positive rate", "false positive rate", "errors")
        return [*found, Table("Where to cut for the fewest errors", heads, body, "<>>>>")] if body else found

    def draw(self, path: Path) -> None:
        """ROC curves above, reliability diagrams below where there are probabilities, into one picture."""
        from likely.draw.axes import need_matplotlib

        if path.suffix.lower() not in PICTURES:
            raise LikelyError(f"--plot {path}: a picture has the ending {', '.join(PICTURES)}.")
        if not self.curves:
            raise LikelyError(f"--plot {path}: no class has a curve, so there is nothing to draw.")
        need_matplotlib()
        from matplotlib.figure import Figure

        down = 2 if self.foretold else 1
        figure = Figure(figsize=(4.2 * max(len(self.curves), 1), 4.2 * down), layout="constrained")
        grid = figure.subplots(down, max(len(self.curves), 1), squeeze=False)
        for place, (label, curve) in enumerate(self.curves.items()):
            curve.plot(ax=grid[0][place])
            if label in self.foretold:
                self._reliability(label).plot(ax=grid[1][place])
        figure.savefig(path)

    def _reliability(self, label: Any) -> Reliability:
        return replace(reliability(*self.foretold[label], classes=[False, True]), label=label)


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


def _diagram(found: Reliability) -> dict[str, Any]:
    """The points of a reliability diagram, and the ends of their consistency bars."""
    ends = {"low": found.low.tolist(), "high": found.high.tolist(), "level": found.level}
    return {"mean": found.mean.tolist(), "share": found.share.tolist(), **ends}


def of_model(model: Any, table: Mapping[str, Any], file: str) -> Evaluation:
    """A model judged by a table that has its target."""
    target = target_of(model)
    if not hasattr(model, "classes_"):
        return _of_numbers(model, table, target, file)
    rows, y = known_rows(table, target, file)
    with_classes(model, "`likely evaluate`")
    p, classes = model.predict_proba(without(rows, target)), model.classes_
    curves = roc_one_vs_rest(y, p, classes=classes) if len(classes) > 1 else {}
    curves = {label: curve for label, curve in curves.items() if all(curve.ranked.rows)}
    if len(classes) == 2:  # the other curve is the same, seen from the other corner
        curves = dict(list(curves.items())[-1:])
    title = f"{target} of {many(len(y), 'row')} of {file}"
    places = {label: place for place, label in enumerate(classes.tolist())}
    told = {label: (np.asarray(y == label), p[:, places[label]]) for label in curves}
    return Evaluation(title, _measures(y, p, classes), curves, told)


def _of_numbers(model: Any, table: Mapping[str, Any], target: str, file: str) -> Evaluation:
    """A model of numbers judged by a table that has them."""
    from likely.compare.outcomes import foretold, judged_outcomes
    from likely.estimator.target import outcomes
    from likely.table.column.raw import Raw

    rows, y = known_rows(table, target, file)
    y = outcomes(Raw.of(target, y))
    measures = judged_outcomes(y, *foretold(model, without(rows, target), y), np.ones(len(y)))
    named = {f"{name} (nats)" if name == "log density" else name: score for name, score in measures.items()}
    return Evaluation(f"{target} of {many(len(y), 'row')} of {file}", named, {}, {})


def of_scores(table: Mapping[str, Any], file: str, column: str, target: str, positive: Any) -> Evaluation:
    """A column of scores judged by a column of classes."""
    rows, y = known_rows(table, target, file)
    score = np.asarray(rows[column], np.float64)
    curve = roc(y, score, positive=positive)
    title = f"{column} for {target} = {curve.positive}, {many(len(y), 'row')} of {file}"
    curves = {curve.positive: curve} if all(curve.ranked.rows) else {}
    hit = np.asarray(y == curve.positive)
    if ((score >= 0) & (score <= 1)).all():
        told = dict.fromkeys(curves, (hit, score))
        return Evaluation(title, _measures(hit, score, np.array([False, True])), curves, told)
    return Evaluation(title, {"AUC": curve.auc} if curves else {}, curves, {})


def _measures(y: Any, p: Any, classes: Any) -> dict[str, Score]:
    found = {"log loss (nats)": log_loss(y, p, classes=classes), "Brier score": brier(y, p, classes=classes)}
    if len(np.unique(y)) > 1:
        found["AUC"] = auc(y, p, classes=classes)
    found["accuracy"] = accuracy(y, p, classes=classes)
    found["calibration error"] = calibration_error(y, p, classes=classes)
    return found


def known_rows(table: Mapping[str, Any], target: str, file: str) -> tuple[dict[str, Any], Any]:
    """The rows whose class is known, and their classes."""
    from likely.table.column.raw import Raw

    if target not in table:
        raise LikelyError(f"{file} has no column {target!r}, which says what came true.")
    known = Raw.of(target, table[target]).distinct()[0] >= 0
    if not known.any():
        raise LikelyError(f"{target!r} is missing in every row of {file}: there is nothing to judge by.")
    if not known.all():
        notice(f"{many(int((~known).sum()), 'row')} without a value of {target!r} left out.")
    rows = {name: column[known] for name, column in table.items()}
    y = rows[target]
    if y.dtype.kind == "f" and (y == np.floor(y)).all():
        y = y.astype(np.int64)  # whole numbers were floats because of the gaps
    return rows, y
