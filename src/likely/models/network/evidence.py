"""What a user says is known -> evidence about nodes: values, sets of values, and likelihoods of levels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint, both, is_empty
from likely.ask.resolve import as_conditions, constraint_of, find
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.format.words import plain
from likely.infer.node_tables import KnownNodes
from likely.language import Condition, Word
from likely.language.query import name as written
from likely.models.joint.variables import places, several
from likely.table.column.kinds import is_missing

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord
    from likely.models.network.world import NetworkWorld

Floats = NDArray[np.float64]
# Text such as "storm=True, x>3"; or by node a value, a set of values, or a likelihood for each level.
Known = str | Mapping[str, Any] | None


@dataclass(frozen=True)
class NodeFinding:
    """What is known of one node."""

    name: str
    said: str
    constraint: Constraint | None  # None: likelihoods
    likelihood: Floats | None = None


def findings(world: NetworkWorld, given: Known) -> list[NodeFinding]:
    """What is known, node by node, in the order in which it is said.

    Numbers are known by a value or an interval; levels by a value, a set of values, or by how likely what was
    seen is under each level (soft, or virtual, evidence).
    """
    known: list[NodeFinding] = []
    if isinstance(given, Mapping):
        for name, value in given.items():
            variable = find(world.variables, str(name))
            if isinstance(value, Mapping):
                likelihood = _likelihood(world.record, variable.name, value)
                known.append(NodeFinding(variable.name, _soft(variable.name, value), None, likelihood))
            elif several(value):
                words = tuple(Word(str(plain(one)), isinstance(one, str)) for one in value)
                condition = Condition(variable.name, "in", words)
                known.append(_hard(world, condition))
            elif not is_missing(value):
                word = Word(str(plain(value)), isinstance(value, str))
                known.append(_hard(world, Condition(variable.name, "=", (word,))))
        return known
    for statement in as_conditions(given):
        if not isinstance(statement, Condition):
            raise LikelyError(
                f"given {statement}: give values one by one here, or use ask() for such statements."
            )
        known.append(_hard(world, statement))
    return known


def _hard(world: NetworkWorld, condition: Condition) -> NodeFinding:
    variable = find(world.variables, condition.variable)
    return NodeFinding(variable.name, str(condition), constraint_of(variable, condition, known=True))


def _soft(name: str, value: Mapping[Any, float]) -> str:
    likelihoods = ", ".join(f"{level}: {float(weight):g}" for level, weight in value.items())
    return f"{written(name)} likely {{{likelihoods}}}"


def _likelihood(record: NetworkRecord, name: str, given: Mapping[Any, float]) -> Floats:
    """P(what was seen given level) for every level of a node."""
    node = record.place[name]
    levels = record.levels(node)
    if not levels:
        raise LikelyError(
            f"{name!r} is a number: likelihoods are given for levels. Give a value or an interval."
        )
    column = record.nodes.columns[node]
    likelihood = np.zeros(len(levels))
    for level, weight in given.items():
        at = [i for i, own in enumerate(levels) if own == level or str(own) == str(level)]
        if not at:
            places(column, level)  # says which are near
            raise LikelyError(
                f"{name}={level!r} is no level of that node: its levels are {list(levels)[:10]!r}."
            )
        if (
            isinstance(weight, bool)
            or not isinstance(weight, int | float | np.number)
            or not 0 <= weight < math.inf
        ):
            raise LikelyError(f"the likelihood of {name}={level!r} is {weight!r}: give a number from 0 on.")
        likelihood[at[0]] = float(weight)
    left_out = [level for i, level in enumerate(levels) if likelihood[i] == 0 and level not in given]
    if left_out and len(given) < len(levels):
        raise LikelyError(
            f"{name!r} has no likelihood for the level {left_out[0]!r}: give one for every level, 0 if what "
            "was seen rules it out."
        )
    if not likelihood.any():
        raise LikelyError(f"the likelihoods of {name!r} are all 0: what was seen cannot be under any level.")
    return np.asarray(likelihood / likelihood.max())


def evidence_of(world: NetworkWorld, known: Sequence[NodeFinding]) -> tuple[KnownNodes, float] | None:
    """Findings as evidence, and the log of what was taken out of it; None if they contradict each other."""
    hard: dict[str, Constraint] = {}
    for one in known:
        if one.constraint is not None:
            hard[one.name] = both(hard.get(one.name), one.constraint)
    if any(map(is_empty, hard.values())):
        return None
    evidence, log_scale = world.evidence(hard)
    soft = tuple(
        ((world.record.place[f.name],), log(f.likelihood)) for f in known if f.likelihood is not None
    )
    return KnownNodes(evidence.levels, (*evidence.log_likelihoods, *soft)), log_scale


def known_evidence(world: NetworkWorld, given: Known) -> tuple[KnownNodes, str, float]:
    """KnownNodes that can be, what it says, and the log of what was taken out of it."""
    known = findings(world, given)
    refuse_conflict(world, known)
    evidence, log_scale = joined(world, known)
    return evidence, ", ".join(one.said for one in known), log_scale


def joined(world: NetworkWorld, known: Sequence[NodeFinding]) -> tuple[KnownNodes, float]:
    """Findings as evidence, and the log of what was taken out of it; those that contradict are refused."""
    met = evidence_of(world, known)
    if met is None:
        refuse_conflict(world, known)
    assert met is not None
    return met


def log_prob_of(world: NetworkWorld, known: Sequence[NodeFinding]) -> float:
    """The log-probability, or density, of findings, -inf if they cannot be."""
    met = evidence_of(world, known)
    return -math.inf if met is None else world.log_prob(met[0]) + met[1]


def refuse_conflict(world: NetworkWorld, known: Sequence[NodeFinding]) -> None:
    """Refuse findings of probability 0, and name a smallest set of them that conflict."""
    if log_prob_of(world, known) > -math.inf:
        return
    conflict = list(known)
    for one in known:
        rest = [other for other in conflict if other is not one]
        if log_prob_of(world, rest) == -math.inf:
            conflict = rest
    said = " and ".join(one.said for one in conflict)
    together = " together" if len(conflict) > 1 else ""
    raise LikelyError(
        f"{said} cannot be{together}: the probability is 0. Take one of them back, or correct it."
    )
