"""What a belief network knows: its nodes, the parents of each, and what was seen of it given its parents.

A node is a part whose groups are the combinations of its parents' levels, the last parent's level changing
fastest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import Variable
from likely.estimator.record import Described, Quantities, Story
from likely.infer.graph import topological_order
from likely.infer.node_tables import NodeTables
from likely.models.network.check import check
from likely.models.network.describe import network_story, training
from likely.models.network.nodes import is_discrete, levels_of, table_of
from likely.models.network.world import NetworkWorld
from likely.models.parts.part import Part
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Parents = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class NetworkRecord:
    """One network: nodes are the columns of a table, then its target, if it has one, then hidden ones."""

    nodes: Schema
    parents: Parents
    parts: tuple[Part, ...]  # one for each node, in their order
    n: float  # the weight of the rows that were learnt from; 0 where the tables were given
    target: int | None = None  # which node
    n_hidden: int = 0  # the last so many

    @cached_property
    def schema(self) -> Schema:
        """The columns of the tables that are answered about: neither the target nor hidden nodes."""
        columns = self.nodes.columns
        left = len(columns) - self.n_hidden - (self.target is not None)
        return self.nodes if left == len(columns) else replace(self.nodes, columns=tuple(columns[:left]))

    @property
    def target_name(self) -> str:
        """What is predicted if nothing else is named; "" if nothing is."""
        return "" if self.target is None else self.nodes.columns[self.target].name

    @property
    def of_rows(self) -> bool:
        """Whole rows are modelled."""
        return True

    @property
    def classes(self) -> tuple[Any, ...]:
        """The levels of the target."""
        return () if self.target is None else self.levels(self.target)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the nodes."""
        return tuple(self.nodes.names)

    @cached_property
    def place(self) -> dict[str, int]:
        """Where each node stands, by its name."""
        return {name: i for i, name in enumerate(self.names)}

    def levels(self, node: int) -> tuple[Any, ...]:
        """The levels of a node; none if it is a number."""
        return levels_of(self.nodes.columns[node])

    @cached_property
    def levels_by_name(self) -> dict[str, tuple[Any, ...]]:
        """The levels of every node that has some."""
        named = ((name, self.levels(i)) for i, name in enumerate(self.names))
        return {name: levels for name, levels in named if levels}

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """All nodes that can be asked about, by name, in order."""
        pairs = zip(self.nodes.columns, self.parts, strict=True)
        return {column.name: part.variable(column, gaps=False) for column, part in pairs}

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of levels of each node; 1 of a number, which is summed out wherever it is not seen."""
        return tuple(max(len(self.levels(i)), 1) for i in range(len(self.parts)))

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The nodes that are numbers or texts: no other node has them for a parent."""
        return tuple(i for i in range(len(self.parts)) if not is_discrete(self.nodes.columns[i]))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The nodes, parents first."""
        return topological_order(self.parents)

    def groups(self, node: int) -> int:
        """How many combinations of levels the parents of a node have."""
        return math.prod(self.sizes[p] for p in self.parents[node])

    @cached_property
    def factors(self) -> NodeTables:
        """The tables of the nodes that have levels; numbers stand in it with one level, and say nothing."""
        tables = []
        for i, part in enumerate(self.parts):
            shape = (*(self.sizes[p] for p in self.parents[i]), self.sizes[i])
            known = bool(self.levels(i))  # a column without any value has none
            tables.append(table_of(part).reshape(shape) if known else np.ones(shape))
        return NodeTables(self.sizes, self.parents, tuple(tables))

    def with_parts(self, parts: Iterable[Part], n: float | None = None) -> NetworkRecord:
        """The same network with these parts in place of its own."""
        return replace(self, parts=tuple(parts), n=self.n if n is None else n)

    @property
    def free_table(self) -> float:
        """How many free numbers a table of all combinations of levels would have."""
        return math.prod(self.sizes) - 1.0

    @property
    def n_parameters(self) -> int:
        """The free numbers of all nodes, given each combination of their parents."""
        total = 0
        for i, part in enumerate(self.parts):
            own, shared = part.free_parameters()
            total += own * self.groups(i) + shared
        return total

    @property
    def log_evidence(self) -> float | None:
        """The log marginal likelihood of complete rows: the sum of that of every node."""
        if any(part.prior is None or part.estimate == "ml" for part in self.parts):
            return None
        return sum(part.log_evidence() for part in self.parts)

    @property
    def group_names(self) -> Sequence[Any]:
        """All numbers are of the one network."""
        return ("",)

    @property
    def families(self) -> dict[str, str]:
        """The family of each node by its name."""
        return {
            column.name: part.family.name for column, part in zip(self.nodes.columns, self.parts, strict=True)
        }

    def counts(self) -> Mapping[Described, Quantities]:
        """How much was seen of each node, given its parents."""
        return {key: _in_line(names, part.counts(0)) for key, names, part in self._described()}

    def parameters(self) -> Mapping[Described, Quantities]:
        """What is known of each node, given its parents."""
        return {key: _in_line(names, part.parameters(0)) for key, names, part in self._described()}

    def _described(self) -> Iterator[tuple[Described, list[str], Part]]:
        for i, part in enumerate(self.parts):
            above = ", ".join(self.names[p] for p in self.parents[i])
            yield (self.names[i], part.family, above), self.configurations(i), part

    def configurations(self, node: int) -> list[str]:
        """The combinations of levels of a node's parents, in words, as "storm=True, bus=False"."""
        above = self.parents[node]
        named = [[f"{self.names[p]}={level}" for level in self.levels(p)] for p in above]
        return [", ".join(combination) for combination in product(*named)]

    def check(self) -> None:
        """Refuse a record of which no network could have been made."""
        check(self)

    def world(self) -> NetworkWorld:
        """The nodes as a world that can be asked."""
        return NetworkWorld(self)

    def story(self, model: str, hidden: bool = False) -> Story:
        """How the network takes a row to come about."""
        return network_story(self, model)

    def trained_on(self) -> dict[str, Any]:
        """What the network was learnt from, for people who look into its file."""
        return training(self)


def _in_line(configurations: list[str], own: Quantities) -> Quantities:
    """The numbers of all groups of one node in one line."""
    single = len(configurations) == 1
    names = [
        name
        if single
        else ("; ".join(map(str, name if isinstance(name, tuple) else (name,))), f"given {given}")
        for given in configurations
        for name in own.names
    ]
    unit = np.broadcast_to(own.unit, own.values.shape).reshape(1, -1)
    return Quantities(names, own.values.reshape(1, -1), unit)
