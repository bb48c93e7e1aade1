"""Forward-backward and Viterbi, against the enumeration of all courses."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from likely import LikelyError
from likely.infer import Chains, forward_backward, viterbi
from likely.infer.chains import LOG_BEST


def every_course(initial, moves, logs):
    """log P(sequence), posteriors, moves, the best course and its log-probability: over all courses."""
    s, n = logs.shape
    with np.errstate(divide="ignore"):
        log_initial, log_moves = np.log(initial), np.log(moves)
    courses = list(itertools.product(range(s), repeat=n))
    log_p = np.array(
        [
            log_initial[c[0]]
            + sum(logs[state, t] for t, state in enumerate(c))
            + sum(log_moves[a, b] for a, b in itertools.pairwise(c))
            for c in courses
        ]
    )
    top = log_p.max()
    if top == -np.inf:
        return -np.inf, None, None, None, -np.inf
    p = np.exp(log_p - top)
    posterior, pairs = np.zeros((s, n)), np.zeros((s, s))
    for course, share in zip(courses, p / p.sum(), strict=True):
        for t, state in enumerate(course):
            posterior[state, t] += share
        for a, b in itertools.pairwise(course):
            pairs[a, b] += share
    return top + np.log(p.sum()), posterior, pairs, courses[int(log_p.argmax())], top


def a_case(seed, *, upwards=False, spread=1.0, holes=0.0):
    rng = np.random.default_rng(seed)
    s = int(rng.integers(1, 4))
    lengths = rng.integers(1, 7, rng.integers(1, 4))
    initial, moves = rng.dirichlet(np.ones(s)), rng.dirichlet(np.ones(s), s)
    if upwards:
        moves = np.triu(moves)
        moves, initial = moves / moves.sum(axis=1, keepdims=True), np.eye(s)[0]
    logs = rng.normal(size=(s, lengths.sum())) * spread
    logs[rng.random(logs.shape) < holes] = -np.inf
    return initial, moves, logs, lengths


KINDS = {
    "plain": {},
    "missing": {"spread": 0.0},
    "upwards": {"upwards": True},
    "far apart": {"spread": 300.0},
    "upwards and far apart": {"upwards": True, "spread": 400.0},
    "holes": {"holes": 0.2},
    "upwards with holes": {"upwards": True, "holes": 0.2, "spread": 300.0},
}


@pytest.mark.parametrize("cut", [None, 1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_as_enumerated(kind, cut):
    for seed in range(25):
        initial, moves, logs, lengths = a_case(seed, **KINDS[kind])
        s = len(initial)
        chains = Chains.of(lengths, s, cut=cut)
        found = forward_backward(initial, moves, logs[:, chains.order], chains)
        states, log_best = viterbi(initial, moves, logs[:, chains.order], chains)
        back = chains.backwards()
        posterior, course = found.posterior[:, back], states[back]
        assert posterior.sum(axis=0) == pytest.approx(1, abs=1e-12)
        pairs, possible = np.zeros((s, s)), True
        ends = np.cumsum(lengths)
        for k, (start, stop) in enumerate(zip(ends - lengths, ends, strict=True)):
            wanted = every_course(initial, moves, logs[:, start:stop])
            assert found.log_likelihood[k] == pytest.approx(wanted[0], rel=1e-12, abs=1e-10)
            assert log_best[k] == pytest.approx(wanted[4], rel=1e-12, abs=1e-10)
            if wanted[1] is None:
                possible = False
                continue
            assert posterior[:, start:stop] == pytest.approx(wanted[1], abs=1e-10)
            if KINDS[kind].get("spread", 1) > 0:  # else several courses are the best
                assert course[start:stop].tolist() == list(wanted[3])
            pairs += wanted[2]
        if possible:
            assert found.moves == pytest.approx(pairs, abs=1e-10)
            begins = posterior[:, ends - lengths].sum(axis=1)
            assert found.first == pytest.approx(begins, abs=1e-12)


def test_weights_are_repetitions():
    initial, moves, logs, lengths = a_case(3)
    chains = Chains.of(lengths, len(initial), cut=2)
    weight = np.arange(1, len(lengths) + 1)
    found = forward_backward(initial, moves, logs[:, chains.order], chains, weight.astype(float))
    rows = [np.arange(stop - n, stop) for n, stop in zip(lengths, np.cumsum(lengths), strict=True)]
    again = np.concatenate([np.tile(own, w) for own, w in zip(rows, weight, strict=True)])
    more = Chains.of(np.repeat(lengths, weight), len(initial))
    wanted = forward_backward(initial, moves, logs[:, again][:, more.order], more)
    assert found.moves == pytest.approx(wanted.moves, abs=1e-12)
    assert found.first == pytest.approx(wanted.first, abs=1e-12)


def test_what_is_lost_as_a_number_is_kept_in_logs():
    # Two states that never change. Fifty rows favour the second by 20 nats each, then fifty the first by 21:
    # as numbers the first is gone long before it wins.
    logs = np.zeros((2, 100))
    logs[1, :50], logs[0, 50:] = 20.0, 21.0
    chains = Chains.of([100], 2, cut=100)
    found = forward_backward(np.array([0.5, 0.5]), np.eye(2), logs.copy(), chains)
    assert found.posterior[0] == pytest.approx(1 / (1 + np.exp(-50.0)), abs=1e-15)
    assert found.log_likelihood == pytest.approx(np.log(0.5) + 1050 + np.log1p(np.exp(-50.0)), rel=1e-14)
    cut = Chains.of([100], 2, cut=10)
    again = forward_backward(np.array([0.5, 0.5]), np.eye(2), logs[:, cut.order], cut)
    assert again.log_likelihood == pytest.approx(found.log_likelihood, rel=1e-14)


def test_what_cannot_be_does_not_set_the_scale():
    # The second state is never reached, though all rows would be far likelier in it.
    logs = np.zeros((2, 60))
    logs[1] = 500.0
    chains = Chains.of([60], 2, cut=7)
    found = forward_backward(np.array([1.0, 0.0]), np.eye(2), logs[:, chains.order], chains)
    assert found.posterior[0] == pytest.approx(1)
    assert found.log_likelihood == pytest.approx(0, abs=1e-9)


def test_the_course_of_a_sequence_that_cannot_be():
    logs = np.array([[0.0, -np.inf, 0.0], [-np.inf, -np.inf, -np.inf]])
    chains = Chains.of([3], 2)
    initial, moves = np.array([0.3, 0.7]), np.array([[0.9, 0.1], [0.5, 0.5]])
    found = forward_backward(initial, moves, logs.copy(), chains)
    assert found.log_likelihood.tolist() == [-np.inf]
    # Only the row that is impossible tells nothing; the others tell the first state.
    assert found.posterior[0, [0, 2]] == pytest.approx(1)
    assert found.posterior[1, 1] == pytest.approx(0.1 * 0.5 / (0.9 * 0.9 + 0.1 * 0.5), rel=1e-12)
    assert viterbi(initial, moves, logs, chains)[1].tolist() == [-np.inf]


def test_a_million_steps():
    rng = np.random.default_rng(0)
    n = 1_000_000
    moves = np.array([[0.99, 0.01], [0.02, 0.98]])
    logs = rng.normal(size=(2, n)) * 3 - 1000
    chains = Chains.of([n], 2)
    assert len(chains.widths) < n  # it was cut
    found = forward_backward(np.array([0.5, 0.5]), moves, logs[:, chains.order], chains)
    assert np.isfinite(found.log_likelihood).all()
    assert found.posterior.sum(axis=0) == pytest.approx(1, abs=1e-10)
    assert found.moves.sum() == pytest.approx(n - 1, rel=1e-10)
    # The two halves, of which the second goes on from the first: the filter, one step after the other.
    state, log_p = np.log([0.5, 0.5]), 0.0
    for t in range(2000):
        state = state + logs[:, t]
        top = np.logaddexp(*state)
        log_p += top
        state = np.log(np.exp(state - top) @ moves)
    short = Chains.of([2000], 2)
    first = forward_backward(np.array([0.5, 0.5]), moves, logs[:, short.order], short)
    assert first.log_likelihood[0] == pytest.approx(log_p, rel=1e-13)
    best = Chains.of([n], 2, LOG_BEST.costs)
    assert np.isfinite(viterbi(np.array([0.5, 0.5]), moves, logs[:, best.order], best)[1]).all()


@pytest.mark.parametrize("lengths", [[], [3, 0], [[2]], [-1]], ids=["none", "empty", "matrix", "negative"])
def test_lengths_that_are_none(lengths):
    with pytest.raises(LikelyError, match="lengths"):
        Chains.of(lengths)


def test_shapes_that_do_not_fit():
    with pytest.raises(LikelyError, match="3 rows"):
        forward_backward(np.ones(1), np.ones((1, 1)), np.zeros((1, 2)), Chains.of([3]))


@pytest.mark.parametrize("cut", [1, 3, 4, 100])
def test_every_pair_of_neighbours_once(cut):
    lengths = [5, 1, 9, 4, 4]
    chains = Chains.of(lengths, cut=cut)
    assert sorted(chains.order) == list(range(23))
    pairs = [
        (before, at)
        for place, previous in chains.neighbours()
        for before, at in zip(chains.order[previous], chains.order[place], strict=True)
    ]
    firsts = set(np.cumsum([0, *lengths]))
    assert sorted(pairs) == [(i - 1, i) for i in range(23) if i not in firsts]
