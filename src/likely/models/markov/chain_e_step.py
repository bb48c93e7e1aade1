"""The E step of hidden Markov models: which rows form a sequence, and forward-backward over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.engine import Answers, Chunk, Engine, MapTask, Memory
from likely.errors import LikelyError
from likely.estimator.fitted import class_codes, split_target, target_column
from likely.infer import Chains, Smoothed, forward_backward
from likely.models.groups.independent import Independent, hold
from likely.models.groups.record import GroupRecord, refuse_extremes
from likely.models.markov.record import ChainRecord, ChainTally
from likely.models.mixture.e_step import count_as_known, count_rows, row_width
from likely.stats import Groups
from likely.table.accepted import TableLike, Target, Weights
from likely.table.column.block import Block
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Sequences:
    """The sequences of a table, each with its rows in the order of the table."""

    rows: Ints  # (n,): the rows of the first sequence, then those of the second, and so on
    lengths: Ints  # (sequences,)
    names: tuple[Any, ...] | None = None  # of each, if a column names them

    @classmethod
    def of(cls, X: TableLike, lengths: ArrayLike | None, groups: Target | None) -> tuple[Frame, Sequences]:
        """The table without the column that names its sequences, if it has one; and these."""
        frame = Frame.of(X)
        if groups is not None:
            if lengths is not None:
                raise LikelyError(
                    "both lengths and groups are given: each says what a sequence is, give one."
                )
            return cls._named(frame, groups)
        if lengths is None:
            return frame, cls(np.arange(frame.n), np.array([frame.n], np.intp))
        given = np.asarray(lengths)
        if given.ndim != 1 or given.dtype.kind not in "iu" or (given < 1).any() or given.sum() != frame.n:
            raise LikelyError(
                f"lengths={_short(lengths)}: give the number of rows of each sequence, from 1, adding up to "
                f"the {frame.n} rows of the table."
            )
        return frame, cls(np.arange(frame.n), given.astype(np.intp))

    @classmethod
    def _named(cls, frame: Frame, groups: Target) -> tuple[Frame, Sequences]:
        rest, raw = split_target(frame, groups, "groups")
        names = target_column(raw)
        codes = class_codes(names, raw)
        counts = np.bincount(codes, minlength=len(names.levels or ()))
        rows = np.argsort(codes, kind="stable")
        return rest, cls(rows, counts.astype(np.intp), names.levels)

    @property
    def n(self) -> int:
        """How many sequences there are."""
        return len(self.lengths)

    def weights(self, given: Weights) -> Floats | None:
        """The weight of each sequence, checked; None for none."""
        if given is None:
            return None
        weight = np.asarray(given, np.float64)
        if weight.shape != (self.n,) or not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
            raise LikelyError(
                f"sequence_weight={_short(given)}: give a weight of 0 or more for each of the {self.n} "
                "sequences, and not 0 for all."
            )
        return weight

    def of_rows(self, weight: Floats | None) -> Floats | None:
        """The weight of every row of the table, by its sequence's."""
        if weight is None:
            return None
        by_row = np.empty(len(self.rows))
        by_row[self.rows] = np.repeat(weight, self.lengths)
        return by_row


def _short(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 60 else f"{said[:57]}..."


@dataclass(frozen=True)
class HiddenChain:
    """Sequences laid side by side, whose states are hidden.

    `expect` is the E step of EM: forward-backward, where a mixture's takes every row by itself. The M step is
    the mixture's, and that of a column of levels for what follows what.
    """

    blocks: Sequence[Block]
    chains: Chains
    weight: Floats | None = None  # (sequences,)
    engine: Engine = field(default_factory=Memory)
    order: Ints | None = None  # which row of the blocks stands at each place; None if they stand there

    def expect(self, record: ChainRecord) -> tuple[ChainTally, float]:
        """Expected statistics under a model, and the objective: log-likelihood plus log prior."""
        seen, log_likelihood = self.counted(record)
        return seen, log_likelihood + record.log_priors

    def counted(self, record: ChainRecord) -> tuple[ChainTally, float]:
        """Expected statistics under a model, and the log-likelihood; both are sums over sequences."""
        smoothed, log_likelihood = self.smooth(record)
        groups = Groups.softly(smoothed.posterior.T).weighed(self.row_weight)
        tally = count_rows(record.states.parts, self.blocks, groups, self.engine)
        return ChainTally(tally, smoothed.first, smoothed.moves), weighed_sum(log_likelihood, self.weight)

    def smooth(self, record: ChainRecord) -> tuple[Smoothed, Floats]:
        """The posterior of the states, and log P(sequence), (sequences,)."""
        logs, shared = self.row_logs(record)
        smoothed = forward_backward(record.initial, record.transitions, logs, self.chains, self.weight)
        return smoothed, smoothed.log_likelihood + self.by_sequence(shared)

    def row_logs(self, record: ChainRecord) -> tuple[Floats, Floats]:
        """log P(row given state), (s, n), less a term that all states share, and that term, (n,)."""
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
        """The statistics if the rows are in these states; missing cells have the overall expectation."""
        weighed = groups.weighed(self.row_weight)
        tally = count_as_known(pooled, self.blocks, weighed, self.engine)
        shares, heavy = np.ascontiguousarray(groups.matrix.T), weighed.matrix.T
        moves = np.zeros((groups.n_groups, groups.n_groups))
        for at, before in self.chains.neighbours():
            moves += shares[:, before] @ heavy[:, at].T
        return ChainTally(tally, heavy[:, np.flatnonzero(self.chains.rank == 0)].sum(axis=1), moves)


@dataclass(frozen=True, slots=True)
class StateLogs(MapTask[tuple[Block, ...]]):
    """log P(row given state), less a term that all states share, and that term."""

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
    """The weighted sum; a row of weight 0 adds nothing, even if it is impossible."""
    if weight is None:
        return float(values.sum())
    return float(np.where(weight > 0, values * np.where(weight > 0, weight, 1.0), 0.0).sum())
