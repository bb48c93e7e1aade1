"""What a fitted model says of sequences: their states, how probable they are, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint, Exactly
from likely.ask.world import Nature, Variable
from likely.dist.numeric.logs import log
from likely.engine import Engine
from likely.errors import LikelyError
from likely.estimator.fitted import generator
from likely.format.words import shown
from likely.infer import Chains, forward_backward, viterbi
from likely.infer.chains import LOG_BEST, drawn_states
from likely.language import parse_query
from likely.language.query import conditions_of
from likely.models.groups.belief import GroupBelief
from likely.models.groups.group_world import GroupWorld
from likely.models.groups.independent import Independent
from likely.models.groups.log_prob import sample_of
from likely.models.markov.chain_e_step import HiddenChain, Sequences
from likely.models.markov.record import ChainRecord
from likely.models.mixture.imputation import guesses
from likely.models.parts.part import Part
from likely.table.accepted import RandomState
from likely.table.build import to_table, values_of
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Answers:
    """Sequences that a model is asked about."""

    record: ChainRecord
    frame: Frame
    sequences: Sequences
    engine: Engine

    def posterior(self) -> tuple[Floats, Floats]:
        """P(state given the whole sequence) of every row of the table, (n, s); and log P(sequence)."""
        hidden = self._hidden()
        smoothed, log_likelihood = hidden.smooth(self.record)
        out = np.empty(smoothed.posterior.shape[::-1])
        out[hidden.order] = smoothed.posterior.T
        return out, log_likelihood

    def chances_without(self, row: int, without: Sequence[Part]) -> Floats:
        """P(state) of a row given all that is known but what these parts read in it, (s,)."""
        hidden, parts = self._hidden(), self.record.states.parts
        logs, _ = hidden.row_logs(self.record)
        used = [
            (part, block) for part, block in zip(parts, hidden.blocks, strict=True) if part not in without
        ]
        core = Independent(self.record.core.log_weights, tuple(part for part, _ in used))
        place = int(np.flatnonzero(hidden.order == row)[0])
        logs[:, place] = core.log_joint([block for _, block in used], row, row + 1)[0][0]
        smoothed = forward_backward(self.record.initial, self.record.transitions, logs, hidden.chains)
        return np.asarray(smoothed.posterior[:, place])

    def best(self) -> tuple[Ints, Floats]:
        """The states of the most probable way through each sequence, (n,); and its log-probability."""
        hidden = self._hidden(LOG_BEST.costs)
        logs, shared = hidden.row_logs(self.record)
        states, log_prob = viterbi(self.record.initial, self.record.transitions, logs, hidden.chains)
        out = np.empty(len(states), np.intp)
        out[hidden.order] = states
        return out, log_prob + hidden.by_sequence(shared)

    def _hidden(self, costs: float = 1.0) -> HiddenChain:
        chains = Chains.of(self.sequences.lengths, len(self.record.first), costs)
        blocks = self.record.states.blocks(self.frame)
        return HiddenChain(blocks, chains, None, self.engine, self.sequences.rows[chains.order])


def onward(transitions: Floats, now: Floats, n: int) -> Floats:
    """The chances of states (s,) one step later, two steps later, and so on, (n, s)."""
    chances = np.empty((n, len(now)))
    for step in range(n):
        now = now @ transitions
        chances[step] = now / now.sum()
    return chances


def forecast(record: ChainRecord, chances: Floats, library: str, engine: Engine) -> Any:
    """The rows to be expected where the states have these chances, (n, s), as gaps of a table are filled."""
    states, n = record.states, len(chances)
    columns = states.schema.columns
    nothing = {c.name: np.full(n, None, object) for c in columns}
    filled = guesses(states, Frame.of(nothing), None, library, engine, chances)
    table = {}
    for j, column in enumerate(columns):
        fill = filled.get(j)
        gap = np.full(n, -1 if column.levels is not None else np.nan)
        table[column.name] = values_of(column, gap, library) if fill is None else fill.values
    table[states.target.name] = values_of(states.target, chances.argmax(axis=1), library)
    return to_table(table, library)


def sample(record: ChainRecord, n: int, random_state: RandomState) -> Any:
    """One sequence of n rows, with its states."""
    rng = generator(n, random_state)
    return sample_of(record.states, drawn_states(record.shares, rng, n), rng)


def one_sequence(sequences: Sequences) -> None:
    """Refuse more than one."""
    if sequences.n > 1:
        raise LikelyError(
            f"the table has {sequences.n} sequences: what comes next is asked of one at a time."
        )


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
