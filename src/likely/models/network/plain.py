"""The record of a network <-> names, states, parents and tables, as files of other programs hold them."""

from __future__ import annotations

import numpy as np

from likely.archive.network_files.record import PlainNetwork, PlainVariable
from likely.dist import Categorical
from likely.errors import LikelyError
from likely.format.words import plain
from likely.models.network.nodes import with_counts
from likely.models.network.record import NetworkRecord
from likely.models.parts.cells import LevelsPart
from likely.table.column.column import Column
from likely.table.schema import Schema


def record_of_plain(network: PlainNetwork) -> NetworkRecord:
    """The network whose tables are these; states are levels, in their order, and are texts."""
    if not network.variables:
        raise LikelyError("the network has no variables: there is nothing to ask.")
    nodes = Schema(tuple(Column.of_groups(v.name, v.states) for v in network.variables), True, "dict")
    place = {variable.name: i for i, variable in enumerate(network.variables)}
    parents = tuple(tuple(place[parent] for parent in v.parents) for v in network.variables)
    parts = tuple(
        with_counts(
            LevelsPart(nodes, Categorical, (i,), None, "ml"), variable.table.reshape(-1, len(variable.states))
        )
        for i, variable in enumerate(network.variables)
    )
    return NetworkRecord(nodes, parents, parts, 0.0)


def plain_of_record(record: NetworkRecord, name: str) -> PlainNetwork:
    """Names, states, parents and tables of a network, all of whose nodes have levels."""
    variables = []
    for i, column in enumerate(record.nodes.columns):
        levels = record.levels(i)
        if not levels:
            raise LikelyError(
                f"column {column.name!r} is {column.kind}, and such files hold levels only: put it into bins "
                "before the network is fitted, or use save()."
            )
        states = tuple("missing" if level is None else str(plain(level)) for level in levels)
        part, table = record.parts[i], record.factors.tables[i]
        if not record.n and isinstance(part, LevelsPart):  # the numbers that were given, to the last digit
            table = np.asarray(part.statistic.table).reshape(table.shape)
        above = tuple(record.names[p] for p in record.parents[i])
        variables.append(PlainVariable(column.name, states, above, table))
    return PlainNetwork(name or "network", tuple(variables))
