"""Runs of bytes are a statistic: parts add up to the whole, weights are repetitions, order is no matter."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from likely.stats import Groups
from likely.stats.character_runs import END, CharacterRuns, Characters

TEXTS = ["abracadabra", "", "bandana", None, "größe 😀", "a\x00b", "ab" * 40, "\ud800 alone"]
CODES = [0, 1, 2, 0, 1, 2, 0, 1]


def _seen(rows, order=3, weight=None):
    texts = Characters.of([TEXTS[i] for i in rows])
    return CharacterRuns.collect(texts, Groups.hard([CODES[i] for i in rows], 3, weight), order)


def _same(a, b):
    for name in ("keys", "groups", "weights", "texts"):
        assert (getattr(a, name) == getattr(b, name)).all(), name


@pytest.mark.parametrize("order", range(8))
def test_counts_are_those_of_a_plain_loop(order):
    seen = _seen(range(8), order)
    expected: dict[int, Counter[bytes]] = {k: Counter() for k in range(order + 1)}
    for text, code in zip(TEXTS, CODES, strict=True):
        if text is None:
            continue
        data = bytes([END]) * order + text.encode("utf-8", "surrogatepass") + bytes([END])
        for i in range(order, len(data)):
            for k in range(order + 1):
                expected[k][bytes([code]) + data[i - k : i + 1]] += 1
    texts = Characters.of(TEXTS)
    runs = texts.runs(order)
    for k in range(order + 1):
        counts = seen.counts_of(seen.rows_of(runs, k), k)
        assert counts.sum() > 0
        padded = [b if b is not None else "" for b in TEXTS]
        at = 0
        for text in padded if None not in TEXTS else [t for t in TEXTS if t is not None]:
            data = bytes([END]) * order + text.encode("utf-8", "surrogatepass") + bytes([END])
            for i in range(order, len(data)):
                run = data[i - k : i + 1]
                assert counts[at].tolist() == [expected[k][bytes([g]) + run] for g in range(3)]
                at += 1
        assert at == len(runs)


def test_parts_add_up_to_the_whole_and_come_out_again():
    whole = _seen(range(8))
    first, second = _seen([0, 1, 2, 3]), _seen([4, 5, 6, 7])
    _same(first + second, whole)
    _same(second + first, whole)
    _same(whole - second, first)


def test_weight_two_is_twice():
    _same(_seen([0, 2, 4], weight=[2.0, 1.0, 3.0]), _seen([0, 0, 2, 4, 4, 4]))


def test_the_order_of_texts_is_no_matter():
    _same(_seen(range(8)), _seen([7, 3, 5, 1, 0, 2, 4, 6]))


def test_nothing_seen():
    nothing = CharacterRuns.collect(Characters.of([None]), Groups.hard([0], 2), 2)
    assert len(nothing.keys) == 0
    assert nothing.rows_of(Characters.of(["a"]).runs(2), 1).tolist() == [-1, -1]
    assert nothing.texts.tolist() == [0.0, 0.0]
    _same(nothing + nothing, nothing)
    assert np.array_equal(nothing.total, [0.0, 0.0])
