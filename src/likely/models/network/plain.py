"""Networks as plain state, which the files of other programs hold: states are texts, tables are numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.archive.network_files import PlainNetwork, PlainVariable
from likely.ask.answer import level_words
from likely.dist import Categorical
from likely.errors import LikelyError
from likely.models.network.record import NetworkRecord
from likely.models.parts.cells import LevelsPart
from likely.stats import Counts
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.schema import Schema


def record_of_plain(network: PlainNetwork) -> NetworkRecord:
    """The network of known tables, whose levels are the states."""
    variables = network.variables
    if not variables:
        raise LikelyError("the network has no variables: there is nothing to ask.")
    place = {variable.name: i for i, variable in enumerate(variables)}
    # MIXED: tables may hold numbers and truth values where the file has their texts.
    columns = tuple(
        Column(variable.name, Kind.CATEGORICAL, Type.MIXED, variable.states, listed=True)
        for variable in variables
    )
    schema = Schema(columns, True, "dict")
    parts = (
        LevelsPart(schema, Categorical, (i,), None, "ml").with_statistic(
            Counts(variable.table.reshape(-1, len(variable.states)), (len(variable.states),))
        )
        for i, variable in enumerate(variables)
    )
    parents = tuple(tuple(place[parent] for parent in variable.parents) for variable in variables)
    return NetworkRecord(schema, parents, tuple(parts), 0.0)


def plain_of_record(record: NetworkRecord, name: str) -> PlainNetwork:
    """The network as plain state; a node that has no levels is refused by name."""
    if record.leaves:
        column = record.nodes.columns[record.leaves[0]]
        raise LikelyError(
            f"the node {column.name!r} is {column.kind}, and network files hold nodes of levels alone: "
            "put it into bins first with Discretize, or keep all of the network with save()"
        )
    variables = (
        PlainVariable(
            node,
            tuple(level_words(level) for level in record.levels(i)),
            tuple(record.names[p] for p in record.parents[i]),
            _table(record, i),
        )
        for i, node in enumerate(record.names)
    )
    return PlainNetwork(name, tuple(variables))


def _table(record: NetworkRecord, node: int) -> NDArray[np.float64]:
    """P(level given parents); of tables that were given, to the last digit."""
    table, seen = record.factors.tables[node], record.parts[node].statistic
    given = not record.n and isinstance(seen, Counts)
    return np.ascontiguousarray(seen.table.reshape(table.shape) if given else table)
