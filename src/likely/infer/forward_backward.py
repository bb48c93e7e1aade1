"""Forward-backward: what a hidden chain of states was, given all that was seen of it.

`seen` is how probable each row is in each state, (s, n) with rows at their places in the chains; `moves` is
P(next state given state), (s, s). Chunks of one sequence are chained by what each makes of every state that
it may be entered in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log, powers
from likely.engine import Answers, Chunk, MapTask, Memory
from likely.errors import LikelyError
from likely.infer.chains import LOG_SUMS, SUMS, Chains, Semiring

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FAINT = 1e-100  # of numbers as they are: smaller ones may soon be too small to be told from zero
Ints = NDArray[np.intp]
SELDOM = 64  # steps, at the most, without bringing numbers to scale


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


@dataclass(frozen=True, slots=True)
class Smoothed:
    """What is known of hidden chains once everything is seen; places as in the chains."""

    posterior: Floats  # (s, n): P(state | all rows of the sequence)
    log_likelihood: Floats  # (sequences,)
    first: Floats  # (s,): how many sequences begin in each state, as far as is known
    moves: Floats  # (s, s): how many times each state follows each


def forward_backward(
    initial: Floats, moves: Floats, logs: Floats, chains: Chains, weight: Floats | None = None
) -> Smoothed:
    """P(state given all rows) at every place, and how often states begin and follow each other.

    Probabilities are multiplied as they are, brought to scale on the way. Where moves are impossible that can
    lose what matters later on: sequences in which anything grows that small are gone through in logs.

    A row that is impossible in every state makes its sequence impossible, and tells nothing of the states; a
    sequence that is impossible although its rows are not leaves its states as if nothing had been seen.

    Parameters
    ----------
    initial : array (s,)
        P(state) of first rows.
    moves : array (s, s)
        P(next state given state): each row adds up to 1.
    logs : array (s, n)
        log P(row given state), rows at their places in the chains. It is used up.
    chains : Chains
        Where the sequences are.
    weight : array (sequences,), optional
        How much the moves of each sequence count.

    Examples
    --------
    >>> chains = Chains.of([3])
    >>> moves = np.array([[0.7, 0.3], [0.3, 0.7]])
    >>> seen = np.log([[0.9, 0.9, 0.2], [0.2, 0.2, 0.8]])
    >>> smoothed = forward_backward(np.array([0.5, 0.5]), moves, seen, chains)
    >>> smoothed.posterior.round(3)
    array([[0.868, 0.823, 0.32 ],
           [0.132, 0.177, 0.68 ]])
    """
    _refuse_misfits(initial, moves, logs, chains)
    least = min(float(initial.min()), float(moves.min()))
    dense = least >= FAINT
    seen = logs if dense else np.empty_like(logs)
    log_top, void, faint = Memory().map(Chunk((logs, seen), chains.n, len(logs)), _Shift(dense))
    if dense:
        # No step can make the sum smaller than the least probable move does.
        every = int(np.clip(np.log(FAINT) / np.log(least), 1, SELDOM)) if least < 1 else SELDOM
        smoothed = _smooth(SUMS, initial, moves, seen, chains, weight, every)
        assert isinstance(smoothed, Smoothed)
    else:
        smoothed = _with_zeros(initial, moves, logs, seen, faint, chains, weight)
    shift = np.bincount(chains.sequence_of, log_top, len(chains.lengths))
    log_likelihood = smoothed.log_likelihood + shift
    log_likelihood[chains.sequence_of[void]] = -np.inf
    return Smoothed(smoothed.posterior, log_likelihood, smoothed.first, smoothed.moves)


def _refuse_misfits(initial: Floats, moves: Floats, logs: Floats, chains: Chains) -> None:
    s = len(initial)
    if moves.shape != (s, s) or logs.shape != (s, chains.n):
        raise LikelyError(
            f"moves of shape {moves.shape} and logs of shape {logs.shape} do not fit {s} states and "
            f"{chains.n} rows: give {(s, s)} and {(s, chains.n)}."
        )


@dataclass(frozen=True, slots=True)
class _Shift(MapTask[tuple[Floats, Floats]]):
    """Of logs (s, n), written over: probabilities beside the greatest of each row, into `seen` (s, n).

    The answers are the log of the greatest; which rows are void; which have something too faint.
    """

    dense: bool  # whether nothing can be too faint

    def answers(self, n: int) -> Answers:
        return np.empty(n), np.zeros(n, bool), np.zeros(n, bool)

    def step(self, data: tuple[Floats, Floats], start: int, stop: int, out: Answers) -> None:
        logs, seen = (array[:, start:stop] for array in data)
        log_top, void, faint = out
        log_top[:] = logs.max(axis=0)
        if not np.isfinite(log_top).all():
            void[:] = np.isneginf(log_top)
            logs[:, void], log_top[void] = 0.0, 0.0
        np.subtract(logs, log_top, out=logs)
        powers(logs, out=seen)
        if not self.dense:
            faint[:] = ((seen < FAINT) & (logs > -np.inf)).any(axis=0)


@dataclass(frozen=True, slots=True)
class _Normalise(MapTask[tuple[Floats, Floats, Floats]]):
    """Of forward and backward values (s, n), and the scale of the latter (n,): P(state) over the latter."""

    ring: Semiring

    def answers(self, n: int) -> Answers:
        return ()

    def step(self, data: tuple[Floats, Floats, Floats], start: int, stop: int, out: Answers) -> None:
        ring, at = self.ring, slice(start, stop)
        before, after, size = data[0][:, at], data[1][:, at], data[2][at]
        total = ring.total(ring.times(before, after, after), 0)
        ring.times(after, ring.inverse(total), after)
        ring.times(before, ring.inverse(ring.times(total, size)), before)


def _with_zeros(
    initial: Floats,
    moves: Floats,
    logs: Floats,
    seen: Floats,
    faint: Bools,
    chains: Chains,
    weight: Floats | None,
) -> Smoothed:
    """Where some moves are impossible: sequences as they are, those that need it in logs, or unseen."""
    ways = {ring: (ring.of(log(initial)), ring.of(log(moves))) for ring in (SUMS, LOG_SUMS)}
    for part in ways[SUMS]:
        part[part < FAINT] = 0.0
    needy = np.zeros(len(chains.lengths), bool)
    needy[chains.sequence_of[faint]] = True
    s = len(initial)
    whole = Smoothed(np.empty_like(seen), np.empty(len(needy)), np.zeros(s), np.zeros((s, s)))
    now = ~needy
    for ring, values, strict in ((SUMS, seen, True), (LOG_SUMS, logs, True), (SUMS, None, False)):
        while now.any():
            own, places = chains.only(now, s, ring.costs)
            mine = np.ones((s, own.n)) if values is None else values[:, places]
            outcome = _smooth(
                ring, *ways[ring], mine, own, None if weight is None else weight[now], 1, strict
            )
            if isinstance(outcome, Smoothed):
                whole.posterior[:, places] = outcome.posterior
                whole.log_likelihood[now] = -np.inf if values is None else outcome.log_likelihood
                whole.first[:] += outcome.first
                whole.moves[:] += outcome.moves
                break
            lost = np.flatnonzero(now)[outcome]
            needy[lost], now[lost] = True, False
        now, needy = needy, np.zeros(len(needy), bool)
    return whole


def _smooth(
    ring: Semiring,
    initial: Floats,
    moves: Floats,
    seen: Floats,
    chains: Chains,
    weight: Floats | None,
    every: int,
    strict: bool = False,
) -> Smoothed | Bools:
    """Forwards and backwards; or, if `strict`, the sequences that this arithmetic fails on, if any."""
    by = transfer(ring, moves, seen, chains, every, strict and ring is SUMS) if chains.links else None
    enter = entered(ring, initial, moves, by, chains)
    before, log_chunks = forward(ring, moves, seen, enter, chains, every)
    if strict:
        lost = _lost(ring, before, log_chunks, by, chains)
        if lost.any():
            return lost
        seen[before == ring.zero] = ring.zero  # what cannot be must not set the scale of what comes before
    after, size = backward(ring, moves, seen, left(ring, moves, by, enter, chains), chains, every)
    Memory().map(Chunk((before, after, size), chains.n, len(before)), _Normalise(ring))
    posterior = after
    weights = None if weight is None else weight[chains.sequence_of]

    def own(at: slice | Ints) -> Floats | None:
        return None if weights is None else weights[at]

    counts = np.zeros(moves.shape)
    for at, previous in chains.runs():
        counts += ring.pairs(moves, before[:, previous], seen[:, at], own(at))
    if by is not None:
        last, first = (np.concatenate(part) for part in zip(*chains.links, strict=True))
        ends, onward = before[:, chains.ends[last]], seen[:, first]
        total = ring.total(ring.times(ends, ring.move(moves, onward, np.empty_like(onward))), 0)
        counts += ring.pairs(moves, ring.times(ends, ring.inverse(total)), onward, own(first))
    if ring is not SUMS:
        posterior = np.exp(posterior)
    begins = np.flatnonzero(chains.rank == 0)
    starts = posterior[:, begins] if weights is None else posterior[:, begins] * weights[begins]
    log_likelihood = np.bincount(chains.sequence, log_chunks, len(chains.lengths)).astype(np.float64)
    return Smoothed(posterior, log_likelihood, starts.sum(axis=1), counts)


def _lost(ring: Semiring, before: Floats, log_chunks: Floats, by: Transfer | None, chains: Chains) -> Bools:
    """Which sequences are impossible, or seem so, or have become too faint to be sure."""
    lost = np.zeros(len(chains.lengths), bool)
    lost[chains.sequence[np.isneginf(log_chunks)]] = True
    if ring is SUMS:
        lost[chains.sequence_of[((before > 0) & (before < FAINT)).any(axis=0)]] = True
        if by is not None:
            lost[chains.sequence[by.faint]] = True
    return lost
