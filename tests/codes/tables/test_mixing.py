from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from likely.codes.tables.lanes import LaneDecoder, LaneEncoder
from likely.codes.tables.mixing import _PACE, Mixer, _squash, _stretch
from likely.codes.tables.symbol_tree import SymbolTree


@pytest.mark.parametrize("falling", [True, False])
@pytest.mark.parametrize("k", [2, 3, 7, 256, 1000])
def test_trees_reach_every_symbol_once(k: int, falling: bool) -> None:
    word, length = SymbolTree.balanced(k, falling).words()
    assert len({(int(w), int(n)) for w, n in zip(word, length, strict=True)}) == k
    assert sum(Fraction(1, 2 ** int(n)) for n in length) == 1
    if not falling:
        assert length.max() - length.min() <= 1
    elif k > 4:
        assert length[0] < length[-1]


@pytest.mark.parametrize("seed", range(5))
def test_trees_of_weights_are_near_the_shortest(seed: int) -> None:
    """In the symbols' order: at most two decisions above the entropy, as order costs (Horibe)."""
    weight = np.random.default_rng(seed).dirichlet(np.full(40, 0.3)) + 1e-9
    weight /= weight.sum()
    word, length = SymbolTree.of(weight).words()
    assert weight @ length < -weight @ np.log2(weight) + 2
    ways = [f"{way:0{many}b}" for way, many in zip(word.tolist(), length.tolist(), strict=True)]
    assert ways == sorted(ways)


def test_tables_of_the_logistic_function() -> None:
    x = np.arange(-2047, 2048) / 256
    assert np.abs(_squash() / 65536 - 1 / (1 + np.exp(-x))).max() < 4e-5
    p = (np.arange(4096) + 0.5) / 4096
    middle = np.abs(np.log(p / (1 - p))) < 7.9
    assert np.abs(_stretch() / 256 - np.log(p / (1 - p)))[middle].max() < 0.05


def test_weights_move_less_and_less_down_to_a_sixth() -> None:
    assert (_PACE[0], _PACE[-1]) == (50, 8)
    assert (np.diff(_PACE) <= 0).all()


def test_plain_numbers_decide_as_arrays_do() -> None:
    """One lane by NumPy and by plain numbers: the same bytes, and the same is learnt, weights and memory."""
    rng = np.random.default_rng(5)
    array, plain = Mixer([6], 12), Mixer([6], 12)
    by_array, by_plain = LaneEncoder(2), LaneEncoder(2)
    none, learnt = np.zeros(1, np.int64), []
    for _ in range(3000):
        node, depth = int(rng.integers(0, 300)), int(rng.integers(0, 30))
        # Known hashes of 32 bits that come back; answers that hang on the third of them.
        known = rng.choice(np.array([3, 2**31, 2**32 - 1], np.uint32), (6, 1))
        wanted = bool(rng.random() < (0.9 if known[2, 0] == 3 else 0.2))
        yes, error = array.decide(
            by_array, none, np.array([node]), known, np.array([depth]), np.array([wanted])
        )
        learnt.append((node, known[:, 0].tolist(), depth, wanted))
        assert plain.decide_alone(by_plain, node, learnt[-1][1], depth, int(wanted)) == (wanted, error)
        assert yes.tolist() == [wanted]
    data = by_plain.finish()
    assert data == by_array.finish()
    assert (array.memory == plain.memory).all()
    assert (array.weight == plain.weight).all()
    assert (array.made == plain.made).all()
    reader, decoder = Mixer([6], 12), LaneDecoder(data)
    assert all(reader.decide_alone(decoder, n, k, d, 0)[0] == yes for n, k, d, yes in learnt)


def test_columns_together_learn_what_each_learns_alone() -> None:
    """Three columns of 2, 5 and 3 contexts, some decisions of each at a time."""
    rng = np.random.default_rng(6)
    contexts = [2, 5, 3]
    together, alone = Mixer(contexts, 12), [Mixer([c], 12) for c in contexts]
    for _ in range(300):
        column = np.sort(rng.integers(0, 3, rng.integers(1, 12)))
        node, depth = rng.integers(0, 9, len(column)), rng.integers(0, 4, len(column))
        known = rng.choice(np.array([3, 2**31, 2**32 - 1], np.uint32), (5, len(column)))
        wanted = rng.random(len(column)) < np.where(known[0] == 3, 0.9, 0.3)
        _, error = together.decide(LaneEncoder(1), column, node, known, depth, wanted)
        for j, (c, mixer) in enumerate(zip(contexts, alone, strict=True)):
            own = column == j
            if own.any():
                first = np.zeros(own.sum(), np.int64)
                _, told = mixer.decide(
                    LaneEncoder(1), first, node[own], known[:c, own], depth[own], wanted[own]
                )
                assert told.tolist() == error[own].tolist()
    memory, weight = together.memory.reshape(3, 5, -1), together.weight.reshape(3, 24, -1)
    for j, (c, mixer) in enumerate(zip(contexts, alone, strict=True)):
        assert (memory[j, :c].ravel() == mixer.memory).all()
        assert (weight[j, :, : 8 * c] == mixer.weight).all()
        assert (together.made.reshape(3, -1)[j] == mixer.made).all()
        assert mixer.made.sum() > 100
