"""Interventions: a node is set to a level, whatever its parents are, and what lies below it follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from likely.errors import LikelyError
from likely.infer.node_tables import one_hot
from likely.models.joint.variables import known_name, places
from likely.models.network.nodes import with_counts

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord
    from likely.table.column.column import Column


def intervened(record: NetworkRecord, actions: Mapping[str, Any]) -> NetworkRecord:
    """The network once nodes are set: arcs into them are cut, and their levels are certain."""
    parents, parts = list(record.parents), list(record.parts)
    for name, value in actions.items():
        i = record.place[known_name(name, record.names)]
        level = level_place(record, i, value)
        parents[i] = ()
        certain = one_hot(level, record.sizes[i])[None]
        parts[i] = with_counts(replace(record.parts[i], prior=None, estimate="ml", asked=None), certain)
    return replace(record, parents=tuple(parents), parts=tuple(parts))


def level_place(record: NetworkRecord, node: int, value: Any) -> int:
    """Where a value stands among the levels of a node; its text will do."""
    levels = record.levels(node)
    name = record.names[node]
    if not levels:
        raise LikelyError(
            f"{name!r} is {record.nodes.columns[node].kind} and has no levels to be set to: nothing lies "
            "below it."
        )
    for place, level in enumerate(levels):
        if level is value or level == value or str(level) == str(value):
            return place
    column: Column = replace(record.nodes.columns[node], levels=levels)
    return places(column, value)[0]  # says what is near
