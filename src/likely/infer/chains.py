"""Sequences laid side by side, so that a step in time is a step of all at once; and the sums along them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import LikelyError

Ints = NDArray[np.intp]

# What a cut costs and saves, in microseconds (measured on one thread; only their ratios matter).
STEP = 6.0  # a step of one pass, however few chunks there are
LINK = (35.0, 0.4)  # to chain one more chunk: and of every sequence
CELL = (0.002, 0.0002)  # of each row: times states squared, and times states cubed
LEAST = 16  # steps of a chunk
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Chains:
    """Sequences of given lengths, one after the other in a table, as chunks side by side.

    >>> chains = Chains.of([2, 3], cut=10)
    >>> chains.order, chains.widths  # the first rows of both, the second rows, then what is left
    (array([2, 0, 3, 1, 4]), array([2, 2, 1]))
    """

    lengths: Ints  # (sequences,)
    order: Ints  # (n,): which row of the table stands at each place
    widths: Ints  # (steps,): how many chunks go on at each step
    sequence: Ints  # (chunks,): to which sequence each belongs
    rank: Ints  # (chunks,): which chunk of its sequence each is
    steps: Ints  # (chunks,): how long each is

    @classmethod
    def of(cls, lengths: ArrayLike, states: int = 1, costs: float = 1.0, cut: int | None = None) -> Chains:
        """Cut where that saves time with so many states, or into chunks of `cut` steps.

        `costs` is the time that an addition takes beside one of numbers as they are.
        """
        given = np.asarray(lengths, np.intp)
        if given.ndim != 1 or not len(given) or (given < 1).any():
            raise LikelyError("lengths: give the number of rows of each sequence, from 1.")
        cut = _best_cut(given, states, costs) if cut is None else cut
        pieces = -(-given // cut)
        sequence = np.repeat(np.arange(len(given)), pieces)
        rank = np.arange(len(sequence)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        steps = np.minimum(cut, given[sequence] - rank * cut)
        first = (np.cumsum(given) - given)[sequence] + rank * cut
        by_length = np.argsort(-steps, kind="stable")
        sequence, rank, steps, first = (part[by_length] for part in (sequence, rank, steps, first))
        widths = np.searchsorted(-steps, -np.arange(steps[0]), side="left")
        widths = widths.astype(np.intp)
        order = np.concatenate([first[:width] + t for t, width in enumerate(widths)])
        return cls(given, order, widths, sequence, rank, steps)

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.order)

    @cached_property
    def starts(self) -> Ints:
        """The place at which each step begins, and where the last ends, (steps + 1,)."""
        return np.concatenate([[0], np.cumsum(self.widths)])

    @cached_property
    def slices(self) -> list[slice]:
        """The places of each step."""
        starts = self.starts.tolist()
        return [slice(a, b) for a, b in pairwise(starts)]

    @cached_property
    def ends(self) -> Ints:
        """The place of the last row of each chunk, (chunks,); that of the first is the chunk's number."""
        return np.asarray(self.starts[self.steps - 1] + np.arange(len(self.steps)), np.intp)

    @cached_property
    def links(self) -> list[tuple[Ints, Ints]]:
        """Chunks and those that go on from them, the second of all sequences first, then the third."""
        last = int(self.rank.max())
        if last == 0:
            return []
        by_rank = np.lexsort((self.sequence, self.rank))
        where = np.full((len(self.lengths), last + 1), -1, np.intp)
        where[self.sequence[by_rank], self.rank[by_rank]] = by_rank
        links = []
        for rank in range(1, last + 1):
            into = where[where[:, rank] >= 0, rank]
            links.append((where[self.sequence[into], rank - 1], into))
        return links

    @cached_property
    def sequence_of(self) -> Ints:
        """The sequence of the row at each place, (n,)."""
        return np.concatenate([self.sequence[:width] for width in self.widths])

    def runs(self) -> Iterator[tuple[slice, slice]]:
        """Places of steps, and those of the steps before them within the chunks, in few slices."""
        starts, widths = self.starts.tolist(), self.widths.tolist()
        step, last = 1, len(widths)
        while step < last:
            width = widths[step]
            stop = step + 1
            # From the second on, the step before is as wide: one slice for all of them.
            while stop < last and widths[stop] == width and widths[step - 1] == width:
                stop += 1
            first = starts[step - 1]
            yield slice(starts[step], starts[stop]), slice(first, first + width * (stop - step))
            step = stop

    def neighbours(self) -> Iterator[tuple[Any, Any]]:
        """Places, and the places before them in their sequences, across chunks too: all pairs there are."""
        yield from self.runs()
        for before, into in self.links:
            yield into, self.ends[before]

    def backwards(self) -> Ints:
        """At which place each row of the table stands, (n,)."""
        places = np.empty(self.n, np.intp)
        places[self.order] = np.arange(self.n)
        return places

    def only(self, sequences: NDArray[np.bool_], states: int, costs: float = 1.0) -> tuple[Chains, Ints]:
        """Some of the sequences, and the place here of the row at each place there."""
        own = Chains.of(self.lengths[sequences], states, costs)
        rows = np.flatnonzero(np.repeat(sequences, self.lengths))
        return own, self.backwards()[rows[own.order]]


