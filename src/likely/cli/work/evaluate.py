"""What `evaluate` judges, a model or a column of scores, and how it says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.cli.work.files import Source
from likely.cli.work.models import target_of, with_classes
from likely.cli.work.output import Table, progress
from likely.compare.outcomes import judged_outcomes, predictions_and_logs
from likely.errors import LikelyError, notice
from likely.estimator.fitted import outcomes
from likely.format.words import many
from likely.report.model.evaluation import Evaluation
from likely.score import roc
from likely.table.batch.batches import batches
from likely.table.column.as_raw import as_raw
from likely.table.column.raw import Raw
from likely.table.frame import Frame, take, without
from likely.table.schema import Schema


def of_model(model: Any, source: Source, file: str) -> tuple[str, Evaluation]:
    """A model judged by a table that has its target, some rows at a time; under a title."""
    target, schema = target_of(model), model.record_.schema
    if hasattr(model, "classes_"):
        with_classes(model, "`likely evaluate`")
        told = _told_rows(source, target, file, schema)
        answers = [(_labels(y), model.predict_proba(rows)) for rows, y in told]
        y, p = map(np.concatenate, zip(*answers, strict=True))
        return _title(target, y, file), Evaluation.of_probabilities(y, p, model.classes_)
    parts = []
    for rows, raw in _told_rows(source, target, file, schema):
        y = outcomes(raw)
        parts.append((y, *predictions_and_logs(model, rows, y)))
    y, predicted, logs = map(np.concatenate, zip(*parts, strict=True))
    measures = judged_outcomes(y, predicted, logs, np.ones(len(y)))
    named = {f"{name} (nats)" if name == "log density" else name: score for name, score in measures.items()}
    return _title(target, y, file), Evaluation(named, {}, {})


def _told_rows(source: Source, target: str, file: str, schema: Schema) -> Iterator[tuple[Any, Raw]]:
    """Some rows at a time, in the columns of the model, and their targets: of those rows that tell it."""
    n = known = 0
    with progress("reading") as tell:
        for batch in batches(source.name):
            frame = Frame.of(batch.table)
            if target not in frame.names:
                raise LikelyError(f"{file} has no column {target!r}, which says what came true.")
            told = np.flatnonzero(frame.raw(target).distinct()[0] >= 0)
            n, known = n + frame.n, known + len(told)
            if len(told):
                rows = batch.table if len(told) == frame.n else take(batch.table, told)
                others = [name for name in frame.names if schema.named and name not in schema.names]
                yield without(rows, target, *others), Frame.of(rows).raw(target)
            tell(batch.done or 0.0, None if batch.done is None else 1.0)
    _say_untold(n - known, known, target, file)


def _say_untold(untold: int, known: int, target: str, file: str) -> None:
    """Say how many rows do not tell their target; refuse a table of which none does."""
    if not known:
        raise LikelyError(f"{target!r} is missing in every row of {file}: there is nothing to judge by.")
    if untold:
        notice(f"{many(untold, 'row')} without a value of {target!r} left out.")


def _labels(raw: Raw) -> NDArray[Any]:
    """The values of a column without gaps."""
    codes, labels = raw.distinct()
    values = np.empty(len(labels), object)
    values[:] = list(labels)
    return np.asarray(values[codes])


def _title(target: str, y: NDArray[Any], file: str) -> str:
    return f"{target} of {many(len(y), 'row')} of {file}"


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
    _say_untold(int((~known).sum()), int(known.sum()), target, file)
    rows = {name: column[known] for name, column in table.items()}
    y = rows[target]
    if y.dtype.kind == "f" and (y == np.floor(y)).all():
        y = y.astype(np.int64)  # whole numbers were floats because of the gaps
    return rows, y
