"""A fitted model of columns with levels -> the tables whose product is its joint distribution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.models.groups.record import GroupRecord, refuse_components
from likely.models.joint.conditional import Conditional
from likely.table.column.column import Column
from likely.table.column.kinds import Kind

Floats = NDArray[np.float64]


def tables_of(model: object) -> list[Conditional]:
    """P(column | target) for every column in the order of the table, and P(target)."""
    record = getattr(model, "record_", None)
    if not isinstance(record, GroupRecord):
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


def _levels(record: GroupRecord) -> dict[int, Floats]:
    """P(level | class) of each column by its place, (g, k)."""
    tables: dict[int, Floats] = {}
    for part in record.core.parts:
        for place, j in enumerate(part.columns if part.describes_cells else ()):
            table = part.level_table(place)
            if table is None:
                _refuse(part.column(place), part.family.name)
            else:
                tables[j] = table[1].copy()
    return tables


def _gaps(record: GroupRecord) -> dict[int, Floats]:
    """P(missing | class) of the columns for which that is a level of its own, (g,)."""
    missing = {}
    for part in record.core.parts:
        if not part.describes_cells:
            missing.update({j: part.distribution.p[:, place] for place, j in enumerate(part.columns)})
    return missing


def _refuse(column: Column, family: str) -> None:
    raise LikelyError(
        f"column {column.name!r} is {column.kind} ({family}), and a joint table is of levels: put it into "
        "bins before the model is fitted, or fit with its values as levels: "
        f"kinds={{{column.name!r}: 'ordinal'}}."
    )
