"""Some rows of a table with what is known of all: a model of a part must know the levels of the whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from likely.table.frame import Frame
from likely.table.schema import Schema


def with_levels(rows: Frame, schema: Schema) -> Frame:
    """Rows whose columns list the levels of the schema: what they never had is improbable, not unheard of."""
    levels = {column.name: column.levels for column in schema.columns if column.words is None}
    for name in rows.names:
        if levels.get(name):
            rows.seen[name] = replace(rows.raw(name), levels=levels[name])
    return rows


def declared(model: Any, schema: Schema) -> Any:
    """A model that takes the columns for what they are in the whole table, unless it was told."""
    if getattr(model, "kinds", "none") is None:
        model.set_params(kinds=dict(schema.declarations))
    return model
