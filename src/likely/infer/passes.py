"""Along all chains at once, forwards and backwards.

`seen` is how probable each row is in each state, (s, n) with rows at their places in the chains; `moves` is
P(next state given state), (s, s). Chunks of one sequence are chained by what each makes of every state that
it may be entered in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.infer.chains import Chains
from likely.infer.semirings import Semiring

Floats = NDArray[np.float64]
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