def _best_cut(lengths: Ints, states: int, costs: float) -> int:
    """The length of chunks that takes the least time, by what steps, links and cells cost."""
    longest, n = int(lengths.max()), int(lengths.sum())
    best, least = longest, 2 * STEP * longest
    cells = costs * n * (CELL[0] * states**2 + CELL[1] * states**3)
    cut, link = LEAST, LINK[0] + LINK[1] * len(lengths)
    while cut < longest:
        took = 3 * STEP * cut + link * -(-longest // cut) + cells
        if took < least:
            best, least = cut, took
        cut *= 2
    return best


class Semiring(Protocol):
    """An addition and a multiplication."""

    zero: float
    one: float
    costs: float  # an addition, beside one of numbers as they are

    def of(self, logs: Floats) -> Floats:
        """From logs."""

    def log(self, values: Floats) -> Floats:
        """To logs."""

    def times(self, a: Floats, b: Floats, out: Floats | None = None) -> Floats:
        """The product, cell by cell."""

    def inverse(self, values: Floats) -> Floats:
        """One over each."""

    def total(self, values: Floats, axis: int) -> Floats:
        """The sum along an axis."""

    def move(self, matrix: Floats, values: Floats, out: Floats) -> Floats:
        """The product of a matrix (s, s) with vectors (..., s, w)."""

    def level(self, values: Floats) -> Floats:
        """Divide vectors (..., s, w) by their sums, in place; the sums, or one where they are zero."""

    def pairs(self, matrix: Floats, before: Floats, after: Floats, weight: Floats | None) -> Floats:
        """The sum over w, as a number, of before (s, w) times matrix (s, s) times after (s, w), (s, s)."""


class ScaledSums:
    """Probabilities as they are, brought to scale now and then."""

    zero, one, costs = 0.0, 1.0, 1.0

    def of(self, logs: Floats) -> Floats:
        """From logs."""
        return np.exp(logs)

    def log(self, values: Floats) -> Floats:
        """To logs."""
        with np.errstate(divide="ignore"):
            return np.log(values)

    def times(self, a: Floats, b: Floats, out: Floats | None = None) -> Floats:
        """The product, cell by cell."""
        return np.multiply(a, b, out)

    def inverse(self, values: Floats) -> Floats:
        """One over each: a division takes four times as long as a product, so one for all states."""
        return np.reciprocal(values)

    def total(self, values: Floats, axis: int) -> Floats:
        """The sum along an axis."""
        return np.asarray(np.add.reduce(values, axis))

    def move(self, matrix: Floats, values: Floats, out: Floats) -> Floats:
        """The product of a matrix (s, s) with vectors (..., s, w)."""
        return np.matmul(matrix, values, out=out)

    def level(self, values: Floats) -> Floats:
        """Divide vectors (..., s, w) by their sums, in place; the sums, or one where they are zero."""
        size: Floats = np.add.reduce(values, -2)
        size[size == 0.0] = 1.0
        np.divide(values, size[..., None, :], out=values)
        return size

    def pairs(self, matrix: Floats, before: Floats, after: Floats, weight: Floats | None) -> Floats:
        """The sum over w of before (s, w) times matrix (s, s) times after (s, w), (s, s)."""
        return matrix * ((before if weight is None else before * weight) @ after.T)


class LogSums:
    """Logs of probabilities: as far apart as they may be, at ten times the time."""

    zero, one, costs = -np.inf, 0.0, 40.0

    def of(self, logs: Floats) -> Floats:
        """From logs."""
        return logs

    def log(self, values: Floats) -> Floats:
        """To logs."""
        return values

    def times(self, a: Floats, b: Floats, out: Floats | None = None) -> Floats:
        """The product, cell by cell."""
        return np.add(a, b, out)

    def inverse(self, values: Floats) -> Floats:
        """One over each."""
        return np.negative(values)

    def total(self, values: Floats, axis: int) -> Floats:
        """The sum along an axis."""
        highest = values.max(axis=axis, keepdims=True)
        anchor = np.where(np.isneginf(highest), 0.0, highest)
        with np.errstate(divide="ignore"):
            logs = np.log(np.exp(values - anchor).sum(axis=axis, keepdims=True))
        return np.asarray(np.squeeze(logs + anchor, axis=axis))

    def move(self, matrix: Floats, values: Floats, out: Floats) -> Floats:
        """The product of a matrix (s, s) with vectors (..., s, w)."""
        out[...] = self.total(matrix[:, :, None] + values[..., None, :, :], -2)
        return out

    def level(self, values: Floats) -> Floats:
        """Divide vectors (..., s, w) by their sums, in place; the sums, or one where they are zero."""
        size = self.total(values, -2)
        size[np.isneginf(size)] = 0.0
        np.subtract(values, size[..., None, :], out=values)
        return size

    def pairs(self, matrix: Floats, before: Floats, after: Floats, weight: Floats | None) -> Floats:
        """The sum over w, as a number, of before (s, w) times matrix (s, s) times after (s, w), (s, s)."""
        sums = np.empty_like(matrix)
        for state, row in enumerate(matrix):
            terms = np.exp(before[state] + row[:, None] + after)
            sums[state] = terms.sum(axis=1) if weight is None else terms @ weight
        return sums


class LogBest(LogSums):
    """Logs of which the sum is the greatest: how probable the best way is."""

    costs = 10.0

    def total(self, values: Floats, axis: int) -> Floats:
        """The greatest along an axis."""
        return np.asarray(values.max(axis=axis))


SUMS, LOG_SUMS, LOG_BEST = ScaledSums(), LogSums(), LogBest()


def drawn_states(shares: Floats, rng: np.random.Generator, n: int) -> Ints:
    """A sequence of n states.

    The first line of `shares` is how sequences begin, the others say where each state leads.

    >>> drawn_states(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), np.random.default_rng(0), 4).tolist()
    [0, 1, 0, 1]
    """
    up_to = np.cumsum(shares, axis=1)
    steps = (up_to / up_to[:, -1:]).tolist()
    states, line = np.empty(n, np.intp), 0
    for i, point in enumerate(rng.random(n).tolist()):
        states[i] = next(k for k, edge in enumerate(steps[line]) if point < edge)
        line = states[i] + 1
    return states
