"""One plan for all rows of a table, whatever is missing in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.infer.contraction import Plan, Run, plan_contraction
from likely.infer.node_tables import LOST, MEMORY, SMALL
from likely.infer.rows_apart import RowsAgain, RowsApart, RowTables

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
RowsRun = Run | RowsApart | RowsAgain

DEAR = 8_000  # multiplications a row and table, which take longer than to plan for the row alone


@dataclass(frozen=True, slots=True)
class LeafView:
    """A leaf's parents among those of a table that several leaves share."""

    place: int  # of the table
    shape: tuple[int, ...]  # levels of its own parents
    axes: tuple[int, ...]  # its parents in the table's order
    held: tuple[bool, ...]  # which of the table's parents are its own

    def spread(self, own: Floats) -> Floats:
        """What is said by its parents' levels, (q, b), by those of the table; others are of size 1."""
        turned = own.reshape(*self.shape, -1).transpose(*self.axes, len(self.shape))
        sizes = iter(turned.shape)
        return turned.reshape(*[next(sizes) if held else 1 for held in self.held], next(sizes))

    def own(self, table: Floats) -> Floats:
        """A table of shares by its own parents alone, in their order, rows last."""
        others = tuple(axis for axis, held in enumerate(self.held) if not held)
        alone: Floats = table.sum(axis=others)
        return alone.transpose(*np.argsort(self.axes), len(self.shape))


