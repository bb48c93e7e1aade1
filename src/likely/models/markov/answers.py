"""What a fitted model says of sequences: their states, how probable they are, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Engine
from likely.errors import LikelyError
from likely.infer import Chains, forward_backward, viterbi
from likely.infer.semirings import LOG_BEST
from likely.models.groups.independent import Independent
from likely.models.groups.sampling import generator, sample_of
from likely.models.markov.chain_e_step import HiddenChain
from likely.models.markov.record import ChainRecord
from likely.models.markov.sequences import Sequences
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
    up_to = np.cumsum(record.shares, axis=1)
    up_to /= up_to[:, -1:]
    steps = up_to.tolist()
    states = np.empty(n, np.intp)
    row = 0  # the first of `shares` is how sequences begin
    for i, point in enumerate(rng.random(n).tolist()):
        state = next(k for k, edge in enumerate(steps[row]) if point < edge)
        states[i], row = state, state + 1
    return sample_of(record.states, states, rng)


def one_sequence(sequences: Sequences) -> None:
    """Refuse more than one."""
    if sequences.n > 1:
        raise LikelyError(
            f"the table has {sequences.n} sequences: what comes next is asked of one at a time."
        )
