"""What a network expects of rows: counts of every family, exact where nothing is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.engine import ReduceTask
from likely.models.groups.independent import Held
from likely.models.network.row_plan import RowPlan
from likely.models.network.rows import NodeRows, configurations, known, leaf_logs, some_cells
from likely.models.parts.part import Part
from likely.stats import Groups

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class NodeTally:
    """What was seen, or is expected, of each node given its parents; tallies of rows add up."""

    counts: Mapping[int, Floats]  # (q, k) of each node of levels
    leaves: Mapping[int, Part]  # with statistics
    log_prob: float  # of the rows, where it was asked for
    n: float  # weight of the rows
    left: int = 0  # rows with gaps that were left out

    def __add__(self, other: NodeTally) -> NodeTally:
        return NodeTally(
            {i: own + other.counts[i] for i, own in self.counts.items()},
            {i: own + other.leaves[i] for i, own in self.leaves.items()},
            self.log_prob + other.log_prob,
            self.n + other.n,
            self.left + other.left,
        )


@dataclass(frozen=True, eq=False)
class Count(ReduceTask[NodeRows, NodeTally]):
    """Counts of rows. Those with gaps are counted by what the network expects; or left out, in a first look.

    A node that is missing and has no children tells nothing of others: its row has no gap for it.
    """

    record: NetworkRecord
    seen: tuple[int, ...]  # nodes that the rows may know
    expect: bool

    @cached_property
    def plan(self) -> RowPlan:
        """For the rows with gaps."""
        return RowPlan.of(self.record, self.seen)

    @cached_property
    def inner(self) -> list[int]:
        """The nodes that have children."""
        return sorted({p for above in self.record.parents for p in above})

    def width(self, stored: int) -> int:
        """A row's cells, and those of the plan."""
        return stored + (self.plan.width if self.expect else len(self.record.parts))

    def step(self, data: NodeRows, start: int, stop: int) -> NodeTally:
        """Of some rows."""
        levels, cells, weight = (
            data.levels(start, stop),
            data.numbers(start, stop),
            data.weights(start, stop),
        )
        whole = np.asarray((levels[self.inner] >= 0).all(axis=0))
        tally = self._counted(levels[:, whole], some_cells(cells, whole), weight[whole])
        gaps = ~whole & (weight > 0)
        if not gaps.any():
            return tally
        if self.expect:
            return tally + self._expected(levels[:, gaps], some_cells(cells, gaps), weight[gaps])
        return NodeTally(tally.counts, tally.leaves, tally.log_prob, tally.n, int(gaps.sum()))

    def _counted(self, levels: Ints, cells: Mapping[int, Held], weight: Floats) -> NodeTally:
        record, counts, leaves, log_prob = self.record, {}, {}, 0.0
        for i, part in enumerate(record.parts):
            q, k = record.groups(i), record.sizes[i]
            place = configurations(record, i, levels)
            if i in cells:
                leaves[i] = part.collect(cells[i], Groups.hard(place, q, weight), 0, len(weight))
                if self.expect:
                    logs = leaf_logs(part, cells[i])
                    log_prob += float(weight @ logs[np.arange(len(place)), place])
            elif i in record.leaves:
                leaves[i] = part.collect(Held(part.empty(0)), Groups.hard(place[:0], q), 0, 0)
            else:
                here = known(record, i, levels)
                place = place * k + levels[i]
                at, own = (place, weight) if here.all() else (place[here], weight[here])
                counted = np.bincount(at, own, q * k).reshape(q, k).astype(np.float64)
                counts[i] = counted
                if self.expect:
                    seen = counted > 0
                    log_prob += float(counted[seen] @ log(self.record.factors.tables[i].reshape(q, k)[seen]))
        return NodeTally(counts, leaves, log_prob, float(weight.sum()))

    def _expected(self, levels: Ints, cells: Mapping[int, Held], weight: Floats) -> NodeTally:
        record, plan = self.record, self.plan
        logs = {i: leaf_logs(record.parts[i], cells[i]) for i in plan.leaves}
        run, log_prob = plan.run(levels, logs)
        counts, shares = plan.expected(run, weight)
        for i in range(len(record.parts)):
            if i not in counts and i not in record.leaves:
                counts[i] = np.zeros((record.groups(i), record.sizes[i]))
        leaves = {}
        for i in record.leaves:
            part = record.parts[i]
            if i in shares:
                groups = Groups.softly(np.ascontiguousarray(shares[i].T))
                leaves[i] = part.collect(cells[i], groups, 0, len(weight))
            else:
                nothing = Groups.hard(np.zeros(0, np.intp), record.groups(i))
                leaves[i] = part.collect(Held(part.empty(0)), nothing, 0, 0)
        return NodeTally(counts, leaves, float(weight @ log_prob), float(weight.sum()))