@dataclass(frozen=True, slots=True, eq=False)
class RowPlan:
    """The tables of a network, and for every row likelihoods of the levels of nodes that may be known."""

    plan: Plan
    nodes: tuple[int, ...]  # whose tables are multiplied, first
    levels: tuple[int, ...]  # then these nodes, each with the likelihood of its levels
    leaves: tuple[int, ...]  # then the likelihood of the cells of these,
    above: tuple[tuple[int, ...], ...]  # by the levels of these parents, which may be those of several leaves
    views: Mapping[int, LeafView]  # for each leaf: where it stands among them
    tables: tuple[Floats, ...]
    codes: Mapping[int, Floats]  # for each node: its likelihood by code, and last for -1, (k, k + 1)

    @classmethod
    def of(cls, record: NetworkRecord, seen: Iterable[int], wanted: Iterable[int] = ()) -> RowPlan:
        """For rows in which some nodes may be known, and some are asked for."""
        asked = sorted({*seen, *wanted})
        leaves = tuple(i for i in asked if i in record.leaves)
        levels = tuple(i for i in asked if i not in record.leaves)
        parents = {p for i in leaves for p in record.parents[i]}
        wanted_nodes = record.factors.upwards({*levels, *parents})
        nodes = tuple(i for i in sorted(wanted_nodes) if i not in record.leaves)
        above, views = _shared_parents(record, leaves)
        scopes = [(*record.parents[i], i) for i in nodes]
        scopes += [(i,) for i in levels]
        scopes += above
        by_row = [False] * len(nodes) + [True] * (len(levels) + len(above))
        plan = plan_contraction(scopes, record.sizes, by_row)
        codes = {i: np.hstack([np.eye(record.sizes[i]), np.ones((record.sizes[i], 1))]) for i in levels}
        tables = tuple(record.factors.tables[i] for i in nodes)
        return cls(plan, nodes, levels, leaves, above, views, tables, codes)

    @property
    def apart(self) -> bool:
        """Whether each row has a plan of its own, as one for all is too dear for what rows do not know."""
        return self.plan.operations[1] > DEAR * len(self.nodes) or self.plan.bytes(1) > MEMORY

    @property
    def width(self) -> int:
        """Cells that a row takes, there and back."""
        return 2 * (sum(table.size for table in self.tables) if self.apart else self.plan.cells[1]) + 1

    def run(
        self, levels: Ints, leaf_logs: Mapping[int, Floats], logs_only: bool = False
    ) -> tuple[RowsRun, Floats]:
        """Of rows with these levels (d, b) and log-likelihoods of leaves (b, q); log P(row), (b,)."""
        logs: list[Floats] = []
        log_scale = np.zeros(levels.shape[1])
        for place, parents in enumerate(self.above):
            own = self._logs_of(place, levels[list(parents)], leaf_logs)
            highest = own.max(axis=tuple(range(len(parents))))
            highest = np.where(np.isfinite(highest), highest, 0.0)
            logs.append(own - highest)
            log_scale += highest
        run: RowsRun
        if self.apart:
            run = RowsApart(self._given, levels, logs, logs_only)
        else:
            codes = [self.codes[i].take(levels[i], axis=1) for i in self.levels]
            run = self.plan.run([*self.tables, *codes, *map(np.exp, logs)])
        rows = self._lost(run.log_total, levels, logs)
        if len(rows):
            some = [own[..., rows] for own in logs]
            again = RowsApart(self._given, levels[:, rows], some, logs_only, in_logs=True)
            run = RowsAgain(run, again, rows)
        return run, log_scale + run.log_total

    @property
    def _given(self) -> RowTables:
        """What is multiplied in every row, for plans of rows alone."""
        scopes = self.plan.scopes[: len(self.nodes)]
        return RowTables(self.tables, scopes, self.levels, self.above, self.plan.sizes, MEMORY)

    def _lost(self, log_total: Floats, levels: Ints, logs: Sequence[Floats]) -> Ints:
        """The rows in which likelihoods of leaves that count were too small beside some that do not."""
        small = log_total < SMALL
        if not logs or not small.any():
            return np.zeros(0, np.intp)
        lost = np.zeros(len(small), bool)
        for own in logs:
            lost |= ((own > -np.inf) & (own < LOST)).any(axis=tuple(range(own.ndim - 1)))
        rows = np.flatnonzero(small & lost)
        if not len(rows) or self.apart:
            return rows
        codes = [self.codes[i].take(levels[i, rows], axis=1) for i in self.levels]
        able = [np.asarray(own[..., rows] > -np.inf, np.float64) for own in logs]
        can: NDArray[np.bool_] = self.plan.possible([*self.tables, *codes, *able])
        return rows[can]

    def _logs_of(self, place: int, known: Ints, leaf_logs: Mapping[int, Floats]) -> Floats:
        """What the leaves of these parents say together, (k, ..., b), -inf for levels known not to be.

        Likelihoods are divided by their largest: that must be one that can be, and one of all leaves, or what
        is left of the others would be 0.
        """
        ways = [i for i in self.leaves if self.views[i].place == place]
        logs: Floats = sum((self.views[i].spread(leaf_logs[i].T) for i in ways), np.zeros(()))
        for axis, codes in enumerate(known):  # (b,) each
            k = logs.shape[axis]
            here = np.arange(k).reshape(-1, *[1] * (logs.ndim - 1 - axis))
            logs = np.where((codes < 0) | (codes == here), logs, -np.inf)
        return logs

    def of_levels(self, run: RowsRun, nodes: Iterable[int]) -> list[Floats]:
        """P(level given row) of nodes, (k, b) each; 0 where the row cannot be."""
        first = len(self.nodes)
        places = [first + self.levels.index(i) for i in nodes]
        return run.joints(places)

    def of_leaves(self, run: RowsRun) -> dict[int, Floats]:
        """P(combination of the parents' levels given row) of each leaf, (q, b)."""
        first = len(self.nodes) + len(self.levels)
        places = range(first, first + len(self.above))
        return self._of_each_leaf(run.joints(places), np.size(run.log_total))

    def _of_each_leaf(self, joint: Sequence[Floats], b: int) -> dict[int, Floats]:
        return {i: self.views[i].own(joint[self.views[i].place]).reshape(-1, b) for i in self.leaves}

    def expected(self, run: RowsRun, weight: Floats) -> tuple[dict[int, Floats], dict[int, Floats]]:
        """Expected counts of every family, (q, k), and for leaves the weight of each combination, (q, b)."""
        first = len(self.nodes) + len(self.levels)
        places = [*range(len(self.nodes)), *range(first, first + len(self.above))]
        joint = run.joints(places, weight)
        m = len(self.nodes)
        counts = {i: joint[at].reshape(-1, joint[at].shape[-1]) for at, i in enumerate(self.nodes)}
        return counts, self._of_each_leaf(joint[m:], len(weight))


def _shared_parents(
    record: NetworkRecord, leaves: tuple[int, ...]
) -> tuple[tuple[tuple[int, ...], ...], dict[int, LeafView]]:
    """Sets of parents, none of them inside another, and where each leaf stands among them."""
    above: list[tuple[int, ...]] = []
    for parents in sorted((record.parents[i] for i in leaves), key=len, reverse=True):
        if not any(set(parents) <= set(larger) for larger in above):
            above.append(parents)
    views = {}
    for i in leaves:
        own = record.parents[i]
        place = next(at for at, larger in enumerate(above) if set(own) <= set(larger))
        axes = tuple(own.index(p) for p in above[place] if p in own)
        held = tuple(p in own for p in above[place])
        views[i] = LeafView(place, tuple(record.sizes[p] for p in own), axes, held)
    return tuple(above), views
