"""A fitted model of columns with levels -> the tables whose product is its joint distribution."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Bernoulli, Categorical
from likely.dist.numeric.ragged import starts
from likely.errors import LikelyError
from likely.models.groups.record import Record, refuse_components
from likely.models.joint.conditional import Conditional
from likely.models.parts.part import Reads
from likely.table.column.column import Column
from likely.table.column.kinds import Kind

Floats = NDArray[np.float64]


def tables_of(model: Any) -> list[Conditional]:
    """P(column | target) for every column in the order of the table, and P(target)."""
    record = getattr(model, "record_", None)
    if not isinstance(record, Record):
        raise LikelyError(f"{model!r} is no fitted model of columns given a class: fit a NaiveBayes first.")
    refuse_components(record, "a joint table")
    target, library = record.target, record.schema.library
    tables = []
    levels, gaps = _levels(record), _gaps(record)
    for j, column in enumerate(record.schema.columns):
        if column.kind is Kind.BOOLEAN and column.levels is None:
            column = replace(column, levels=(False, True))
        probs = levels[j]
        if j in gaps:  # a missing cell is a level too
            missing = gaps[j][:, None]
            probs = np.hstack([probs * (1 - missing), missing])
            column = replace(column, levels=(*column.known, None), missing_level=True)
        tables.append(Conditional.made((target, column), 1, probs, library))
    return [*tables, Conditional.made((target,), 0, np.exp(record.core.log_weights), library)]


def _levels(record: Record) -> dict[int, Floats]:
    """P(level | class) of each column by its place, (g, k)."""
    found: dict[int, Floats] = {}
    for slot, part in zip(record.slots, record.core.parts, strict=True):
        for place, j in enumerate(slot.columns):
            if slot.reads is Reads.GAPS:
                continue
            if isinstance(part, Bernoulli):
                found[j] = np.stack([1 - part.p[:, place], part.p[:, place]], axis=1)
            elif isinstance(part, Categorical) and part.sizes is not None:
                start = starts(part.sizes)[place]
                found[j] = part.probs[:, start : start + part.sizes[place]].copy()
            else:
                _refuse(record.schema.columns[j], slot.family.name)
    return found


def _gaps(record: Record) -> dict[int, Floats]:
    """P(missing | class) of the columns for which that is a level of its own, (g,)."""
    found = {}
    for slot, part in zip(record.slots, record.core.parts, strict=True):
        if slot.reads is Reads.GAPS:
            found.update({j: part.p[:, place] for place, j in enumerate(slot.columns)})
    return found


def _refuse(column: Column, family: str) -> None:
    raise LikelyError(
        f"column {column.name!r} is {column.kind} ({family}), and a joint table is of levels: put it into "
        "bins before the model is fitted, or fit with its values as levels: "
        f"kinds={{{column.name!r}: 'ordinal'}}."
    )
