"""Networks of one structure add, as what they have seen does."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.models.network.nodes import levels_of
from likely.models.network.record import NetworkRecord
from likely.models.parts.part import Part
from likely.table.schema import Schema

Ints = NDArray[np.intp]


def add(a: NetworkRecord, b: NetworkRecord) -> NetworkRecord:
    """The network of the rows of both."""
    refuse_other_structure(a, b)
    nodes = a.nodes.widened(b.nodes)
    return join(widened(a, nodes), replace(widened(b, nodes), nodes=nodes))


def join(a: NetworkRecord, b: NetworkRecord) -> NetworkRecord:
    """The network of the rows of both, which have the same nodes and levels."""
    parts = (part + b.parts[i] for i, part in enumerate(a.parts))
    return a.with_parts(parts, a.n + b.n)


def decay(record: NetworkRecord, keep: float) -> NetworkRecord:
    """The network whose past counts `keep` times as much."""
    if isinstance(keep, bool) or not isinstance(keep, int | float) or not 0 < keep <= 1:
        raise LikelyError(
            f"keep={keep!r}: give the share of what was seen that is kept, above 0 and up to 1."
        )
    return record.with_parts((part * keep for part in record.parts), record.n * keep)


def refuse_other_structure(a: NetworkRecord, b: NetworkRecord) -> None:
    """Refuse networks that do not have the same nodes, arcs, families and target."""
    if not (a.n and b.n):
        raise LikelyError("a network of given tables has seen no rows: only networks that were fitted add.")
    if a.n_hidden or b.n_hidden:
        raise LikelyError(
            "networks with hidden nodes do not add: what was seen depends on what was believed."
        )
    same = a.names == b.names and a.target == b.target
    if not same or [set(above) for above in a.parents] != [set(above) for above in b.parents]:
        raise LikelyError("the networks have other nodes or arcs: fit them with the same structure.")
    if a.parents != b.parents or [part.family for part in a.parts] != [part.family for part in b.parts]:
        raise LikelyError("the networks describe their nodes in different ways: fit them alike.")


def widened(record: NetworkRecord, others: Schema) -> NetworkRecord:
    """The same network, over the levels of its nodes and of others of the same names."""
    nodes = record.nodes.widened(others)
    if nodes is record.nodes:
        return record
    parts: list[Part] = []
    for i, part in enumerate(record.parts):
        wide = part.relevel(nodes)
        index, n_groups = _groups(record, i, nodes)
        if n_groups != record.groups(i):
            wide = wide.with_statistic(wide.statistic.regroup(index, n_groups))
        parts.append(wide)
    return replace(record, nodes=nodes, parts=tuple(parts))


def _groups(record: NetworkRecord, node: int, nodes: Schema) -> tuple[Ints, int]:
    """Where each combination of the parents' levels stands among those of more levels, and how many."""
    sizes, index = [], np.zeros(1, np.intp)
    for p in record.parents[node]:
        place = {level: i for i, level in enumerate(levels_of(nodes.columns[p]))}
        own = np.array([place[level] for level in record.levels(p)], np.intp)
        sizes.append(len(place))
        index = (index[:, None] * len(place) + own).ravel()
    return index, math.prod(sizes)
