from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from likely.codes.tables.lanes import LaneDecoder, LaneEncoder
from likely.codes.tables.mixing import Contexts, SymbolTree, _squash, _stretch, code_symbols, most_lanes


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
