"""Tables of conditional probabilities -> the record of the network that they are the tables of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Bernoulli, Categorical, Family
from likely.errors import LikelyError
from likely.infer.graph import topological_order
from likely.models.joint.conditional import Conditional
from likely.models.joint.variables import listed_names
from likely.models.network.nodes import levels_of, with_counts
from likely.models.network.record import NetworkRecord
from likely.models.parts.cells import LevelsPart, NumbersPart
from likely.models.parts.part import Part
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.schema import Schema

Floats = NDArray[np.float64]
# A distribution of numbers for each combination of the parents' levels, and the parents.
Numbers = tuple[Family, str | Sequence[str]]


def record_of_tables(tables: Sequence[Conditional] | Mapping[str, Conditional | Numbers]) -> NetworkRecord:
    """The network of these tables, one for each node: nothing was seen, the tables are known."""
    pairs = tables.items() if isinstance(tables, Mapping) else ((_only(table), table) for table in tables)
    named = {str(name): table for name, table in pairs}
    if not named:
        raise LikelyError("there is no table to make a network of: give one Conditional at least.")
    columns: dict[str, Column] = {}
    parents: dict[str, tuple[str, ...]] = {}
    library = "dict"
    for name, given in named.items():
        if isinstance(given, Conditional):
            if _only(given) != name:
                raise LikelyError(f"the table of {name!r} is {given.title}: give P({name} | ...).")
            columns[name], parents[name] = _plain(given.columns[-1]), given.given
            library = given.library
        else:
            family, above = _numbers(name, given)
            columns[name] = Column(name, family.kinds[0], _TYPES.get(family.kinds[0], Type.FLOAT))
            parents[name] = above
    for name, above in parents.items():
        _refuse_parents(name, above, columns, named)
    topological_order(dict(parents))
    schema, place = (
        Schema(tuple(columns.values()), True, library),
        {name: i for i, name in enumerate(columns)},
    )
    parts = [_part(schema, place, name, given, columns) for name, given in named.items()]
    arcs = tuple(tuple(place[p] for p in parents[name]) for name in columns)
    return NetworkRecord(schema, arcs, tuple(parts), 0.0)


_TYPES = {Kind.COUNT: Type.INTEGER}


def _only(table: object) -> str:
    if not isinstance(table, Conditional):
        raise LikelyError(f"{table!r} is no Conditional: give tables such as Conditional('a', ...).")
    if len(table.of) != 1:
        raise LikelyError(
            f"{table.title} is of {len(table.of)} variables: a node of a network is one of them."
        )
    return table.of[0]


def _plain(column: Column) -> Column:
    """As the schema of a table has it: false and true are not listed."""
    if column.kind is Kind.BOOLEAN:
        return replace(column, levels=None, listed=False)
    return column


def _numbers(name: str, given: object) -> tuple[Family, tuple[str, ...]]:
    if isinstance(given, Family):
        return given, ()
    if not (isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], Family)):
        raise LikelyError(
            f"the node {name!r} is given as {given!r}: give a Conditional; or for numbers a pair, the "
            "distributions for each combination of the parents' levels and the parents, as in "
            "(Normal([0.0, 2.0], [1.0, 1.0]), 'group')."
        )
    family, above = given
    if family.joint or isinstance(family, Categorical | Bernoulli):
        raise LikelyError(
            f"the node {name!r} is {family.name}: give levels as a Conditional, one column a node."
        )
    return family, listed_names(above)


def _refuse_parents(
    name: str, above: Sequence[str], columns: Mapping[str, Column], named: Mapping[str, Any]
) -> None:
    if len(set(above)) < len(above) or name in above:
        raise LikelyError(f"the parents of {name!r} are {list(above)!r}: name other nodes, each once.")
    for parent in above:
        if parent not in columns:
            raise LikelyError(
                f"{name!r} needs a table of its parent {parent!r}: add Conditional({parent!r}, ...)."
            )
        if not isinstance(named[parent], Conditional):
            raise LikelyError(
                f"{parent!r}, a parent of {name!r}, is {columns[parent].kind}: only nodes of levels can be "
                "parents. Put it into bins first."
            )


def _part(
    schema: Schema,
    place: Mapping[str, int],
    name: str,
    given: Conditional | Numbers,
    columns: Mapping[str, Column],
) -> Part:
    column = columns[name]
    if isinstance(given, Conditional):
        boolean = column.kind is Kind.BOOLEAN
        made: type[Part] = NumbersPart if boolean else LevelsPart
        part = made(schema, Bernoulli if boolean else Categorical, (place[name],), None, "ml")
        return with_counts(part, _cells(given, columns))
    family, above = _numbers(name, given)
    q = math.prod(len(levels_of(columns[parent])) for parent in above)
    if math.prod(family.batch) != q:
        raise LikelyError(
            f"the node {name!r} has distributions of the shape {family.batch}, and its parents have {q} "
            "combinations of levels: give one for each, the last parent's level changing fastest."
        )
    flat = family.take(np.unravel_index(np.arange(q), family.batch)) if family.batch else family.take([None])
    return NumbersPart(schema, type(family), (place[name],), None, "ml", flat.as_column().as_seen())


def _cells(table: Conditional, columns: Mapping[str, Column]) -> Floats:
    """P(level given combination above), (q, k), with levels in the order of each variable's own table.

    Where what is given cannot be, nothing is known: all levels alike.
    """
    probs = table.probs
    for axis, column in enumerate(table.columns):
        at = {level: i for i, level in enumerate(column.levels or ())}
        own = levels_of(columns[column.name])
        if set(at) - set(own) or (axis < table.n_given and set(at) != set(own)):
            raise LikelyError(
                f"variable {column.name!r} has the levels {list(own)[:10]!r} in its own table and "
                f"{list(at)[:10]!r} in {table.title}: use the same levels."
            )
        if set(own) != set(at):  # a Boolean that is always true, or always false
            probs = np.concatenate([probs, np.zeros_like(probs.take([0], axis=axis))], axis=axis)
            at = {**at, **{level: len(at) for level in own if level not in at}}
        probs = probs.take([at[level] for level in own], axis=axis)
    cells = probs.reshape(-1, probs.shape[-1])
    return np.where(np.isnan(cells), 1 / cells.shape[1], cells)
