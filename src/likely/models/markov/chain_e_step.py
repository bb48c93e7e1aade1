"""Sequences whose states are hidden: what EM expects of them, and what it climbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask, Memory
from likely.infer import Chains, Smoothed, forward_backward
from likely.models.groups.independent import Independent, hold
from likely.models.groups.record import GroupRecord, refuse_extremes
from likely.models.markov.record import ChainRecord, ChainTally
from likely.models.mixture.e_step import count_as_known, count_rows, log_parts_prior, row_width
from likely.stats import Groups
from likely.table.block import Block

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class HiddenChain:
    """Rows at their places in the chains, of which nobody sees the states.

    `expect` is the E step of EM: forward-backward, where a mixture's takes every row by itself. The M step is
    the mixture's, and that of a column of levels for what follows what.
    """

    blocks: Sequence[Block]
    chains: Chains
    weight: Floats | None = None  # (sequences,)
    engine: Engine = field(default_factory=Memory)
    order: Ints | None = None  # which row of the blocks stands at each place; None if they stand there

    def expect(self, record: ChainRecord) -> tuple[ChainTally, float]:
        """What is to be expected under a model, and its objective: log-likelihood and log prior."""
        smoothed, log_likelihood = self.smooth(record)
        groups = Groups.softly(smoothed.posterior.T).weighed(self.row_weight)
        tally = count_rows(record.states.parts, self.blocks, groups, self.engine)
        objective = (
            weighed_sum(log_likelihood, self.weight) + log_parts_prior(record.states) + record.log_prior
        )
        return ChainTally(tally, smoothed.first, smoothed.moves), objective

    def smooth(self, record: ChainRecord) -> tuple[Smoothed, Floats]:
        """What is known of the states; and log P(sequence), (sequences,)."""
        logs, shared = self.row_logs(record)
        smoothed = forward_backward(record.initial, record.transitions, logs, self.chains, self.weight)
        return smoothed, smoothed.log_likelihood + self.by_sequence(shared)

    def row_logs(self, record: ChainRecord) -> tuple[Floats, Floats]:
        """log P(row given state), (s, n), up to what all states share, and that, (n,)."""
        rows = Chunk(tuple(self.blocks), self.chains.n, 0)
        by_row, shared = self.engine.map(rows, StateLogs(record.core))
        logs = by_row.T
        return (logs, shared) if self.order is None else (logs[:, self.order], shared[self.order])

    def by_sequence(self, values: Floats) -> Floats:
        """What stands at the places added up for each sequence, (sequences,)."""
        return np.bincount(self.chains.sequence_of, values, len(self.chains.lengths)).astype(np.float64)

    @property
    def row_weight(self) -> Floats | None:
        """The weight of the row at each place, (n,)."""
        return None if self.weight is None else self.weight[self.chains.sequence_of]

    def count(self, pooled: GroupRecord, groups: Groups) -> ChainTally:
        """What is seen if the rows belong to these groups; missing cells as they are in all rows."""
        weighed = groups.weighed(self.row_weight)
        tally = count_as_known(pooled, self.blocks, weighed, self.engine)
        shares, heavy = np.ascontiguousarray(groups.matrix.T), weighed.matrix.T
        moves = np.zeros((groups.n_groups, groups.n_groups))
        for at, before in self.chains.neighbours():
            moves += shares[:, before] @ heavy[:, at].T
        return ChainTally(tally, heavy[:, np.flatnonzero(self.chains.rank == 0)].sum(axis=1), moves)


@dataclass(frozen=True, slots=True)
class StateLogs(MapTask[tuple[Block, ...]]):
    """log P(row given state), up to what all states share, and that."""

    core: Independent

    def width(self, stored: int) -> int:
        """As `row_width` reckons."""
        return row_width(self.core.parts)

    def answers(self, n: int) -> Answers:
        """(n, s), each state in one piece as forward-backward reads them; and (n,)."""
        return np.empty((len(self.core.log_weights), n)).T, np.empty(n)

    def step(self, data: tuple[Block, ...], start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        logs, shared = out
        logs[:], shared[:] = self.core.log_joint(hold(data, start, stop), 0, stop - start)
        refuse_extremes(data, start, stop, logs.max(axis=1) + shared)


def weighed_sum(values: Floats, weight: Floats | None) -> float:
    """The sum; of what has no weight, nothing, even if it is impossible."""
    if weight is None:
        return float(values.sum())
    return float(np.where(weight > 0, values * np.where(weight > 0, weight, 1.0), 0.0).sum())
