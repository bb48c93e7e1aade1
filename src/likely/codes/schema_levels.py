"""A part of a table with the levels of the whole, so that a model of it gives every level a probability."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from likely.table.frame import Frame
from likely.table.schema import Schema


def with_levels(rows: Frame, schema: Schema) -> Frame:
    """The rows, with the levels of the schema declared: a level they lack is improbable, not impossible."""
    levels = {column.name: column.levels for column in schema.columns if column.words is None}
    for name in rows.names:
        if levels.get(name):
            rows.seen[name] = replace(rows.raw(name), levels=levels[name])
    return rows


def declared(model: Any, schema: Schema) -> Any:
    """A model with the kinds that the columns have in the whole table, unless the user gave kinds."""
    if getattr(model, "kinds", "none") is None:
        model.set_params(kinds=dict(schema.declarations))
    return model
