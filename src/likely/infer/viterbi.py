"""Viterbi: the most probable chain of hidden states, given all that was seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.infer.chains import LOG_BEST, Chains
from likely.infer.forward_backward import Transfer, entered, forward, transfer

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

SELDOM = 64  # steps without bringing logs to scale


def viterbi(initial: Floats, moves: Floats, logs: Floats, chains: Chains) -> tuple[Ints, Floats]:
    """The best states at every place, (n,), and log P(these states and all rows) of each sequence.

    As in `forward_backward`, a row that is impossible in every state tells nothing of the states, and an
    impossible sequence leaves them as if nothing had been seen; the log-probability is -inf.

    >>> moves = np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> seen = np.log([[0.9, 0.3, 0.9, 0.1, 0.1], [0.1, 0.7, 0.1, 0.9, 0.9]])
    >>> states, log_prob = viterbi(np.array([0.5, 0.5]), moves, seen, Chains.of([5]))
    >>> states, np.exp(log_prob).round(5)
    (array([0, 0, 0, 1, 1]), array([0.00717]))
    """
    void = np.isneginf(logs.max(axis=0))
    seen = np.where(void, 0.0, logs)
    log_initial, log_moves = log(initial), log(moves)
    by = transfer(LOG_BEST, log_moves, seen, chains, SELDOM, False) if chains.links else None
    enter = entered(LOG_BEST, log_initial, log_moves, by, chains)
    best, _ = forward(LOG_BEST, log_moves, seen, enter, chains, SELDOM)
    ends = _ends(best, log_moves, by, chains)
    states = np.empty(chains.n, np.intp)
    _trace(best, log_moves, ends[None], chains, states)
    log_prob = _log_prob(log_initial, log_moves, seen, states, chains)
    lost = np.isneginf(log_prob)
    if lost.any():
        own, places = chains.only(lost, len(initial), LOG_BEST.costs)
        states[places] = viterbi(initial, moves, np.zeros((len(initial), own.n)), own)[0]
    log_prob[chains.sequence_of[void]] = -np.inf
    return states, log_prob


def _ends(best: Floats, log_moves: Floats, by: Transfer | None, chains: Chains) -> Ints:
    """The state in which each chunk ends, (chunks,)."""
    last = best[:, chains.ends]  # (s, chunks)
    ends: Ints = last.argmax(axis=0)
    if by is None:
        return ends
    s = len(log_moves)
    begins = _trace(best, log_moves, np.repeat(np.arange(s)[:, None], last.shape[1], axis=1), chains)
    for before, into in reversed(chains.links):
        first = begins[ends[into], into]
        ends[before] = (last[:, before] + log_moves[:, first]).argmax(axis=0)
    return ends


def _trace(best: Floats, log_moves: Floats, ends: Ints, chains: Chains, out: Ints | None = None) -> Ints:
    """Back from the last states of every chunk, (m, chunks), to the first; those of the first m to `out`."""
    states = ends.copy()
    for step in range(len(chains.widths) - 1, 0, -1):
        at, start = chains.slices[step], chains.slices[step - 1].start
        width = at.stop - at.start
        now = states[:, :width]
        if out is not None:
            out[at] = now[0]
        before = best[:, None, start : start + width] + log_moves[:, now]
        states[:, :width] = before.argmax(axis=0)
    if out is not None:
        out[chains.slices[0]] = states[0]
    return states


def _log_prob(log_initial: Floats, log_moves: Floats, seen: Floats, states: Ints, chains: Chains) -> Floats:
    """log P(states and rows) of each sequence."""
    terms = seen[states, np.arange(chains.n)]
    for at, previous in chains.neighbours():
        terms[at] += log_moves[states[previous], states[at]]
    begins = np.flatnonzero(chains.rank == 0)
    terms[begins] += log_initial[states[begins]]
    return np.bincount(chains.sequence_of, terms, len(chains.lengths)).astype(np.float64)
