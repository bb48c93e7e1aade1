from __future__ import annotations

from fractions import Fraction
from zlib import crc32

import numpy as np
import pytest

from likely.codes.tables.lanes import LaneDecoder, LaneEncoder
from likely.codes.tables.mixing import (
    FEWEST,
    Contexts,
    Mixer,
    _squash,
    _stretch,
    _turns,
    code_symbols,
    most_lanes,
)
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


def test_tables_of_the_logistic_function() -> None:
    x = np.arange(-2047, 2048) / 256
    assert np.abs(_squash() / 65536 - 1 / (1 + np.exp(-x))).max() < 4e-5
    p = (np.arange(4096) + 0.5) / 4096
    middle = np.abs(np.log(p / (1 - p))) < 7.9
    assert np.abs(_stretch() / 256 - np.log(p / (1 - p)))[middle].max() < 0.05


@pytest.mark.parametrize("n", [0, 1, 33, 9000])
def test_readers_follow_writers(n: int) -> None:
    rng = np.random.default_rng(n)
    parent = rng.integers(0, 5, n)
    symbols = (3 * parent + (rng.random(n) < 0.1)) % 17
    hashes = np.stack([np.full(n, 7), parent * 2654435761 % 2**32, np.full(n, 9)]).astype(np.uint32)
    contexts, tree, lanes = Contexts(hashes, (0, 0, 2)), SymbolTree.balanced(17, True), most_lanes(n)
    encoder = LaneEncoder(lanes)
    bits = code_symbols(encoder, lanes, symbols.copy(), tree, contexts, write=True)
    data = encoder.finish()
    assert sum(map(len, data)) <= bits / 8 + 4 * lanes
    again = np.zeros(n, np.int64)
    assert code_symbols(LaneDecoder(data), lanes, again, tree, contexts, write=False) == bits
    assert (again == symbols).all()
    if n == 9000:  # the parent tells all but one symbol of ten: .469 bits
        assert 0.44 * n < bits < 0.60 * n


def test_bytes_of_the_format_stay() -> None:
    """Bytes that another writing of the same arithmetic gave, the slower one before this, in so many lanes.

    Where these change, the version of the format in `file.py` must change too.
    """
    n = 9000
    parent = np.arange(n) * 2654435761 % 2**32 >> 29
    symbols = (3 * parent + (np.arange(n) % 7 == 0) + (np.arange(n) // 50) % 3) % 17
    hashes = np.stack([np.full(n, 7), parent * 40503, np.full(n, 9)]).astype(np.uint32)
    encoder = LaneEncoder(most_lanes(n))
    code_symbols(
        encoder,
        most_lanes(n),
        symbols,
        SymbolTree.balanced(17, True),
        Contexts(hashes, (0, 0, 2)),
        write=True,
    )
    data = encoder.finish()
    assert (sum(map(len, data)), crc32(b"|".join(data))) == (1146, 1527594863)


def test_plain_numbers_decide_as_arrays_do() -> None:
    """One lane by NumPy and by plain numbers: the same bytes, and the same is learnt, weights and memory."""
    rng = np.random.default_rng(5)
    array, plain = Mixer(6, 12), Mixer(6, 12)
    by_array, by_plain = LaneEncoder(2), LaneEncoder(2)
    lane, learnt = np.zeros(1, np.int64), []
    for _ in range(3000):
        node, depth = int(rng.integers(0, 300)), int(rng.integers(0, 30))
        # Known hashes of 32 bits that come back; answers that hang on the third of them.
        known = rng.choice(np.array([3, 2**31, 2**32 - 1], np.uint32), (6, 1))
        wanted = bool(rng.random() < (0.9 if known[2, 0] == 3 else 0.2))
        yes, error = array.decide(by_array, lane, np.array([node]), known, depth, np.array([wanted]))
        learnt.append((node, known[:, 0].tolist(), depth, wanted))
        assert plain.decide_alone(by_plain, node, learnt[-1][1], depth, int(wanted)) == (wanted, error)
        assert yes.tolist() == [wanted]
    data = by_plain.finish()
    assert data == by_array.finish()
    assert (array.memory == plain.memory).all()
    assert all((a == b).all() for a, b in zip(array.weight, plain.weight, strict=True))
    assert array.made == plain.made
    reader, decoder = Mixer(6, 12), LaneDecoder(data)
    assert all(reader.decide_alone(decoder, n, k, d, 0)[0] == yes for n, k, d, yes in learnt)


@pytest.mark.parametrize("n", [1, 100, 2500, 3000, 50_000])
def test_rows_are_coded_alone_or_at_least_four_at_a_time(n: int) -> None:
    turns = list(_turns(n, most_lanes(n)))
    assert [start for start, _, _ in turns] == [0, *(stop for _, stop, _ in turns[:-1])]
    assert turns[-1][1] == n
    assert all(lanes == 1 or lanes >= FEWEST for _, _, lanes in turns)
    assert n > 2500 or len({lanes for _, _, lanes in turns}) == 1


def test_lanes_grow_with_the_rows() -> None:
    assert [most_lanes(n) for n in (0, 2616, 2617, 11_000, 83_720, 83_721, 10**7)] == [
        1,
        1,
        4,
        39,
        1023,
        1024,
        1024,
    ]
    for n in (4000, 12_345, 32_561, 60_000):
        assert most_lanes(n) == int((n / 1100) ** 1.6)
