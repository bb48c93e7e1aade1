"""What a fitted hidden Markov model knows: what its states look like and how they follow each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical
from likely.dist.distribution import short
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.estimator.check_column import demand
from likely.estimator.record import OPTIMAL, Described, Quantities, Story
from likely.format import words
from likely.models.groups.check import HEAVIEST
from likely.models.groups.describe import drawn_columns
from likely.models.groups.group_world import GroupWorld
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally, levels_counted, log_levels_prior
from likely.models.mixture.describe import Portraits
from likely.models.mixture.e_step import log_parts_prior
from likely.stats import Counts
from likely.table.column.column import Column
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
LEAST = 0.01  # of the chances of what follows: less is not named
MOST = 3  # that are named


@dataclass(frozen=True, slots=True)
class ChainTally:
    """What was seen, or is expected, of sequences: their rows by state, their beginnings and their moves."""

    tally: GroupTally
    first: Floats  # (s,): the weight of the sequences that begin in each state
    moves: Floats  # (s, s): how many times each state follows each

    def __add__(self, other: ChainTally) -> ChainTally:
        return ChainTally(self.tally + other.tally, self.first + other.first, self.moves + other.moves)


@dataclass(frozen=True, eq=False)
class ChainRecord:
    """One fitted model. The groups of `states` are the states, which rows go through one by one."""

    states: GroupRecord
    first: Floats  # (s,)
    moves: Floats  # (s, s)
    allowed: Bools  # (1 + s, s): which states may begin, and which may follow each

    @property
    def groups(self) -> GroupRecord:
        """What the states look like."""
        return self.states

    def with_groups(self, record: GroupRecord) -> ChainRecord:
        """The same, with states that look so."""
        return replace(self, states=record)

    @property
    def schema(self) -> Schema:
        """The columns."""
        return self.states.schema

    @property
    def target(self) -> Column:
        """The states, as a column that nobody sees."""
        return self.states.target

    @property
    def target_name(self) -> str:
        """The name of the states."""
        return self.target.name

    @property
    def of_rows(self) -> bool:
        """Whole rows are modelled."""
        return True

    @property
    def classes(self) -> tuple[Any, ...]:
        """The states."""
        return self.states.classes

    @property
    def group_names(self) -> list[Any]:
        """The states."""
        return self.states.group_names

    @property
    def n(self) -> float:
        """The weight of the rows."""
        return self.states.n

    @cached_property
    def core(self) -> Independent:
        """What each state looks like; the states all weigh the same."""
        self.states.core  # noqa: B018  # what cannot be estimated is refused here
        return Independent(np.zeros(len(self.first)), self.states.parts)

    @cached_property
    def shares(self) -> Floats:
        """How the first rows are spread over the states, and then how the rows that follow each are."""
        categorical: Any = Categorical.estimate(*self.counted, self.states.settings.estimate)
        shares = np.zeros(self.allowed.shape)
        shares[self.allowed] = np.reshape(categorical.probs, -1)
        return shares

    @property
    def initial(self) -> Floats:
        """P(state) of a first row, (s,)."""
        return np.asarray(self.shares[0])

    @property
    def transitions(self) -> Floats:
        """P(next state given state), (s, s)."""
        return np.ascontiguousarray(self.shares[1:])

    @property
    def counted(self) -> tuple[Counts, Any]:
        """What begins and what follows each state as columns of levels, those that are allowed; the prior."""
        counts = np.concatenate([self.first[None], self.moves])[self.allowed]
        return levels_counted(counts, self.states.settings, tuple(self.allowed.sum(axis=1).tolist()))

    @property
    def log_prior(self) -> float:
        """The log density of the chances of states, on their natural scale."""
        if self.states.settings.estimate == "ml":
            return 0.0
        return log_levels_prior(*self.counted, self.shares[self.allowed])

    @property
    def log_priors(self) -> float:
        """The log density of all parameters: what EM climbs besides the log-likelihood."""
        return log_parts_prior(self.states) + self.log_prior

    @property
    def n_parameters(self) -> int:
        """How many free numbers describe the rows of the states, and how states follow each other."""
        own, shared = self.states.free_parameters()
        return own * len(self.first) + shared + int(self.allowed.sum() - len(self.allowed))

    @property
    def log_evidence(self) -> float:
        """Sums over all ways through the states."""
        raise LikelyError(
            "the evidence of a hidden Markov model has no closed form: compare models by their score()."
        )

    def counts(self) -> dict[Described, Quantities]:
        """How much was seen of each column in every state, and which state follows which."""
        own = Quantities([("count of next", name) for name in self.classes], self.moves)
        return self.states.counts() | {("", "moves"): own}

    def parameters(self) -> dict[Described, Quantities]:
        """What is known of each column in every state, and of what follows each."""
        own = Quantities([("P of next", name) for name in self.classes], self.transitions)
        return self.states.parameters() | {("", "moves"): own}

    def check(self) -> None:
        """Refuse a record of which no model could have been fitted."""
        self.states.check()
        s = len(self.states.classes)
        demand(self.states.components is None, "its states are groups of several classes")
        demand(self.first.shape == (s,) and self.moves.shape == (s, s), "it does not count every move")
        for counts in (self.first, self.moves):
            demand(bool(((counts >= 0) & (counts < HEAVIEST)).all()), "the count of a move is no count")
        masked = self.allowed.dtype == bool and self.allowed.shape == (1 + s, s)
        demand(masked, "it does not say which moves")
        demand(bool(self.allowed.any(axis=1).all()), "a state has nothing that may follow it")
        impossible = (self.first[~self.allowed[0]], self.moves[~self.allowed[1:]])
        demand(not any(counts.any() for counts in impossible), "it counts moves that cannot be")

    def world(self) -> GroupWorld:
        """Any row of those that were learnt from, as a world that can be asked."""
        return self.row_world(self.states.rates)

    def row_world(self, chances: Floats) -> GroupWorld:
        """The world of a row of which nothing is known, where states have these chances, (s,)."""
        states = self.states
        return GroupWorld(states.schema, Independent(log(chances), states.parts), states.target)

    def story(self, model: str, hidden: bool = True) -> Story:
        """How the model takes a sequence to come about."""
        return chain_story(self, model)

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, for people who look into its file."""
        return self.states.trained_on()


