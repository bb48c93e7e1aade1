"""What a model takes each column for: kind, family, values and gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.format.words import plain
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame


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
