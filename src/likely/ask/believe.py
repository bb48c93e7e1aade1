"""Conditioning a model on statements joined by and, or and not: a sum over disjoint cases (boxes).

The probabilities of disjoint boxes simply add. Nothing is subtracted, as inclusion-exclusion would, so that
probabilities of rare events keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import (
    LINE,
    Constraint,
    Exactly,
    Region,
    both,
    is_empty,
    is_inside,
    otherwise,
    union,
)
from likely.ask.resolve import Variables, constraint_of, constraints, find
from likely.ask.truncated_mixture import TruncatedMixture
from likely.ask.two_numbers import NumberPair
from likely.ask.world import Nature, Variable, World, WorldBelief
from likely.errors import LikelyError
from likely.infer import bayes_rule
from likely.language import And, Condition, Not, Statement, Word
from likely.language.query import conditions_of
from likely.language.query import name as written

Box = dict[str, Constraint]  # the variables that it does not name are free

MOST_BOXES = 4096
Floats = NDArray[np.float64]
FAR = 1e-12  # the share of values beyond those that are suggested


def split(variables: Variables, statements: Sequence[Statement]) -> tuple[list[Box], list[Box]]:
    """Disjoint boxes in which all statements hold, and those in which one fails; together, everything."""
    holding: list[Box] = [{}]
    failing: list[Box] = []
    for statement in statements:
        yes, no = _of_one(variables, statement)
        failing = _merged(variables, [*failing, *_meetings(holding, no)])
        holding = _meetings(holding, yes)
    return holding, failing


def _of_one(variables: Variables, statement: Statement) -> tuple[list[Box], list[Box]]:
    """Disjoint boxes in which a statement holds, and those in which it fails."""
    match statement:
        case Condition():
            variable = find(variables, statement.variable, statement.words)
            allowed = constraint_of(variable, statement, known=False)
            return _box(variable, allowed), _box(variable, otherwise(allowed, *_manner(variable)))
        case Not(part):
            return _of_one(variables, part)[::-1]
        case And(parts):
            return split(variables, parts)
    return split(variables, [Not(part) for part in statement.parts])[::-1]  # none of them, or one at least


def _box(variable: Variable, allowed: Constraint) -> list[Box]:
    return [] if is_empty(allowed) else [{variable.name: allowed}]


def _manner(variable: Variable) -> tuple[bool, bool]:
    return variable.nature is Nature.WHOLE, variable.gaps


def _meetings(first: Sequence[Box], second: Sequence[Box]) -> list[Box]:
    """The intersections of every box of one list with every box of the other."""
    boxes = []
    for a in first:
        for b in second:
            box = within(a, b)
            if box is not None:
                boxes.append({**a, **box})
        if len(boxes) > MOST_BOXES:
            raise LikelyError(
                f"the statement falls into more than {MOST_BOXES:,} cases that exclude each other: ask for "
                "less at a time, and write values of one variable as in x in {a, b}."
            )
    return boxes


def within(known: Mapping[str, Constraint], box: Mapping[str, Constraint]) -> Box | None:
    """What a box says where something is known: of what is known `Exactly` nothing. None if it cannot be."""
    narrowed: Box = {}
    for name, constraint in box.items():
        own = known.get(name)
        if isinstance(own, Exactly):
            if not is_inside(constraint, own.value):
                return None
            continue
        narrowed[name] = both(own, constraint)
        if is_empty(narrowed[name]):
            return None
    return narrowed


def _merged(variables: Variables, boxes: Sequence[Box]) -> list[Box]:
    """The boxes, those of one and the same variable alone as one: x < 1 or x > 3 is one constraint of x."""
    alone: dict[str, Constraint] = {}
    others = []
    for box in boxes:
        if len(box) > 1:
            others.append(box)
            continue
        ((name, constraint),) = box.items()
        whole = variables[name].nature is Nature.WHOLE
        alone[name] = union(alone[name], constraint, whole) if name in alone else constraint
    return [*({name: constraint} for name, constraint in alone.items()), *others]


def log_chance(belief: WorldBelief, known: Mapping[str, Constraint], box: Mapping[str, Constraint]) -> float:
    """log P(box | known), -inf if it cannot be."""
    inside = within(known, box)
    if inside is None:
        return -math.inf
    return belief.log_prob(inside) if inside else 0.0


@dataclass(frozen=True)
class Case:
    """How probable a case is, what is believed in it, and what it allows each variable to be."""

    log_p: float
    belief: WorldBelief
    known: dict[str, Constraint]


@dataclass(frozen=True)
class AnyCase:
    """What is believed where one of the cases holds."""

    variables: Mapping[str, Variable]
    cases: tuple[Case, ...]

    @classmethod
    def of(cls, world: World, cases: Sequence[Case]) -> AnyCase:
        """The same cases, their probabilities brought to a sum of 1."""
        logs = bayes_rule(np.array([[case.log_p for case in cases]]))[0][0]
        shares = (Case(float(p), case.belief, case.known) for p, case in zip(logs, cases, strict=True))
        return cls(world.variables, tuple(shares))

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | one of the cases), -inf if it cannot be."""
        each = [case.log_p + log_chance(case.belief, case.known, event) for case in self.cases]
        return float(bayes_rule(np.array([each]))[1][0])

    def table(self, names: Sequence[str]) -> Floats:
        """P(levels | one of the cases) of these variables, one axis for each."""
        each = [math.exp(case.log_p) * case.belief.table(names) for case in self.cases]
        return np.asarray(np.sum(each, axis=0))

    def mixture(self, name: str, by: Sequence[str] = ()) -> TruncatedMixture:
        """The distribution of a number that is not missing, jointly with the levels of other variables."""
        there = {name: Region(LINE)}
        logs = [
            case.log_p + (log_chance(case.belief, case.known, there) if self.variables[name].gaps else 0.0)
            for case in self.cases
        ]
        if max(logs) == -math.inf:
            raise LikelyError(f"{name!r} is known to be missing: there is no number to ask for.")
        shares = np.exp(bayes_rule(np.array([logs]))[0][0])
        kept = [(case, float(p)) for case, p in zip(self.cases, shares, strict=True) if p > 0]
        mixtures = [case.belief.mixture(name, by) for case, _ in kept]
        return TruncatedMixture.joined(mixtures, [share for _, share in kept])

    def pair(self, first: str, second: str) -> NumberPair:
        """Refused: the cases are added up for one number at a time."""
        raise LikelyError(
            f"{first!r} and {second!r} together, where one of several cases holds: ask for each case."
        )


