"""How far an answer is known, for the script: variances of what parameters say, where there is a formula."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import special
from likely.errors import LikelyError
from likely.models.groups.record import GroupRecord
from likely.models.regression.design import Design
from likely.models.regression.linear.record import LinearRecord
from likely.models.regression.logistic_record import LogisticRecord
from likely.page.columns import ShownColumn
from likely.page.counted_shares import LEVEL, figures
from likely.pool.record import PoolRecord
from likely.stats.bins import equal_frequency
from likely.table.frame import Frame

Floats = NDArray[np.float64]

DRAWS = 200  # of parameters from their posterior
MOST_COEFFICIENTS = 150  # whose covariances the file holds
ROWS = 400  # of the table that are asked for their intervals
BINS = 12


def spread_of(
    model: Any, record: Any, columns: Sequence[ShownColumn], frame: Frame | None
) -> dict[str, Any] | None:
    """By a formula where there is one; else what rows of the table with such answers have; else None."""
    if isinstance(record, LogisticRecord):
        own = _of_logistic(record, columns)
    elif isinstance(record, LinearRecord):
        own = _of_linear(record, columns)
    elif isinstance(record, GroupRecord) and _stands_alone(record):
        own = _of_groups(record, columns)
    else:
        own = None
    return own or _typical(model, record, frame)


def _stands_alone(record: GroupRecord) -> bool:
    """Whether columns are described one by one, by parameters that have a posterior."""
    if record.settings.estimate == "ml" or record.components is not None:
        return False
    return all(part.by_value and part.describes_cells and part.prior is not None for part in record.parts)


def _of_groups(record: GroupRecord, columns: Sequence[ShownColumn]) -> dict[str, Any] | None:
    """Variances of log P(value given class): classes have parameters of their own, so these simply add."""
    g = len(record.classes)
    try:
        drawn = record.drawn(np.random.default_rng(0), DRAWS)
    except LikelyError:
        return None
    by_column: list[Any] = [None] * len(columns)
    for part in drawn.parts:
        for place, j in enumerate(part.columns):
            shown = columns[j]
            values = np.array([own[0] for own in shown.levels]) if shown.levels else shown.points
            if not len(values):
                continue
            rows = part.alone(place, values.astype(np.intp) if part.coded else values.astype(np.float64))
            terms = part.distribution.terms(rows)[:, :, place].reshape(len(values), DRAWS, g)
            by_column[j] = _rounded(np.where(np.isfinite(terms), terms, 0.0).var(axis=1))
    counted = record.settings.base_rate is None
    base = special("polygamma", 1, record.class_counts + 1.0) if counted else np.zeros(g)
    return {"kind": "classes", "base": _rounded(base), "columns": by_column}


def _rounded(array: Floats) -> Any:
    if array.ndim > 1:
        return [_rounded(row) for row in array]
    return [figures(value) if np.isfinite(value) else 0.0 for value in array.tolist()]


def _of_logistic(record: LogisticRecord, columns: Sequence[ShownColumn]) -> dict[str, Any] | None:
    design = record.design
    large = record.theta.size > MOST_COEFFICIENTS or bool(design.texts)
    if record.covariance is None or large or record.beside is not None:
        return None
    unit = np.tile(np.append(1.0, design.unit), len(record.theta))
    covariance = record.covariance / unit / unit[:, None]
    g = len(record.classes)
    vectors = list(range(g - len(record.theta), g))
    return {
        "kind": "design",
        "design": [["one", 0, 0, 0, 1], *_design(design, columns, design.centre)],
        "covariance": _packed(covariance),
        "vectors": vectors,
    }


def _of_linear(record: LinearRecord, columns: Sequence[ShownColumn]) -> dict[str, Any] | None:
    p = len(record.design.names)
    if not record.known or p + 1 > MOST_COEFFICIENTS or record.design.texts:
        return None
    unscaled, scale = record.posterior()
    covariance = np.zeros((p + 1, p + 1))
    covariance[0, 0] = 1 / record.n
    covariance[1:, 1:] = unscaled / record.unit / record.unit[:, None]
    factor = float(special("stdtrit", 2 * record.line.shape, (1 + LEVEL) / 2))
    return {
        "kind": "design",
        "design": [["one", 0, 0, 0, 1], *_design(record.design, columns, record.mean[:-1])],
        "covariance": _packed(covariance),
        "vectors": [0],
        "scale": float(scale),
        "factor": factor,
    }


def _design(design: Design, columns: Sequence[ShownColumn], centre: Floats) -> list[list[Any]]:
    """Of each column of the design: kind, column, which value (or what a gap counts as), centre, height."""
    entries: list[list[Any]] = []
    for i, j in enumerate(design.counted):
        entries.append(["number", j, float(design.mean[i]), float(centre[i]), 1])
    for j in design.coded:
        options = {level: (o, len(own)) for o, own in enumerate(columns[j].levels) for level in own}
        for level in range(design._first, len(design.schema.columns[j].known)):
            option, several = options.get(level, (-1, 1))  # or none: it is too rare to be told
            entries.append(["level", j, option, float(centre[len(entries)]), 1 / several])
    entries += [["gap", j, 0, float(centre[len(entries) + i]), 1] for i, j in enumerate(design.gaps)]
    return entries


def _packed(matrix: Floats) -> list[float]:
    """The lower triangle, row by row; nothing is known of what others determine."""
    lower = matrix[np.tril_indices(len(matrix))]
    return [float(f"{value:.8g}") for value in np.where(np.isfinite(lower), lower, 0.0)]


def _typical(model: Any, record: Any, frame: Frame | None) -> dict[str, Any] | None:
    """How far rows of the table are known, by their answer: the middle one of those with about the same.

    Where nothing is told the answer is the base rate, which is known as far as rows were counted.
    """
    if frame is None or not hasattr(model, "predict_interval"):
        return None
    rows = np.unique(np.linspace(0, frame.n - 1, ROWS).astype(np.intp))
    try:
        intervals = model.predict_interval(frame.at(rows), level=LEVEL)
    except LikelyError:
        return None
    z = float(special("ndtri", (1 + LEVEL) / 2))
    low, high = np.asarray(intervals.lower), np.asarray(intervals.upper)
    if low.ndim == 1:
        deviation = float(np.median(high - low)) / (2 * z)
        return {"kind": "typical", "at": [0.0], "deviation": [figures(deviation)]}
    ends = [special("logit", np.clip(end, 1e-9, 1 - 1e-9)).ravel() for end in (low, high)]
    middle = special("logit", np.clip(np.asarray(intervals.probability), 1e-9, 1 - 1e-9)).ravel()
    order = np.argsort(middle, kind="stable")
    middle, width = middle[order], ((ends[1] - ends[0]) / (2 * z))[order]
    cut = equal_frequency(np.ones(len(middle)), BINS)
    some = [slice(a, b) for a, b in pairwise(cut.tolist())]
    spread: dict[str, Any] = {
        "kind": "typical",
        "at": [figures(float(np.median(middle[own]))) for own in some],
        "deviation": [figures(float(np.median(width[own]))) for own in some],
    }
    if record is getattr(model, "record_", None) and isinstance(record, PoolRecord):
        spread["base"] = _rounded(_of_shares(record.class_counts))
    return spread


def _of_shares(counts: Floats) -> Floats:
    """The variance of the log-odds of each class against the rest, if that many rows were counted."""
    return np.asarray(
        special("polygamma", 1, counts + 1.0) + special("polygamma", 1, counts.sum() - counts + 1.0)
    )
