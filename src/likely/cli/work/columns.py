"""What a model takes each column for: kind, family, values and gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.cli.output import Table
from likely.format.words import many, plain, shown
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

WIDEST = 44  # characters for the values of a column


def column_records(record: Any, frame: Frame) -> list[dict[str, Any]]:
    """One record a column of the model; those of regressions have no families."""
    family: dict[int, str] = {}
    # The first slot of a column describes its values, later ones gaps.
    for slot in reversed(getattr(record, "slots", ())):
        family |= dict.fromkeys(slot.columns, slot.family.name)
    return [
        {
            "column": column.name,
            "kind": str(column.kind),
            **({"family": family[j]} if family else {}),
            "values": _values(column, frame),
            "missing": int((frame.raw(column.name).distinct()[0] < 0).sum()),
        }
        for j, column in enumerate(record.schema.columns)
    ]


def columns_table(records: list[dict[str, Any]], title: str) -> Table:
    """The records as a table for people."""
    described = "family" in records[0]
    rows = [
        [
            shown(record["column"]),
            record["kind"],
            *([record["family"]] if described else []),
            _words(record["values"]),
            f"{record['missing']}" if record["missing"] else "",
        ]
        for record in records
    ]
    heads = ("column", "kind", *(["family"] if described else []), "values", "missing")
    return Table(title, heads, rows, "<" * (len(heads) - 1) + ">")


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


def _words(values: dict[str, Any]) -> str:
    if "words" in values:
        return many(values["words"], "different word")
    if "from" in values:
        return f"{shown(values['from'])} to {shown(values['to'])}"
    levels = [shown(level) for level in values["levels"]]
    said = f"{', '.join(levels[:8])}" + (", ..." if len(levels) > 8 else "")
    said = said if len(said) <= WIDEST else said[: WIDEST - 1] + "…"
    return said if len(levels) <= 4 else f"{len(levels)}: {said}"
