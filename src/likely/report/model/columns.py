"""What a model takes each column for, and, of a regression, the coefficients that matter most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import dense
from likely.engine import ReduceTask, engine_for
from likely.format.words import json_ready, plain
from likely.infer.standard import Rows
from likely.models.regression.design import Design
from likely.models.regression.linear.record import LinearRecord
from likely.stats import Groups, Moments
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

Floats = NDArray[np.float64]


def column_records(record: Any, frame: Frame) -> list[dict[str, Any]]:
    """One record a column of the model; those of regressions have no families."""
    families: dict[int, str] = {}
    for part in getattr(record, "parts", ()):
        if part.describes_cells:
            families |= dict.fromkeys(part.columns, part.family.name)
    return [
        {
            "column": column.name,
            "kind": str(column.kind),
            **({"family": families[j]} if families else {}),
            "values": _values(column, frame),
            "missing": int(frame.raw(column.name).missing().sum()),
        }
        for j, column in enumerate(record.schema.columns)
    ]


def _values(column: Column, frame: Frame) -> dict[str, Any]:
    if column.kind is Kind.TEXT:
        return {"words": len(column.known)}
    if column.levels is not None:
        return {"levels": [plain(level) for level in column.known]}
    if column.kind is Kind.BOOLEAN:
        return {"levels": [False, True]}
    raw = frame.raw(column.name)
    numbers = raw.numbers()
    if np.isnan(numbers).all():
        return {"levels": []}
    return {"from": raw.item(int(np.nanargmin(numbers))), "to": raw.item(int(np.nanargmax(numbers)))}


@dataclass(frozen=True)
class Coefficient:
    """A coefficient, and what it does."""

    name: str
    label: Any  # the class that it speaks for; None of a number
    value: float
    error: float | None
    effect: float  # what one standard deviation of the column adds

    def to_dict(self) -> dict[str, Any]:
        """In plain Python, ready for JSON."""
        return {
            "name": self.name,
            **({} if self.label is None else {"class": json_ready(self.label)}),
            "coefficient": json_ready(self.value),
            "standard error": None if self.error is None else json_ready(self.error),
            "effect of one sd": json_ready(self.effect),
        }


def strongest_coefficients(model: Any, frame: Frame, top: int) -> list[Coefficient]:
    """Those with the largest effect of one standard deviation of their column, `top` for each class."""
    record = model.record_
    sd = _deviations(record.design, frame)
    if isinstance(record, LinearRecord):
        labels, values = [None], record.coefficients[None, :]
        errors = record.standard_errors[None, 1:] if record.known else None
    else:
        labels = list(record.vector_classes)
        values = record.original[:, 1:]
        errors = None if record.covariance is None else record.standard_errors[:, 1:]
    strongest = []
    for g, label in enumerate(labels):
        effects = values[g] * sd
        strength = np.abs(effects) / (np.abs(effects).max(initial=0.0) or 1.0)
        for j in np.argsort(-strength.round(9), kind="stable")[:top].tolist():  # rounding breaks no tie
            error = None if errors is None else float(errors[g, j])
            name = record.design.names[j]
            strongest.append(Coefficient(name, label, float(values[g, j]), error, float(effects[j])))
    return strongest


def _deviations(design: Design, frame: Frame) -> Floats:
    """The standard deviation of each column of the design, (p,)."""
    engine = engine_for(None)
    moments = engine.reduce(design.cells(frame, engine).rows, MomentsOfRows(len(design.names)))
    return np.asarray(np.sqrt(np.maximum(moments.variance[0], 0.0)))


@dataclass(frozen=True)
class MomentsOfRows(ReduceTask[Rows, Moments]):
    """Mean and variance of each column of a design."""

    n_columns: int

    def width(self, stored: int) -> int:
        """A row's cells, written out."""
        return self.n_columns

    def step(self, data: Rows, start: int, stop: int) -> Moments:
        """Of some rows."""
        return Moments.collect(dense(data(start, stop)), Groups.one(stop - start, None))
