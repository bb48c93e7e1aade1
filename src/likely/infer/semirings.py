"""Along all chains at once, forwards and backwards: by probabilities, by logs, or by the best of logs.

`seen` is how probable each row is in each state, (s, n) with rows at their places in the chains; `moves` is
P(next state given state), (s, s). Chunks of one sequence are chained by what each makes of every state that
it may be entered in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likely.infer.chains import Chains

Floats = NDArray[np.float64]


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


Bools = NDArray[np.bool_]

FAINT = 1e-100  # of numbers as they are: smaller ones may soon be too small to be told from zero


@dataclass(frozen=True, slots=True)
class Transfer:
    """What a chunk makes of each state that it is entered in."""

    ways: Floats  # (chunks, s entered, s left), each chunk to a scale of its own
    faint: Bools  # (chunks,): whether something grew too small to be told from zero


def transfer(
    ring: Semiring, moves: Floats, seen: Floats, chains: Chains, every: int, watch: bool
) -> Transfer:
    """All ways through every chunk, at once; `watch` for what grows too small."""
    s, w = len(moves), int(chains.widths[0])
    there = np.ascontiguousarray(moves.T)
    now, new = np.full((2, s, s, w), ring.zero)
    done = np.empty((s, s, w))
    for state in range(s):
        now[state, state] = seen[state, chains.slices[0]]
    log_size = ring.log(ring.level(now))
    faint = np.zeros(w, bool)
    for step in range(1, len(chains.widths)):
        width = int(chains.widths[step])
        if width < w:  # what has come to its end
            done[:, :, width:w] = now[:, :, width:w]
            w = width
        into = new[:, :, :w]
        ring.move(there, now[:, :, :w], into)
        ring.times(into, seen[:, chains.slices[step]], into)
        if step % every == 0:
            log_size[:, :w] += ring.log(ring.level(into))
            if watch:
                faint[:w] |= ((into > 0) & (into < FAINT)).any(axis=(0, 1))
        now, new = new, now
    done[:, :, :w] = now[:, :, :w]
    log_size += ring.log(ring.total(done, 1))  # -inf where there is no way
    ring.level(done)
    highest = log_size.max(axis=0)
    log_size -= np.where(np.isneginf(highest), 0.0, highest)
    if watch:
        faint |= ((log_size > -np.inf) & (log_size < np.log(FAINT))).any(axis=0)
    ring.times(done, ring.of(log_size)[:, None, :], done)
    return Transfer(np.ascontiguousarray(done.transpose(2, 0, 1)), faint)


def entered(ring: Semiring, initial: Floats, moves: Floats, by: Transfer | None, chains: Chains) -> Floats:
    """How probable each state is when a chunk begins, by what came before it in its sequence, (s, chunks)."""
    entering = np.repeat(initial[None], len(chains.steps), axis=0)
    there = np.ascontiguousarray(moves.T)
    for before, into in chains.links:
        assert by is not None
        states = ring.total(ring.times(entering[before][:, :, None], by.ways[before]), 1).T
        ring.level(states)
        entering[into] = ring.move(there, states, np.empty_like(states)).T
    return np.ascontiguousarray(entering.T)


def left(ring: Semiring, moves: Floats, by: Transfer | None, enter: Floats, chains: Chains) -> Floats:
    """How probable what comes after a chunk is by the state it ends in, to some scale, (s, chunks)."""
    impossible = np.equal(enter.T, ring.zero)
    leaving = np.full(impossible.shape, ring.one)
    for before, into in reversed(chains.links):
        assert by is not None
        ways = ring.total(ring.times(by.ways[into], leaving[into][:, None, :]), 2)
        ways[impossible[into]] = ring.zero  # what cannot be must not set the scale
        states = ring.move(moves, ways.T, np.empty(ways.shape[::-1]))
        ring.level(states)
        leaving[before] = states.T
    return np.ascontiguousarray(leaving.T)


def forward(
    ring: Semiring, moves: Floats, seen: Floats, enter: Floats, chains: Chains, every: int
) -> tuple[Floats, Floats]:
    """P(state, the chunk so far) at every place, to some scale, (s, n); and log P(chunk), (chunks,)."""
    forward = np.empty_like(seen)
    there = np.ascontiguousarray(moves.T)
    before = ring.times(enter, seen[:, chains.slices[0]], forward[:, chains.slices[0]])
    log_size = ring.log(ring.level(before))
    widths = chains.widths.tolist()
    for step in range(1, len(widths)):
        at = chains.slices[step]
        now = forward[:, at]
        ring.move(there, before[:, : widths[step]], now)
        ring.times(now, seen[:, at], now)
        if step % every == 0:
            log_size[: widths[step]] += ring.log(ring.level(now))
        before = now
    return forward, log_size + ring.log(ring.total(forward[:, chains.ends], 0))


def backward(
    ring: Semiring, moves: Floats, seen: Floats, leave: Floats, chains: Chains, every: int
) -> tuple[Floats, Floats]:
    """P(what comes after given state) at every place, to some scale, (s, n); and that scale, (n,).

    `seen` becomes the product of itself and the answer: P(the row and what comes after given state).
    """
    backward = np.empty_like(seen)
    size = np.full(chains.n, ring.one)
    backward[:, chains.ends] = leave
    for step in range(len(chains.widths) - 1, 0, -1):
        at, start = chains.slices[step], chains.slices[step - 1].start
        after = ring.times(seen[:, at], backward[:, at], seen[:, at])
        before = slice(start, start + after.shape[1])
        ring.move(moves, after, backward[:, before])
        if step % every == 0:
            size[before] = ring.level(backward[:, before])
    at = chains.slices[0]
    ring.times(seen[:, at], backward[:, at], seen[:, at])
    return backward, size