def believe(world: World, statements: Sequence[Statement]) -> tuple[WorldBelief, dict[str, Constraint]]:
    """What is believed where all statements hold, and what they allow each variable to be."""
    belief_and_known = _given(world, statements)
    if belief_and_known is None:
        _refuse(world, statements)
    return belief_and_known


def _given(world: World, statements: Sequence[Statement]) -> tuple[WorldBelief, dict[str, Constraint]] | None:
    known = constraints(world.variables, [one for one in statements if isinstance(one, Condition)])
    belief = None if any(map(is_empty, known.values())) else world.given(known)
    others = [one for one in statements if not isinstance(one, Condition)]
    if belief is None or not others:
        return None if belief is None else (belief, known)
    cases = []
    for box in split(world.variables, others)[0]:
        log_p, narrowed = log_chance(belief, known, box), {**known, **(within(known, box) or {})}
        own = None if log_p == -math.inf else world.given(narrowed)
        if own is not None:
            cases.append(Case(log_p, own, narrowed))
    if len(cases) <= 1:
        return (cases[0].belief, cases[0].known) if cases else None
    return AnyCase.of(world, cases), known


def _refuse(world: World, statements: Sequence[Statement]) -> NoReturn:
    """Name the first statement that cannot be together with those before it, and what could."""
    for last in range(len(statements)):
        if _given(world, statements[: last + 1]) is None:
            break
    statement = statements[last]
    about = {condition.variable for condition in conditions_of(statement)}
    same = [other for other in statements[:last] if about & {c.variable for c in conditions_of(other)}]
    others = [other for other in statements[:last] if other not in same]
    beside = f" given {', '.join(map(str, others))}" if others else ""
    with_own = f" together with {', '.join(map(str, same))}" if same else ""
    without_it = _given(world, others) if len(about) == 1 else None
    hint = "" if without_it is None else _possible(world, without_it[0], *about)
    raise LikelyError(
        f"the condition {statement}{with_own} is impossible{beside}: its probability is 0.{hint}"
    )


def _possible(world: World, belief: WorldBelief, name: str) -> str:
    variable = world.variables[name]
    if variable.nature is Nature.LEVELS:
        able = [level for level, p in zip(variable.levels, belief.table((name,)), strict=True) if p > 0]
        shown = ", ".join("missing" if level is None else str(Word(str(level))) for level in able[:10])
        return f" Possible is {written(name)} in {{{shown}{', ...' if len(able) > 10 else ''}}}."
    if not variable.numeric:
        return ""
    mixture = belief.mixture(name)
    low, high = mixture.ends
    low = low if math.isfinite(low) else mixture.quantile(FAR)
    high = high if math.isfinite(high) else mixture.quantile(1 - FAR)
    return f" Values lie in {low:.6g} <= {written(name)} <= {high:.6g}."
