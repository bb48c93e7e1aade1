"""The tables of a network from a table that is not in memory: counted by blocks, gaps by EM."""

from __future__ import annotations

from dataclasses import dataclass

from likely.engine import Engine
from likely.engine.scan.large import LargeTable
from likely.engine.scan.scan import Scan
from likely.errors import LikelyError
from likely.estimator.fitted import refuse_no_column, refuse_no_rows, refuse_not_in_memory, told_codes
from likely.infer import EM
from likely.models.network.e_step import Count, NodeTally
from likely.models.network.fit import ClimbSettings, NodeSettings, Planned, climb, counted, opened, plan_nodes
from likely.models.network.record import NetworkRecord, Parents
from likely.models.network.rows import NodeRows
from likely.table.frame import Frame


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
        table = LargeTable.of(scan, settings.kinds, engine, target)
        refuse_no_rows(table.n, len(table.frame.names))
        told = None if target is None else table.digest.raw(target)
        return cls(table, plan_nodes(table.frame, told, None, settings))

    def learn(self, parents: Parents, how: ClimbSettings) -> tuple[NetworkRecord, EM[NetworkRecord] | None]:
        """The network with its tables learnt from all rows; and the run of EM, where there was one."""
        record = self.planned.record(parents)
        read, seen = ReadNodes(record), tuple(range(len(record.parts)))

        def over_rows(task: Count) -> NodeTally:
            return self.table.reduce(record.nodes, read, task)

        first = over_rows(Count(record, seen, expect=False))
        if not first.left:
            return counted(record, first), None
        begun = counted(record, opened(first))
        begun = counted(record, over_rows(Count(begun, seen, expect=True)))
        start = begun.with_parts(part.with_prior(part.prior) for part in begun.parts)
        run = climb(start, over_rows, seen, float(self.table.n), how)
        return run.parameters, run


def refuse_what_needs_rows(structure: object, hidden: object, init: object) -> None:
    """Refuse what is looked for in rows that are in memory: a structure, hidden nodes, a start of EM."""
    if isinstance(structure, str) and structure != "naive":
        raise LikelyError(
            f"structure={structure!r} is looked for in a table that is in memory: learn it from a sample "
            "that is, and give its arcs as the structure; or use 'naive'."
        )
    if hidden or init is not None:
        raise LikelyError(
            "a network of a table that is not in memory takes neither hidden nodes nor init: fit a sample "
            "that is in memory."
        )
