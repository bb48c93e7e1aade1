"""What `calibrate` makes: a calibrated model, or a column of calibrated probabilities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.calibrate import beta, binned, isotonic, logistic, logistic_by_means
from likely.calibrate.calibrated import Calibrated
from likely.cli.work.evaluate import known_rows
from likely.cli.work.models import target_of, with_classes
from likely.cli.work.output import Table
from likely.cli.work.pairs import known_column
from likely.errors import LikelyError
from likely.format.words import many
from likely.table.column.as_raw import as_raw
from likely.table.frame import free_name, without
from likely.table.names import class_named

MAPS: dict[str, Callable[..., Any]] = {
    "logistic": logistic,
    "means": logistic_by_means,
    "beta": beta,
    "isotonic": isotonic,
    "bins": binned,
}


def calibrated_model(
    model: Any, table: Mapping[str, Any], file: str, target: str | None, method: str
) -> Calibrated:
    """A fitted model with a map learnt from the rows whose class is known."""
    with_classes(model, "`likely calibrate`")
    named = target or target_of(model)
    rows, y = known_rows(table, named, file)
    X = without(rows, named)
    calibrated = Calibrated(model, method, cv="prefit").fit({**X, named: y}, named)
    return calibrated


def report(model: Calibrated, file: str) -> tuple[dict[str, Any], list[Table]]:
    """The method, and the log losses that it was chosen by, as data and for people."""
    record = model.record_
    n = int(record.class_counts.sum())
    losses = record.log_losses
    data = {
        "model": type(record.model).__name__,
        "target": record.target.name,
        "rows": n,
        "method": record.method,
        "log loss": {
            name: {"estimate": float(loss), "standard error": loss.standard_error}
            for name, loss in losses.items()
        },
    }
    title = f"{type(record.model).__name__} of {record.target.name}, calibrated by {record.method} on "
    rows = [[name, f"{loss:.4f}", loss.error_text] for name, loss in losses.items()]
    heads = ("method", "log loss (nats)", "standard error")
    return data, [Table(f"{title}{many(n, 'row')} of {file}", heads, rows, "<>>")]


def calibrated_column(
    table: Mapping[str, Any], file: str, column: str, target: str, positive: str | None, method: str
) -> dict[str, Any]:
    """P(positive class) of every row that has a score, learnt from the rows whose class is known."""
    for name, option in ((column, "--score-column"), (target, "--target")):
        known_column(name, list(table), option)
    score = as_raw(column, table[column])
    if not score.type.numeric:
        raise LikelyError(f"--score-column {column!r} does not hold numbers.")
    numbers = score.numbers()
    codes, labels = as_raw(target, table[target]).distinct()
    there = ~np.isnan(numbers)
    seen = there & (codes >= 0)
    if not seen.any():
        raise LikelyError(f"no row of {file} has both a score and a value of {target!r}.")
    label = _positive(labels, codes[seen], positive)
    calibration = MAPS[method](codes[seen] == label, numbers[seen])
    out = np.full(len(numbers), np.nan)
    out[there] = calibration(numbers[there])
    return {free_name("calibrated", table): out}


def _positive(labels: Sequence[Any], codes: NDArray[np.intp], positive: str | None) -> int:
    """The place of the positive class among the labels."""
    names = list(labels)
    if positive is not None:
        return names.index(class_named(positive, names))
    present = sorted({names[code] for code in np.unique(codes).tolist()})
    if len(present) != 2:
        raise LikelyError(
            f"the target has the values {present[:10]!r}: name the one that high scores stand for with "
            "--positive."
        )
    return names.index(present[1])
