"""Looking for hidden states: from sequences and a plan of their columns to the model that EM comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.errors import LikelyError
from likely.infer import EM, Chains
from likely.models.groups.record import GroupRecord
from likely.models.markov.chain_e_step import HiddenChain, Sequences, weighed_sum
from likely.models.markov.record import ChainRecord
from likely.models.mixture.em_estimator import Curve, Tried, choose_components, tried_with
from likely.models.mixture.em_search import OPEN, EMSearch, PlannedTable, climb
from likely.models.mixture.init import PointRows, Points, RowPoints, Start
from likely.stats import Groups
from likely.table.column.column import Column
from likely.table.frame import free_name

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# A word, or a matrix (states, states) whose zeros are the moves that cannot be; None: every state may follow.
Transitions = str | Sequence[Any] | NDArray[Any] | None

LEFT_TO_RIGHT = "left-to-right"
Ints = NDArray[np.intp]
STRETCHES = (10, 100)  # rows: how long states may last that rows alone do not tell apart
ENOUGH = 5  # stretches for each state, for clusters to be looked for in them


def allowed(transitions: Transitions, states: int) -> Bools:
    """Which states may begin (first), and which may follow each, (1 + s, s).

    >>> allowed("left-to-right", 3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [0, 1, 1],
           [0, 0, 1]])
    """
    mask = np.ones((1 + states, states), bool)
    if transitions is None:
        return mask
    if is_left_to_right(transitions):
        mask[0] = np.arange(states) == 0
        ahead = np.arange(states) - np.arange(states)[:, None]
        mask[1:] = (ahead == 0) | (ahead == 1)
        return mask
    mask[1:] = given_moves(transitions, states) > 0
    return mask


def is_left_to_right(transitions: Transitions) -> bool:
    """Whether states come one after the other."""
    return isinstance(transitions, str) and transitions == LEFT_TO_RIGHT


def given_moves(transitions: Transitions, states: int) -> Floats:
    """The matrix that a user gave, or an error that says what is wrong with it."""
    try:
        given = np.asarray(transitions, np.float64)
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.shape != (states, states):
        raise LikelyError(
            f"transitions={transitions!r}: give 'left-to-right', or a matrix of {states} by {states} whose "
            "zeros are the moves that cannot be."
        )
    if not (np.isfinite(given) & (given >= 0)).all():
        raise LikelyError("transitions: every entry must be 0 or more.")
    if not given.any(axis=1).all():
        stuck = int(np.argmin(given.any(axis=1)))
        raise LikelyError(
            f"transitions: nothing may follow state {stuck}: let it follow itself, if it is the last."
        )
    return given


@dataclass(frozen=True)
class Stretches:
    """The means of so many rows at a time, NaN where all are missing: points of their own."""

    means: Floats  # (m, p)
    scale: Floats  # (p,): the worth of each axis
    weight: Floats  # (m,)
    which: Ints  # (n,): the stretch of each row of the table
    engine: Engine

    @classmethod
    def of(cls, points: Points, sequences: Sequences, weight: Floats, length: int) -> Stretches:
        """Stretches of a length, and what is left of each sequence."""
        lengths = sequences.lengths
        many = -(-lengths // length)
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        which = np.empty(lengths.sum(), np.intp)
        which[sequences.rows] = np.repeat(np.cumsum(many) - many, lengths) + within // length
        m = int(many.sum())
        rows = Chunk(RowsOfStretches(points.rows.data, which), points.n, len(points.scale))
        total, known = points.engine.reduce(rows, SumsOfStretches(m))
        with np.errstate(invalid="ignore"):
            means = total / np.where(known > 0, known, np.nan)
        heavy = np.bincount(which, weight, m).astype(np.float64)
        return cls(means, points.scale, heavy, which, points.engine)

    @property
    def n(self) -> int:
        """How many stretches there are."""
        return len(self.means)

    @property
    def most(self) -> int:
        """All are at hand at once."""
        return max(self.n, 1)

    @property
    def rows(self) -> Chunk[PointRows]:
        """All points, for an engine."""
        return Chunk(MeanPoints(self.means), *self.means.shape)

    def at(self, places: Ints) -> Floats:
        """The points of some stretches, (k, p)."""
        return self.means[places]


@dataclass(frozen=True, slots=True)
class MeanPoints:
    """Points that are written out already."""

    means: Floats  # (m, p)

    def points(self, start: int, stop: int) -> Floats:
        """Some of them, (b, p)."""
        return self.means[start:stop].copy()


@dataclass(frozen=True, slots=True)
class RowsOfStretches:
    """The rows of a table as points, and the stretch of each."""

    rows: PointRows
    which: Ints  # (n,)


@dataclass(frozen=True, slots=True)
class SumsOfStretches(ReduceTask[RowsOfStretches, Floats]):
    """For each stretch and axis the sum of what is known, and how much that is, (2, m, p)."""

    m: int

    def step(self, data: RowsOfStretches, start: int, stop: int) -> Floats:
        """Of some rows."""
        cells, own = data.rows.points(start, stop), data.which[start:stop]
        there = ~np.isnan(cells)
        sums = np.empty((2, self.m, cells.shape[1]))
        for axis in range(cells.shape[1]):
            some = there[:, axis]
            sums[0, :, axis] = np.bincount(own[some], cells[some, axis], self.m)
            sums[1, :, axis] = np.bincount(own[some], minlength=self.m)
        return sums


@dataclass(frozen=True)
class Finding:
    """Sequences in which states are to be found."""

    rows: PlannedTable  # in the order of the table
    sequences: Sequences
    weight: Floats | None  # (sequences,)
    transitions: Any  # which moves there may be, as the user said it
    how: EMSearch

    def find(self, states: int) -> EM[ChainRecord]:
        """The model of so many states."""
        open_to = allowed(self.transitions, states)
        record = self.of_states(states)
        hidden = self._hidden(record, states)

        def e_step(model: ChainRecord) -> tuple[ChainRecord, float]:
            seen, objective = hidden.expect(model)
            return ChainRecord(
                replace(model.states, tally=seen.tally), seen.first, seen.moves, open_to
            ), objective

        starts = self._starts(record, hidden, open_to)
        return climb(e_step, starts, self.how, self.rows.n, f"{states} states")

    def of_states(self, states: int) -> GroupRecord:
        """What all rows together say, and the names of so many states."""
        target = Column.of_groups(free_name("state", self.rows.frame.position), range(states))
        return replace(self.rows.record, target=target)

    def given_model(self, record: GroupRecord, open_to: Bools) -> ChainRecord | None:
        """The fitted model that `init` is, to go on from; None if it is none."""
        given = self.how.init
        if not isinstance(given, ChainRecord):
            return None
        if not np.array_equal(given.allowed, open_to):
            raise LikelyError("init is a model with other moves than `transitions` allows: give the same.")
        return replace(given, states=self.rows.gone_on(given.states, record))

    def choose(self) -> tuple[EM[ChainRecord], Curve]:
        """The model whose number of states takes the fewest bits by BIC."""
        if self.transitions is not None and not is_left_to_right(self.transitions):
            raise LikelyError(
                "states='auto' and a matrix of transitions: the matrix has a number of states; give that."
            )
        return choose_components(self.find, self._tried, len(self.sequences.rows), "bic")

    def _tried(self, record: ChainRecord) -> Tried:
        states = len(record.first)
        log_likelihood = weighed_sum(self._hidden(record.states, states).smooth(record)[1], self.weight)
        parameters = record.n_parameters
        nats = -log_likelihood + 0.5 * parameters * np.log(self.rows.n)
        return tried_with(states, log_likelihood, parameters, float(nats), record.states, self.rows.frame)

    def _hidden(self, record: GroupRecord, states: int) -> HiddenChain:
        """The rows at their places: they are put there once, rather than in every iteration."""
        chains = Chains.of(self.sequences.lengths, states)
        frame = self.rows.frame.at(self.sequences.rows[chains.order])
        return HiddenChain(record.blocks(frame), chains, self.weight, self.how.engine)

    def _starts(
        self, record: GroupRecord, hidden: HiddenChain, open_to: NDArray[np.bool_]
    ) -> Iterator[ChainRecord]:
        """The models that the runs begin with, their priors decided by their states."""
        given = self.given_model(record, open_to)
        if given is not None:
            yield given
            return
        places = self.sequences.rows[hidden.chains.order]
        for groups in self._begin(record):
            seen = hidden.count(self.rows.record, groups.where(places))
            first, moves = seen.first, seen.moves
            if record.settings.prior is None and not self.how.given:  # EM cannot leave a zero
                first = (1 - OPEN) * first + OPEN * first.mean()
                moves = (1 - OPEN) * moves + OPEN * moves.mean(axis=1, keepdims=True)
            if self.transitions is not None and not is_left_to_right(self.transitions):
                moves = given_moves(self.transitions, len(moves))
                moves = moves / moves.sum(axis=1, keepdims=True) * self.rows.n
            states = self.rows.begun(record, seen.tally, self.how)
            yield ChainRecord(states, first * open_to[0], moves * open_to[1:], open_to)

    def _begin(self, record: GroupRecord) -> Iterator[Groups]:
        states, how = len(record.classes), self.how
        if how.init is not None:
            return self.rows.begin(record, how)
        if is_left_to_right(self.transitions):
            return iter([Groups.hard(self._parts(states), states)])
        return self._clusters(record, states)

    def _clusters(self, record: GroupRecord, states: int) -> Iterator[Groups]:
        """K-means of rows, for states that change quickly; and of stretches, for states that last."""
        how, rows = self.how, self.rows
        yield from rows.begin(record, replace(how, init="kmeans"))
        weight = np.ones(rows.frame.n) if rows.weight is None else rows.weight
        points = RowPoints(record.parts, rows.frame, how.engine)
        for length in STRETCHES if states > 1 and len(points.scale) else ():
            if (
                self.sequences.lengths.sum() < ENOUGH * states * length
                or self.sequences.lengths.max() < 2 * length
            ):
                return
            stretches = Stretches.of(points, self.sequences, weight, length)
            start = Start("kmeans", how.restarts, how.random_state, stretches, stretches.weight)
            for groups in start.each(states):
                assert groups.codes is not None
                yield Groups.hard(groups.codes[stretches.which], states)

    def _parts(self, states: int) -> NDArray[np.intp]:
        """Every sequence in as many parts of the same length, one for each state, (n,)."""
        lengths = np.repeat(self.sequences.lengths, self.sequences.lengths)
        starts = np.repeat(np.cumsum(self.sequences.lengths) - self.sequences.lengths, self.sequences.lengths)
        part_of_row = np.empty(len(lengths), np.intp)
        part_of_row[self.sequences.rows] = (np.arange(len(lengths)) - starts) * states // lengths
        return part_of_row
