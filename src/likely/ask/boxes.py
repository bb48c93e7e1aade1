"""Statements -> boxes that exclude each other: in each of them every variable has a constraint of its own.

The probabilities of such boxes add up, without the differences of inclusion and exclusion, so that rare
events keep their digits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from likely.ask.constraint import Constraint, Exactly, both, is_empty, is_inside, otherwise, union
from likely.ask.resolve import Variables, constraint_of, find
from likely.ask.world import Nature, Variable
from likely.errors import LikelyError
from likely.language import And, Condition, Not, Statement

Box = dict[str, Constraint]  # the variables that it does not name are free

MOST_BOXES = 4096


def split(variables: Variables, statements: Sequence[Statement]) -> tuple[list[Box], list[Box]]:
    """Where all statements hold, and where one of them fails: together everywhere, and no place twice."""
    holding: list[Box] = [{}]
    failing: list[Box] = []
    for statement in statements:
        yes, no = _of_one(variables, statement)
        failing = _merged(variables, [*failing, *_meetings(holding, no)])
        holding = _meetings(holding, yes)
    return holding, failing


def _of_one(variables: Variables, statement: Statement) -> tuple[list[Box], list[Box]]:
    """Where a statement holds, and where it fails."""
    match statement:
        case Condition():
            variable = find(variables, statement.variable)
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
    """All places in a box of either list."""
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
