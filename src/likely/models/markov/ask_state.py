"""A moment of a sequence as a world that can be asked: its state, and what is not known of its row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint, Exactly
from likely.ask.world import Nature, Variable
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.format.words import shown
from likely.language import parse_query
from likely.language.query import conditions_of
from likely.models.groups.belief import GroupBelief
from likely.models.groups.group_world import GroupWorld
from likely.models.groups.independent import Independent
from likely.models.markov.answers import Answers

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Moment:
    """A row of which some cells are known: the others can be asked for, given those beside them."""

    inside: GroupWorld
    own: Mapping[str, Constraint]  # known cells of the slots that have a missing one

    @property
    def library(self) -> str:
        """The frame library that the model was fitted with."""
        return self.inside.library

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """The columns that are missing in the row, and the state."""
        return {name: one for name, one in self.inside.variables.items() if name not in self.own}

    def given(self, known: Mapping[str, Constraint]) -> GroupBelief | None:
        """What is believed once this is known too; None if it is impossible."""
        if self.own and self.inside.given(self.own) is None:
            return self.inside.given(known)  # what is impossible in every state says nothing of the states
        return self.inside.given({**self.own, **known})


def row_inside(answers: Answers, chances: Floats, row: int) -> Moment:
    """The world of a row of one sequence, where states have these chances, (s,), given all that is known.

    Parts whose cells are all known have told of the state, and are left aside. Of one that has known cells
    and missing ones the known cells are told here, for the missing ones may depend on them: the chances are
    then taken without them.
    """
    states = answers.record.states
    cells = {part: part.known_cells(answers.frame, row) for part in states.parts}
    open_parts = [part for part, (_, gaps) in cells.items() if gaps.any()]
    partial = [part for part in open_parts if not cells[part][1].all()]
    if partial:
        chances = answers.chances_without(row, partial)
    kept = sorted({j for part in open_parts for j in part.columns})
    schema = replace(states.schema, columns=tuple(states.schema.columns[j] for j in kept))
    places = {j: place for place, j in enumerate(kept)}
    parts = tuple(part.moved(schema, [places[j] for j in part.columns]) for part in open_parts)
    world = GroupWorld(schema, Independent(log(chances), parts), states.target)
    own = {
        part.column(place).name: value
        for part in partial
        for place, (value, gap) in enumerate(zip(*cells[part], strict=True))
        if not gap
    }
    return Moment(world, {name: _exactly(world.variables[name], value) for name, value in own.items()})


def _exactly(variable: Variable, value: float) -> Exactly:
    return Exactly(int(value) if variable.nature is Nature.LEVELS else float(value))


def refuse_known(answers: Answers, row: int, question: str) -> None:
    """Say of a column that is asked for or given, and known in the row, that and what it is."""
    query = parse_query(question)
    conditions = [one for statement in (*query.events, *query.given) for one in conditions_of(statement)]
    named = [*query.variables, *query.others, *query.averaged, *(one.variable for one in conditions)]
    for name in named:
        value = answers.frame.raw(name).item(row) if name in answers.frame.position else None
        if value is not None:
            raise LikelyError(
                f"{name!r} is known in row {row}: it is {shown(value)}, which the answer takes into account "
                "already. Ask for the state, for a column that is missing there, or for a row after the end "
                "(at=)."
            )
