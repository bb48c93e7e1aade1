"""A moment of a sequence as a world that can be asked: its state, and what is not known of its row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint, Exactly
from likely.ask.world import Nature, Variable
from likely.dist.numeric.logs import log
from likely.models.groups.belief import GroupBelief
from likely.models.groups.group_world import GroupWorld
from likely.models.groups.independent import Independent
from likely.models.markov.answers import Answers
from likely.models.markov.record import ChainRecord
from likely.models.parts.part import Reads, Slot

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


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


def any_row(record: ChainRecord, chances: Floats) -> GroupWorld:
    """The world of a row of which nothing is known, where states have these chances, (s,)."""
    states = record.states
    return GroupWorld(states.schema, states.slots, Independent(log(chances), states.parts), states.target)


def row_inside(answers: Answers, chances: Floats, row: int) -> Moment:
    """The world of a row of one sequence, where states have these chances, (s,), given all that is known.

    Slots whose cells are all known have told of the state, and are left aside. Of one that has known cells
    and missing ones the known cells are told here, for the missing ones may depend on them: the chances are
    then taken without them.
    """
    states = answers.record.states
    cells = {at: _cells(slot, answers, row) for at, slot in enumerate(states.slots)}
    gaps = {at: _gaps(slot, found) for (at, found), slot in zip(cells.items(), states.slots, strict=True)}
    open_slots = [at for at, missing in gaps.items() if missing.any()]
    partial = [at for at in open_slots if not gaps[at].all()]
    if partial:
        chances = answers.chances_without(row, partial)
    kept = sorted({j for at in open_slots for j in states.slots[at].columns})
    places = {j: place for place, j in enumerate(kept)}
    slots = tuple(
        replace(states.slots[at], columns=tuple(places[j] for j in states.slots[at].columns))
        for at in open_slots
    )
    schema = replace(states.schema, columns=tuple(states.schema.columns[j] for j in kept))
    core = Independent(log(chances), tuple(states.parts[at] for at in open_slots))
    world = GroupWorld(schema, slots, core, states.target)
    own = {
        states.schema.names[j]: cells[at][place]
        for at in partial
        for place, j in enumerate(states.slots[at].columns)
        if not gaps[at][place]
    }
    return Moment(world, {name: _exactly(world.variables[name], value) for name, value in own.items()})


def _cells(slot: Slot, answers: Answers, row: int) -> NDArray[Any]:
    """What a slot reads in a row, (d,); nothing of a text, which is known as a whole."""
    if slot.reads in (Reads.WORDS, Reads.GAPS):
        return np.zeros(0)
    cells: Any = slot.block(answers.record.schema, answers.frame).rows(row, row + 1)
    # A copy, for blocks use their memory again.
    return np.array((cells if isinstance(cells, np.ndarray) else cells.toarray())[0])


def _gaps(slot: Slot, cells: NDArray[Any]) -> Bools:
    return np.asarray(cells == -1 if slot.reads is Reads.CODES else np.isnan(cells))


def _exactly(variable: Variable, value: Any) -> Exactly:
    return Exactly(int(value) if variable.nature is Nature.LEVELS else float(value))
