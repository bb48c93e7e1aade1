"""What `evaluate` judges, a model or a column of scores, and how it says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.cli.output import Table
from likely.cli.work.models import target_of, with_classes
from likely.compare.outcomes import judged_outcomes, predictions_and_logs
from likely.errors import LikelyError, notice
from likely.estimator.fitted import outcomes
from likely.format.words import many
from likely.report.model.evaluation import Evaluation
from likely.score import roc
from likely.table.column.as_raw import as_raw
from likely.table.frame import without


def of_model(model: Any, table: Mapping[str, Any], file: str) -> tuple[str, Evaluation]:
    """A model judged by a table that has its target; under a title."""
    target = target_of(model)
    rows, y = known_rows(table, target, file)
    title = f"{target} of {many(len(y), 'row')} of {file}"
    if hasattr(model, "classes_"):
        with_classes(model, "`likely evaluate`")
        p = model.predict_proba(without(rows, target))
        return title, Evaluation.of_probabilities(y, p, model.classes_)
    y = outcomes(as_raw(target, y))
    measures = judged_outcomes(y, *predictions_and_logs(model, without(rows, target), y), np.ones(len(y)))
    named = {f"{name} (nats)" if name == "log density" else name: score for name, score in measures.items()}
    return title, Evaluation(named, {}, {})


def of_scores(
    table: Mapping[str, Any], file: str, column: str, target: str, positive: object
) -> tuple[str, Evaluation]:
    """A column of scores judged by a column of classes; under a title."""
    rows, y = known_rows(table, target, file)
    score = np.asarray(rows[column], np.float64)
    curve = roc(y, score, positive=positive)
    title = f"{column} for {target} = {curve.positive}, {many(len(y), 'row')} of {file}"
    return title, Evaluation.of_scores(y, curve, score)


def evaluation_tables(title: str, evaluation: Evaluation) -> list[Table]:
    """The measures, and the best threshold of each curve."""
    rows = [[name, f"{score:.3f}", score.error_text] for name, score in evaluation.measures.items()]
    measures = Table(title, ("", "estimate", "standard error"), rows, "<>>")
    best = [(label, curve.best()) for label, curve in evaluation.curves.items()]
    body = [
        [str(label), f"{b.threshold:.4g}", f"{b.tpr:.3f}", f"{b.fpr:.3f}", f"{b.cost:.3f}"]
        for label, b in best
    ]
    heads = ("class", "threshold", "true positive rate", "false positive rate", "errors")
    cuts = [Table("Where to cut for the fewest errors", heads, body, "<>>>>")] if body else []
    return [measures, *cuts]


def known_rows(table: Mapping[str, Any], target: str, file: str) -> tuple[dict[str, Any], NDArray[Any]]:
    """The rows whose class is known, and their classes."""
    if target not in table:
        raise LikelyError(f"{file} has no column {target!r}, which says what came true.")
    known = as_raw(target, table[target]).distinct()[0] >= 0
    if not known.any():
        raise LikelyError(f"{target!r} is missing in every row of {file}: there is nothing to judge by.")
    if not known.all():
        notice(f"{many(int((~known).sum()), 'row')} without a value of {target!r} left out.")
    rows = {name: column[known] for name, column in table.items()}
    y = rows[target]
    if y.dtype.kind == "f" and (y == np.floor(y)).all():
        y = y.astype(np.int64)  # whole numbers were floats because of the gaps
    return rows, y
