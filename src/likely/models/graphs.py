"""The whole of a model as a picture's data: nomogram and linear form."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Bernoulli
from likely.errors import LikelyError
from likely.evidence import CurveAxis, LevelAxis, LinearForm, Nomogram
from likely.evidence import linear_form as _linear_form
from likely.models.record import Record, refuse_components
from likely.models.slots import Reads
from likely.table.column import Column
from likely.table.kinds import Kind

CURVE = 101  # points of a curve over the values of a quantitative column


def nomogram(record: Record, a: int, b: int) -> Nomogram:
    """What every value of every feature adds to the log-odds of class a against class b."""
    refuse_components(record, "a nomogram")
    axes: list[LevelAxis | CurveAxis] = []
    for slot, part in zip(record.slots, record.core.parts, strict=True):
        if slot.reads in (Reads.GAPS, Reads.WORDS) or part.event_axes > 0:
            column = record.schema.columns[slot.columns[0]]
            raise LikelyError(
                f"column {column.name!r} ({slot.reads.value}, {slot.family.name} family): what it adds is "
                "no function of its own value alone, so a nomogram would not add up. Use explain()."
            )
        columns = [record.schema.columns[j] for j in slot.columns]
        for place, column in enumerate(columns):
            values = grid(column, part, place)
            # A grid with the other columns missing: each term is then this column's alone.
            rows = np.full(
                (len(values), len(columns)), -1 if slot.reads is Reads.CODES else np.nan, values.dtype
            )
            rows[:, place] = values
            terms = part.relative_terms(rows)[:, :, place]
            with np.errstate(invalid="ignore"):
                evidence = np.nan_to_num(terms[:, a] - terms[:, b], nan=0.0, posinf=np.inf, neginf=-np.inf)
            axes.append(_axis(column, values, evidence))
    weights = record.core.log_weights
    base = float(weights[a] - weights[b])
    return Nomogram((record.classes[a], record.classes[b]), base, tuple(axes))


def _axis(column: Column, values: NDArray[Any], evidence: NDArray[np.float64]) -> LevelAxis | CurveAxis:
    if column.levels is not None:
        return LevelAxis(column.name, column.levels, evidence)
    if column.kind is Kind.BOOLEAN:
        return LevelAxis(column.name, (False, True), evidence)
    return CurveAxis(column.name, values, evidence)


def grid(column: Column, part: Any, place: int) -> NDArray[Any]:
    """The values of a column as its part reads them: all levels, or points along a curve."""
    if column.levels is not None:
        return np.arange(len(column.levels))
    if column.kind is Kind.BOOLEAN:
        return np.array([0.0, 1.0])
    mean, sd = np.asarray(part.mean)[:, place], np.asarray(part.sd)[:, place]
    sd = np.where(np.isfinite(sd), sd, 0.0)
    low, high = float((mean - 3 * sd).min()), float((mean + 3 * sd).max())
    if column.kind is Kind.COUNT:
        low, high = max(0.0, np.floor(low)), np.ceil(high)
        return np.unique(np.round(np.linspace(low, high, CURVE)))
    return np.linspace(low, high, CURVE)


def linear_form(record: Record, a: int, b: int) -> LinearForm:
    """Weights and bias, if every feature is true or false."""
    refuse_components(record, "a linear form")
    for slot in record.slots:
        if slot.family is not Bernoulli or slot.reads is not Reads.NUMBERS:
            column = record.schema.columns[slot.columns[0]]
            raise LikelyError(
                f"column {column.name!r} is {column.kind}: the log-odds are linear in the features only "
                "where all of them are Boolean. nomogram() shows models of any kind."
            )
    chances = np.empty((2, len(record.schema.columns)))  # P(true) in either class
    for slot, part in zip(record.slots, record.core.parts, strict=True):
        chances[:, list(slot.columns)] = part.p[[a, b]]
    weights = record.core.log_weights
    return _linear_form(
        chances[0],
        chances[1],
        float(weights[a] - weights[b]),
        record.schema.names,
        (record.classes[a], record.classes[b]),
    )
