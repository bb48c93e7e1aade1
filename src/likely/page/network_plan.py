"""A belief network as steps that a browser can run: which tables are multiplied, and what is summed out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from likely.errors import LikelyError
from likely.infer.contraction import Plan, plan_contraction
from likely.models.network.record import NetworkRecord
from likely.page.packed import packed

MOST_CELLS = 1 << 20  # that all steps together go through: some tens of milliseconds a click
MOST_NUMBERS = 200_000  # in the tables of the nodes: what the file holds

Scope = tuple[int, ...]


def network_plan(record: NetworkRecord) -> dict[str, Any]:
    """Tables, and the steps that sum their product over all nodes; refused where it is too large.

    Beside the table of each node there is one of what is known of it: 1 for every level that it may have. A
    node of numbers has none of its own: what is known of it is how likely that is, given its parents.
    """
    discrete = [i for i in range(len(record.parts)) if i not in record.leaves]
    tables = [record.factors.tables[i] for i in discrete]
    if (n := sum(table.size for table in tables)) > MOST_NUMBERS:
        raise LikelyError(
            f"the network has {n:,} probabilities in its tables: a page holds {MOST_NUMBERS:,} at most. Ask "
            "it in Python, or learn one with fewer parents."
        )
    scopes: list[Scope] = [(*record.parents[i], i) for i in discrete]
    scopes += [(i,) for i in discrete]
    scopes += [record.parents[i] for i in record.leaves]
    plan = plan_contraction(scopes, record.sizes)
    steps, cells = _steps(plan, scopes, record.sizes)
    if cells > MOST_CELLS:
        widest = ", ".join(repr(record.names[v]) for v in plan.widest[:6])
        raise LikelyError(
            f"an answer of the network takes {cells:,} products, and a page {MOST_CELLS:,} at most: the "
            f"nodes {widest} hang together too closely. Ask it in Python, or learn one with fewer parents."
        )
    known = [None] * (len(scopes) - len(tables))
    return {
        "sizes": list(record.sizes),
        "scopes": [list(scope) for scope in scopes],
        "tables": [*(packed(table.ravel()) for table in tables), *known],
        "steps": [[left, right, list(scope)] for left, right, scope in steps],
        "results": list(plan.results),
    }


def _steps(
    plan: Plan, scopes: Sequence[Scope], sizes: Sequence[int]
) -> tuple[list[tuple[int, int, Scope]], int]:
    """Two operands and the scope of what they become, step by step; and the cells gone through in all.

    A variable that no other operand has is summed out.
    """
    every, live, steps, cells = [*scopes], set(range(len(scopes))), [], 0
    for step in plan.steps:
        operands = [step.left] if step.right < 0 else [step.left, step.right]
        live.difference_update(operands)
        both = tuple(dict.fromkeys(v for place in operands for v in every[place]))
        held = {v for place in live for v in every[place]}
        scope = tuple(v for v in both if v in held)
        steps.append((step.left, step.right, scope))
        cells += math.prod(sizes[v] for v in both)
        live.add(len(every))
        every.append(scope)
    return steps, cells
