"""Choices come back, in at most two bits more than their information."""

from __future__ import annotations

import numpy as np
import pytest

from likely import LikelyError, codes
from likely.codes.rows.range_coder import RangeDecoder, RangeEncoder


@pytest.mark.parametrize("seed", range(30))
def test_round_trip_and_length(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([0, 1, 2, 50, 2000]))
    tables = [
        [int(f) for f in rng.integers(1, 10 ** rng.integers(1, 14), rng.integers(1, 9))] for _ in range(n)
    ]
    choices = [int(rng.integers(len(table))) for table in tables]
    encoder = RangeEncoder()
    for table, choice in zip(tables, choices, strict=True):
        encoder.choose(table, choice)
    bits = encoder.finish()
    information = sum(np.log2(sum(t)) - np.log2(t[c]) for t, c in zip(tables, choices, strict=True))
    assert len(bits) <= information + 2
    decoder = RangeDecoder(bits)
    assert [decoder.choose(table) for table in tables] == choices


def test_the_word_is_that_of_the_exact_code():
    exact = codes.arithmetic({"a": 0.4, "b": 0.3, "c": 0.3})
    encoder = RangeEncoder()
    for letter in "abaccbaabc":
        encoder.choose([4, 3, 3], "abc".index(letter))
    assert encoder.finish() == exact.encode("abaccbaabc") == "0011010010011110"


def test_carries_run_up():
    """What is nearly all of the interval, again and again, and then the last of it."""
    encoder = RangeEncoder()
    tables = [[1, 2**40]] * 400 + [[2**40, 1]] * 3
    for table in tables:
        encoder.choose(table, 1)
    decoder = RangeDecoder(encoder.finish())
    assert all(decoder.choose(table) == 1 for table in tables)


def test_too_few_bits():
    decoder = RangeDecoder("")
    with pytest.raises(LikelyError, match="end too early"):
        [decoder.choose([1, 1]) for _ in range(1000)]