@dataclass(frozen=True, repr=False)
class ChainPortraits(Portraits):
    """A fitted hidden Markov model in words: each state by what sets it apart, then every column."""

    chain: ChainRecord

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        return {
            **super().to_dict(),
            "initial": self.chain.initial.tolist(),
            "transitions": self.chain.transitions.tolist(),
        }

    @property
    def n_parameters(self) -> int:
        """How many free numbers the model has."""
        return self.chain.n_parameters

    def _title(self) -> str:
        sequences = short(self.chain.first.sum())
        many = "1 sequence" if sequences == "1" else f"{sequences} sequences"
        return f"{super()._title()} in {many}"

    def _groups(self) -> str:
        said = []
        for line, state in zip(super()._groups().splitlines(), range(len(self.chain.first)), strict=True):
            said += [line, f"  {self._course(state)}"]
        return "\n".join(said)

    def _course(self, state: int) -> str:
        """How a state begins, lasts and ends."""
        moves, names = self.chain.transitions[state], self.record.group_names
        stay = moves[state]
        rest = np.delete(np.arange(len(moves)), state)
        after = sorted(rest[moves[rest] > 0], key=lambda other: -moves[other])
        lasts = f"lasts {short(1 / (1 - stay))} rows on average" if after else "lasts to the end"
        chances = [(names[other], moves[other] / moves[rest].sum()) for other in after[:MOST]]
        told = ", ".join(f"{words.shown(name)} ({_percent(p)})" for name, p in chances if p >= LEAST)
        then = f", then comes {told}" if told else ""
        return f"{lasts}{then}; {_percent(self.chain.initial[state])} of sequences begin in it"


def _percent(p: float) -> str:
    return f"{100 * p:.0f} %"


def chain_story(record: ChainRecord, model: str) -> Story:
    """A first state, moves from state to state, and in each state a row."""
    states = record.states
    names = [words.shown(name) for name in states.classes]
    begins = ", ".join(f"{name} {short(p)}" for name, p in zip(names, record.initial, strict=True))
    steps = (
        f"Draw the hidden state of the first row from {begins}.",
        "Draw each next state given the one before, and nothing else: each stays with probability "
        + ", ".join(
            f"{name} {short(p)}" for name, p in zip(names, record.transitions.diagonal(), strict=True)
        )
        + ".",
        drawn_columns(states, "state"),
    )
    formula = (
        "P(rows) = sum over all ways through the states of P(first) x product of P(next | state) x "
        "product of P(column | state)."
    )
    optimal = f"{OPTIMAL}: the next state depends on the last alone, and a row on its state alone."
    return Story(model, steps, formula, optimal, "a sequence")
