"""What each finding, or cell of a row, adds to the log-odds of a level: the lines sum to the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.resolve import find
from likely.engine import Chunk, Engine
from likely.errors import LikelyError
from likely.evidence import Ledger, LedgerLine, Ledgers
from likely.infer.node_tables import NOTHING
from likely.models.groups.explain import CellValues, pair
from likely.models.network.answers import RowPosterior
from likely.models.network.evidence import Known, NodeFinding, evidence_of, findings, refuse_conflict
from likely.models.network.intervene import level_place
from likely.models.network.rows import NodeRows
from likely.table.frame import Frame

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord
    from likely.models.network.world import NetworkWorld

Floats = NDArray[np.float64]
MOST_SHAPLEY = 12  # findings: each subset of them is a question


def explain_findings(
    world: NetworkWorld, about: str, given: Known, favoured: Any, against: Any, order: str
) -> Ledger:
    """The ledger of one answer: the base rate, then what each finding adds."""
    record = world.record
    known = findings(world, given)
    refuse_conflict(world, known)
    node = record.place[find(world.variables, about).name]
    about = record.names[node]
    levels = record.levels(node)
    if len(levels) < 2:
        raise LikelyError(f"{about!r} has no two levels to weigh against each other: name another node.")
    if any(one.name == about for one in known):
        raise LikelyError(f"{about!r} is explained and given: take it out of what is given.")
    end = _believed(world, node, known)
    a = int(end.argmax()) if favoured is None else level_place(record, node, favoured)
    b = None if against is None else level_place(record, node, against)
    if b is None and len(levels) == 2:
        b = 1 - a
    if a == b:
        raise LikelyError(f"level {levels[a]!r} is weighed against itself: name two different levels.")

    def odds(some: Sequence[NodeFinding]) -> float:
        return _log_odds(_believed(world, node, some), a, b)

    if order == "given":
        steps = [odds(known[:i]) for i in range(len(known) + 1)]
        terms = [_apart(after, before) for before, after in pairwise(steps)]
    elif order == "shapley":
        terms = _shapley(known, odds)
    else:
        raise LikelyError(
            f"order={order!r} is unknown: use 'given' (one after another) or 'shapley' (shared out)."
        )
    lines = tuple(
        LedgerLine(one.name, one.said.partition(" ")[2], term) for one, term in zip(known, terms, strict=True)
    )
    return Ledger(
        favoured=levels[a],
        against=None if b is None else levels[b],
        base=odds([]),
        lines=lines,
        total=odds(known),
        probabilities={level: float(p) for level, p in zip(levels, end, strict=True)},
        order=tuple(one.name for one in known) if order == "given" else None,
        library=record.nodes.library,
    )


def _believed(world: NetworkWorld, node: int, known: Sequence[NodeFinding]) -> Floats:
    met = evidence_of(world, known) if known else (NOTHING, 0.0)
    assert met is not None
    return world.table([node], met[0])


def _log_odds(p: Floats, a: int, b: int | None) -> float:
    others = float(np.delete(p, a).sum()) if b is None else float(p[b])
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log(p[a]) - np.log(others))


def _apart(after: float, before: float) -> float:
    """What was added; nothing, where it was certain before."""
    return 0.0 if after == before else after - before


def _shapley(known: Sequence[NodeFinding], odds: Any) -> list[float]:
    """Each finding's share: what it adds on average over all orders of the others."""
    m = len(known)
    if m > MOST_SHAPLEY:
        raise LikelyError(
            f"order='shapley' asks 2**{m} questions of {m} findings: give {MOST_SHAPLEY} at most, or "
            "order='given'."
        )
    worth = {
        some: odds([known[i] for i in some]) for size in range(m + 1) for some in combinations(range(m), size)
    }
    terms = []
    for i in range(m):
        total = 0.0
        for some, value in worth.items():
            if i in some:
                rest = tuple(j for j in some if j != i)
                share = math.factorial(len(rest)) * math.factorial(m - len(some)) / math.factorial(m)
                total += share * _apart(value, worth[rest])
        terms.append(total)
    return terms


def explain_rows(
    record: NetworkRecord, frame: Frame, node: int, favoured: Any, against: Any, engine: Engine
) -> Ledgers:
    """One ledger a row: a level against another, cells added one after another in the order of the table."""
    classes = record.levels(node)
    rows = NodeRows.of(record, frame)
    chunk = Chunk(rows, frame.n, frame.width)
    columns = [i for i, name in enumerate(record.schema.names) if i != node and name in frame.position]
    steps = [
        engine.map(chunk, RowPosterior(record, tuple(columns[:j]), node))[0] for j in range(len(columns) + 1)
    ]
    mine, theirs = pair(classes, favoured, against, steps[-1])
    each = np.arange(frame.n)
    with np.errstate(invalid="ignore"):
        odds = np.stack([step[each, mine] - step[each, theirs] for step in steps], axis=1)
        terms = np.diff(odds, axis=1)
    names = tuple(record.names[i] for i in columns)
    return Ledgers(
        classes=classes,
        names=names,
        favoured=mine,
        against=theirs,
        base=odds[:, 0],
        terms=np.where(np.isnan(terms), 0.0, terms),
        rest=np.zeros((frame.n, 0)),
        rest_names=(),
        status=np.hstack([_status(record, i, frame) for i in columns]),
        log_posterior=steps[-1],
        value=CellValues(tuple(frame.raw(name) for name in names)),
        order=names,
        library=frame.library,
    )


def _status(record: NetworkRecord, node: int, frame: Frame) -> NDArray[np.int8]:
    """Whether each cell of a column is known, missing or of a level never seen, (n, 1)."""
    status = record.parts[node].status(record.parts[node].block(frame).rows(0, frame.n))
    return np.zeros((frame.n, 1), np.int8) if status is None else status


def are_findings(given: object) -> bool:
    """Whether what is known is said node by node, rather than in rows of a table.

    >>> are_findings("sex=female"), are_findings({"sex": "female"}), are_findings({"sex": ["female", "male"]})
    (True, True, False)
    """
    if isinstance(given, Mapping):
        return not any(isinstance(value, list | tuple) or hasattr(value, "shape") for value in given.values())
    return given is None or isinstance(given, str)
