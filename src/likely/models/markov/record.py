"""What a fitted hidden Markov model knows: what its states look like, and how they follow each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical
from likely.models.groups.independent import Independent, Tally
from likely.models.groups.n_parameters import free_parameters
from likely.models.groups.record import Record, levels_counted, log_levels_prior
from likely.stats import Counts
from likely.table.column.column import Column
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen, or is expected, of sequences: their rows by state, their beginnings and their moves."""

    tally: Tally
    first: Floats  # (s,): the weight of the sequences that begin in each state
    moves: Floats  # (s, s): how many times each state follows each


@dataclass(frozen=True)
class ChainRecord:
    """One fitted model. The groups of `states` are the states, which rows go through one by one."""

    states: Record
    first: Floats  # (s,)
    moves: Floats  # (s, s)
    allowed: Bools  # (1 + s, s): which states may begin, and which may follow each

    @property
    def groups(self) -> Record:
        """What the states look like."""
        return self.states

    def with_groups(self, record: Record) -> ChainRecord:
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

    @cached_property
    def core(self) -> Independent:
        """What each state looks like; the states all weigh the same."""
        return Independent(np.zeros(len(self.first)), self.states.parts)

    @cached_property
    def shares(self) -> Floats:
        """How the first rows are spread over the states, and then how the rows that follow each are."""
        found: Any = Categorical.estimate(*self.counted, self.states.settings.estimate)
        shares = np.zeros(self.allowed.shape)
        shares[self.allowed] = np.reshape(found.probs, -1)
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
    def n_parameters(self) -> int:
        """How many free numbers describe the rows of the states, and how states follow each other."""
        own, shared = free_parameters(self.states)
        return own * len(self.first) + shared + int(self.allowed.sum() - len(self.allowed))
