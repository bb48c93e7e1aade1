"""One plan for all rows of a table, whatever is missing in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.infer.contraction import Plan, Run, plan_contraction
from likely.infer.node_tables import MEMORY

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class RowPlan:
    """The tables of a network, and for every row likelihoods of the levels of nodes that may be known."""

    plan: Plan
    nodes: tuple[int, ...]  # whose tables are multiplied, first
    levels: tuple[int, ...]  # then these nodes, each with the likelihood of its levels
    leaves: tuple[int, ...]  # then these, each with the likelihood of its cell by its parents' levels
    tables: tuple[Floats, ...]
    codes: Mapping[int, Floats]  # for each node: its likelihood by code, and last for -1, (k, k + 1)
    shapes: Mapping[int, tuple[int, ...]]  # of the parents of leaves

    @classmethod
    def of(cls, record: NetworkRecord, seen: Iterable[int], wanted: Iterable[int] = ()) -> RowPlan:
        """For rows in which some nodes may be known, and some are asked for."""
        asked = sorted({*seen, *wanted})
        leaves = tuple(i for i in asked if i in record.leaves)
        levels = tuple(i for i in asked if i not in record.leaves)
        above = {p for i in leaves for p in record.parents[i]}
        nodes = tuple(i for i in sorted(record.factors.upwards({*levels, *above})) if i not in record.leaves)
        scopes = [(*record.parents[i], i) for i in nodes]
        scopes += [(i,) for i in levels]
        scopes += [record.parents[i] for i in leaves]
        by_row = [False] * len(nodes) + [True] * (len(levels) + len(leaves))
        plan = plan_contraction(scopes, record.sizes, by_row)
        if plan.bytes(1) > MEMORY:
            raise LikelyError(
                f"a row of this network takes {plan.bytes(1) / 2**30:.3g} GiB, more than the "
                f"{MEMORY / 2**30:.3g} that are taken at most: ask about one row at a time, marginals(row), "
                "where what is known makes the work smaller."
            )
        codes = {i: np.hstack([np.eye(record.sizes[i]), np.ones((record.sizes[i], 1))]) for i in levels}
        shapes = {i: tuple(record.sizes[p] for p in record.parents[i]) for i in leaves}
        tables = tuple(record.factors.tables[i] for i in nodes)
        return cls(plan, nodes, levels, leaves, tables, codes, shapes)

    @property
    def width(self) -> int:
        """Cells that a row takes, there and back."""
        return 2 * self.plan.cells[1] + 1

    def run(self, levels: Ints, leaf_logs: Mapping[int, Floats]) -> tuple[Run, Floats]:
        """Of rows with these levels (d, b) and log-likelihoods of leaves (b, q); log P(row), (b,)."""
        b = levels.shape[1]
        inputs: list[Any] = list(self.tables)
        inputs += [self.codes[i].take(levels[i], axis=1) for i in self.levels]
        log_scale = np.zeros(b)
        for i in self.leaves:
            logs = leaf_logs[i].T  # (q, b)
            highest = logs.max(axis=0)
            highest = np.where(np.isfinite(highest), highest, 0.0)
            inputs.append(np.exp(logs - highest).reshape(*self.shapes[i], b))
            log_scale += highest
        run = self.plan.run(inputs)
        return run, log_scale + run.log_total

    def of_levels(self, run: Run, nodes: Iterable[int]) -> list[Floats]:
        """P(level given row) of nodes, (k, b) each; 0 where the row cannot be."""
        first = len(self.nodes)
        places = [first + self.levels.index(i) for i in nodes]
        slopes = run.derivatives(places)
        return [run.values[place] * slope for place, slope in zip(places, slopes, strict=True)]

    def of_leaves(self, run: Run) -> dict[int, Floats]:
        """P(combination of the parents' levels given row) of each leaf, (q, b)."""
        first = len(self.nodes) + len(self.levels)
        places = range(first, first + len(self.leaves))
        slopes = run.derivatives(places)
        b = np.size(run.log_total)
        joint = (run.values[place] * slope for place, slope in zip(places, slopes, strict=True))
        return {i: own.reshape(-1, b) for i, own in zip(self.leaves, joint, strict=True)}

    def expected(self, run: Run, weight: Floats) -> tuple[dict[int, Floats], dict[int, Floats]]:
        """Expected counts of every family, (q, k), and for leaves the weight of each combination, (q, b)."""
        first = len(self.nodes) + len(self.levels)
        places = [*range(len(self.nodes)), *range(first, first + len(self.leaves))]
        slopes = run.derivatives(places, weight)
        joint = [run.values[place] * slope for place, slope in zip(places, slopes, strict=True)]
        m = len(self.nodes)
        counts = {i: joint[at].reshape(-1, joint[at].shape[-1]) for at, i in enumerate(self.nodes)}
        shares = {i: joint[m + at].reshape(-1, len(weight)) for at, i in enumerate(self.leaves)}
        return counts, shares
