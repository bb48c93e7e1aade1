"""Rows under a network: how probable they are, what is believed of a node in each, their gaps filled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.engine import Answers, MapTask, ReduceTask
from likely.engine.memory import SHORT_BLOCKS
from likely.infer import bayes_rule
from likely.models.groups.independent import Held
from likely.models.mixture.imputation import FilledCells
from likely.models.network.row_plan import RowPlan
from likely.models.network.rows import MISSING, NodeRows, configurations, leaf_logs, some_cells

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _OfRows:
    """What all answers about rows share: tables as logs, and a plan for the rows that have gaps."""

    record: NetworkRecord
    seen: tuple[int, ...]  # nodes that rows may know

    @cached_property
    def logs(self) -> Mapping[int, Floats]:
        """log P(level given parents) of every node of levels, in one line."""
        tables = self.record.factors.tables
        return {i: log(table).ravel() for i, table in enumerate(tables) if i not in self.record.leaves}

    def _leaf_logs(self, cells: Mapping[int, Held], leaves: Iterable[int]) -> dict[int, Floats]:
        return {i: leaf_logs(self.record.parts[i], cells[i]) for i in leaves}


@dataclass(frozen=True, eq=False)
class NodeRowLogs(_OfRows, MapTask[NodeRows]):
    """log P(row): what is missing is summed out."""

    @cached_property
    def plan(self) -> RowPlan:
        """For rows with gaps."""
        return RowPlan.of(self.record, self.seen)

    def width(self, stored: int) -> int:
        """A row's cells, and those of the plan."""
        return stored + self.plan.width

    def answers(self, n: int) -> Answers:
        """One number a row, (n,)."""
        return (np.empty(n),)

    def step(self, data: NodeRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        levels, cells = data.levels(start, stop), data.numbers(start, stop)
        inner = list(self.plan.nodes)
        whole = np.asarray((levels[inner] >= 0).all(axis=0))
        if whole.any():
            out[0][whole] = self._of_whole(levels[:, whole], some_cells(cells, whole))
        if not whole.all():
            gaps = ~whole
            some = some_cells(cells, gaps)
            out[0][gaps] = self.plan.run(
                levels[:, gaps], self._leaf_logs(some, self.plan.leaves), logs_only=True
            )[1]

    def _of_whole(self, levels: Ints, cells: Mapping[int, Held]) -> Floats:
        total = np.zeros(levels.shape[1])
        for i in self.plan.nodes:
            total += self.logs[i].take(
                configurations(self.record, i, levels) * self.record.sizes[i] + levels[i]
            )
        for i, logs in self._leaf_logs(cells, self.plan.leaves).items():
            total += logs[np.arange(len(logs)), configurations(self.record, i, levels)]
        return total


@dataclass(frozen=True, eq=False)
class RowPosterior(_OfRows, MapTask[NodeRows]):
    """log P(level of one node given what is `seen` of the row); where that cannot be, that without it.

    Where its parents, its children and their parents are known, these alone tell: a few places of tables.
    """

    node: int

    @cached_property
    def plan(self) -> RowPlan:
        """For rows with gaps near the node."""
        return RowPlan.of(self.record, (i for i in self.seen if i != self.node), (self.node,))

    @cached_property
    def unseen(self) -> list[int]:
        """The node itself, and what is not looked at."""
        return [i for i in range(len(self.record.parts)) if i == self.node or i not in self.seen]

    @cached_property
    def children(self) -> list[int]:
        """Those that a row may know, or that lead to others it may know."""
        below = [i for i, above in enumerate(self.record.parents) if self.node in above]
        return [i for i in below if i in self.plan.nodes or i in self.plan.leaves]

    @cached_property
    def blanket(self) -> list[int]:
        """The nodes of levels that tell all there is to know."""
        record = self.record
        near = {p for i in [self.node, *self.children] for p in record.parents[i]}
        near |= {i for i in self.children if i not in record.leaves}
        return sorted(near - {self.node})

    def width(self, stored: int) -> int:
        """A row's cells, and those of the plan."""
        return stored + self.plan.width

    def answers(self, n: int) -> Answers:
        """The posterior, (n, k), and which rows are impossible, (n,)."""
        return np.empty((n, self.record.sizes[self.node])), np.zeros(n, bool)

    def step(self, data: NodeRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        levels, cells = data.only(self.blanket).levels(start, stop), data.numbers(start, stop)
        levels[self.unseen] = MISSING
        posterior, impossible = out
        whole = np.asarray((levels[self.blanket] >= 0).all(axis=0))
        if whole.any():
            joint = self._near(levels[:, whole], some_cells(cells, whole))
            posterior[whole], log_evidence = bayes_rule(joint)
            impossible[whole] = np.isneginf(log_evidence)
        if not whole.all():
            gaps = ~whole
            levels, some = data.levels(start, stop), some_cells(cells, gaps)
            levels[self.unseen] = MISSING
            run, log_row = self.plan.run(levels[:, gaps], self._leaf_logs(some, self.plan.leaves))
            (shares,) = self.plan.of_levels(run, (self.node,))
            posterior[gaps] = log(shares).T
            impossible[gaps] = np.isneginf(log_row)

    def _near(self, levels: Ints, cells: Mapping[int, Held]) -> Floats:
        """log P(level, what is near), up to what all levels share, (b, k)."""
        record, node = self.record, self.node
        k, b = record.sizes[node], levels.shape[1]
        steps = np.arange(k)[:, None]
        levels[node] = 0
        joint = self.logs[node].take(configurations(record, node, levels) * k + steps)
        for i in self.children:
            stride = 1
            for p in reversed(record.parents[i]):
                if p == node:
                    break
                stride *= record.sizes[p]
            place = configurations(record, i, levels) + stride * steps  # (k, b)
            if i in record.leaves:
                joint += leaf_logs(record.parts[i], cells[i]).T[place, np.arange(b)]
            else:
                joint += self.logs[i].take(place * record.sizes[i] + levels[i])
        return joint.T


@dataclass(frozen=True, eq=False)
class FillNodes(_OfRows, ReduceTask[NodeRows, FilledCells]):
    """The most probable level for every gap, and for numbers what is expected, given the rest of the row."""

    @cached_property
    def plan(self) -> RowPlan:
        """For rows with gaps."""
        return RowPlan.of(self.record, self.seen)

    def width(self, stored: int) -> int:
        """A row's cells, and those of the plan."""
        return max(stored + self.plan.width, SHORT_BLOCKS)

    def step(self, data: NodeRows, start: int, stop: int) -> FilledCells:
        """Of some rows."""
        record, levels, cells = self.record, data.levels(start, stop), data.numbers(start, stop)
        open_levels = levels[list(self.plan.levels)] < 0
        gaps = np.asarray(open_levels.any(axis=0))
        for i in self.plan.leaves:
            gaps |= _lacking(record, i, cells[i])
        if not gaps.any():
            return FilledCells({})
        rows, some = np.flatnonzero(gaps), some_cells(cells, gaps)
        run, log_row = self.plan.run(levels[:, gaps], self._leaf_logs(some, self.plan.leaves))
        impossible = np.isneginf(log_row)
        wanted = [i for i, lacks in zip(self.plan.levels, open_levels, strict=True) if lacks.any()]
        filled: dict[int, tuple[tuple[Ints, Floats], ...]] = {}
        for i, shares in zip(wanted, self.plan.of_levels(run, wanted), strict=True):
            inside = np.flatnonzero(levels[i, gaps] < 0)
            if impossible.any():
                shares[:, impossible] = record.factors.table([i])[0][:, None]
            filled[i] = ((start + rows[inside], shares[:, inside].argmax(axis=0).astype(np.float64)),)
        for i, shares in self.plan.of_leaves(run).items():
            guess = record.parts[i].fill(some[i].rows(0, 0), np.ascontiguousarray(shares.T), None, None)
            if guess is not None:
                inside = np.flatnonzero(guess[0][:, 0])
                filled[i] = ((start + rows[inside], guess[1][inside, 0]),)
        return FilledCells(filled)


def _lacking(record: NetworkRecord, node: int, cells: Held) -> Bools:
    status = record.parts[node].status(cells.rows(0, 0))
    assert status is not None
    return np.asarray(status[:, 0] == 1)
