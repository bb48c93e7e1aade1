"""What a user gives for the arcs of a network -> the parents of every node."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from likely.errors import LikelyError
from likely.infer.graph import topological_order
from likely.models.joint.variables import listed_names

Parents = tuple[tuple[int, ...], ...]
# Pairs (parent, child), a mapping from child to parents, a networkx graph, or a network that has arcs.
Arcs = Any


def parents_of(structure: Arcs, names: Sequence[str]) -> Parents:
    """The places of every node's parents, in the order in which they are named.

    >>> parents_of([("a", "c"), ("b", "c")], ["a", "b", "c"])
    ((), (), (0, 1))
    >>> parents_of({"c": ["a", "b"]}, ["a", "b", "c"])
    ((), (), (0, 1))
    """
    above: dict[str, list[str]] = {name: [] for name in names}
    for parent, child in arcs_of(structure):
        for node in (parent, child):
            if node not in above:
                _refuse_name(node, names)
        if parent in above[child]:
            raise LikelyError(f"the arc {parent!r} -> {child!r} is given twice: give it once.")
        above[child].append(parent)
    topological_order({name: tuple(own) for name, own in above.items()})
    place = {name: i for i, name in enumerate(names)}
    return tuple(tuple(place[parent] for parent in above[name]) for name in names)


def arcs_of(structure: Arcs) -> list[tuple[str, str]]:
    """All arcs, each from parent to child."""
    record = getattr(structure, "record_", None)
    if record is not None and hasattr(record, "parents"):
        return [(record.names[p], record.names[i]) for i, above in enumerate(record.parents) for p in above]
    if isinstance(structure, Mapping):
        return [(str(parent), str(child)) for child, own in structure.items() for parent in listed_names(own)]
    if hasattr(structure, "edges") and hasattr(structure, "nodes"):  # as networkx has it
        if not getattr(structure, "is_directed", lambda: True)():
            raise LikelyError("the graph has no directions: give a directed one, such as networkx.DiGraph.")
        return [(str(parent), str(child)) for parent, child in structure.edges()]
    if isinstance(structure, str) or not isinstance(structure, Iterable):
        raise LikelyError(
            f"structure={structure!r}: give arcs as pairs [('parent', 'child'), ...], a mapping from child "
            "to parents, a directed graph of networkx, or 'search', 'tree', 'naive' or 'tan'."
        )
    arcs = []
    for arc in structure:
        if isinstance(arc, str) or not isinstance(arc, Sequence) or len(arc) != 2:
            raise LikelyError(f"the arc {arc!r} is no pair: give ('parent', 'child').")
        arcs.append((str(arc[0]), str(arc[1])))
    return arcs


def _refuse_name(node: Hashable, names: Sequence[str]) -> None:
    near = get_close_matches(str(node), names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"the columns are {list(names)[:10]!r}."
    raise LikelyError(
        f"the structure names {node!r}, which is no column of the table: {hint} For a node that nobody sees, "
        f"say hidden={{{node!r}: 2}} with its number of levels."
    )
