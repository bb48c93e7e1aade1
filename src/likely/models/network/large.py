"""The tables of a network from a table that is not in memory: counted by queries or blocks, gaps by EM."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from likely.engine import Engine, ReduceTask
from likely.engine.scan.large import LargeTable
from likely.engine.scan.scan import Scan
from likely.errors import LikelyError
from likely.estimator.fitted import refuse_no_column, refuse_no_rows, refuse_not_in_memory, told_codes
from likely.infer import EM
from likely.infer.structure_trees import (
    chow_liu_tree,
    class_informations,
    naive_structure,
    pair_informations,
    tan_structure,
)
from likely.models.network.asked import AskedNodes
from likely.models.network.e_step import Count, NodeTally
from likely.models.network.fit import ClimbSettings, NodeSettings, Planned, climb, counted, opened, plan_nodes
from likely.models.network.record import NetworkRecord, Parents
from likely.models.network.rows import NodeRows
from likely.models.network.search import refuse_numbers, say_left_out, target_of
from likely.stats import Groups
from likely.stats.level_pairs import LevelPairs
from likely.table.frame import Frame

BY_PAIRS = ("naive", "tree", "tan")  # structures that the counts of pairs of levels tell


@dataclass(frozen=True)
class ReadNodes:
    """A block of a table, as a network reads it."""

    record: NetworkRecord

    def __call__(self, frame: Frame) -> NodeRows:
        """What `Count` reads."""
        target = self.record.target
        if target is None:
            return NodeRows.of(self.record, frame)
        column = self.record.nodes.columns[target]
        return NodeRows.of(self.record, frame, {target: told_codes(column, frame.raw(column.name))})


@dataclass(frozen=True)
class CountNodePairs(ReduceTask[NodeRows, LevelPairs]):
    """How often two levels are seen together in whole rows, by the level of the target if there is one."""

    sizes: tuple[int, ...]
    target: int | None

    @property
    def n_groups(self) -> int:
        """How many levels the target has."""
        return 1 if self.target is None else self.sizes[self.target]

    def empty(self) -> LevelPairs:
        """Of no rows."""
        return LevelPairs.empty(self.n_groups, self.sizes)

    def step(self, data: NodeRows, start: int, stop: int) -> LevelPairs:
        """Of some rows."""
        levels = data.levels(start, stop)
        whole = levels[:, (levels >= 0).all(axis=0)]
        group = np.zeros(whole.shape[1], np.intp) if self.target is None else whole[self.target]
        return LevelPairs.collect(whole.T, Groups.hard(group, self.n_groups), self.sizes)


@dataclass(frozen=True)
class LargeNodes:
    """A table that is not in memory, its columns planned as nodes."""

    table: LargeTable
    planned: Planned

    @classmethod
    def of(
        cls, X: object, y: object, sample_weight: object, settings: NodeSettings, engine: Engine
    ) -> LargeNodes:
        """Look through the table once, for what its columns are."""
        refuse_not_in_memory("" if y is None else y, sample_weight, "Network")
        scan, target = Scan.of(X), None if y is None else str(y)
        if target is not None:
            refuse_no_column(target, scan.names)
        table = LargeTable.of(scan, settings.kinds, engine, target, ask=True)
        refuse_no_rows(table.n, len(table.frame.names))
        told = None if target is None else table.digest.raw(target)
        return cls(table, plan_nodes(table.frame, told, None, settings))

    def structure(self, how: str) -> Parents:
        """The arcs of naive Bayes, of the most likely tree, or both: from pairs of levels of all rows."""
        d = len(self.planned.parts)
        if how == "naive":
            return naive_structure(d, target_of(self.planned, how))
        target = target_of(self.planned, how) if how == "tan" else None
        refuse_numbers(self.planned.nodes.columns)
        names = self.planned.nodes.names
        record = self.planned.record(((),) * d)
        task = CountNodePairs(record.sizes, target)
        empty = task.empty()  # refuses what does not fit, before any work
        asked = AskedNodes.of(record, self.table.asked, range(d))
        if asked is not None:
            pairs = asked.pairs(empty, target)
        else:
            pairs = self.table.reduce(record.nodes, ReadNodes(record), task)
        whole = int(pairs.n[:, 0].sum())
        if not whole:
            raise LikelyError(
                f"all {self.table.n} rows have missing cells: there is none to find the structure in. Fill "
                "them first, leave columns out, or give arcs."
            )
        if whole < self.table.n:
            say_left_out(self.table.n - whole, self.table.n)
        if target is None:
            return chow_liu_tree(pair_informations(pairs), names=names)
        return tan_structure(class_informations(pairs), pair_informations(pairs), target, names)

    def learn(self, parents: Parents, how: ClimbSettings) -> tuple[NetworkRecord, EM[NetworkRecord] | None]:
        """The network with its tables learnt from all rows; and the run of EM, where there was one."""
        record = self.planned.record(parents)
        asked = AskedNodes.of(record, self.table.asked, [p for above in parents for p in above])
        if asked is not None:
            return counted(record, asked.families()), None
        read, seen, table = ReadNodes(record), tuple(range(len(record.parts))), self.table

        def over_rows(task: Count) -> NodeTally:
            return table.reduce(record.nodes, read, task)

        first = over_rows(Count(record, seen, expect=False))
        if not first.left:
            return counted(record, first), None
        table = replace(table, scan=table.scan.spooled())
        begun = counted(record, opened(first))
        begun = counted(record, over_rows(Count(begun, seen, expect=True)))
        start = begun.with_parts(part.with_prior(part.prior) for part in begun.parts)
        run = climb(start, over_rows, seen, float(self.table.n), how)
        return run.parameters, run


def refuse_what_needs_rows(structure: object, hidden: object, init: object) -> None:
    """Refuse what is looked for in rows that are in memory: a structure, hidden nodes, a start of EM."""
    if isinstance(structure, str) and structure not in BY_PAIRS:
        raise LikelyError(
            f"structure={structure!r} is looked for in a table that is in memory: learn it from a sample "
            "that is, and give its arcs as the structure; or use 'tree', 'tan' or 'naive'."
        )
    if hidden or init is not None:
        raise LikelyError(
            "a network of a table that is not in memory takes neither hidden nodes nor init: fit a sample "
            "that is in memory."
        )
