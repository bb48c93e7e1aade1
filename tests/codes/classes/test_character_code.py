"""The code of characters beside a plain loop, and as a distribution: all that may follow adds up to 1."""

from __future__ import annotations

import numpy as np
import pytest

from likely.codes.classes.character_code import ALL, COMMON, USUAL, WAYS, BytePrior, character_logs, text_logs
from likely.stats import Groups
from likely.stats.character_runs import END, CharacterRuns, Characters

TEXTS = ["win cash now", "free cash", "see you at noon", "noon is fine", "größe 😀"]
CODES = [1, 1, 0, 0, 0]


def _seen(order):
    return CharacterRuns.collect(Characters.of(TEXTS), Groups.hard(CODES, 2), order)


def _probability(
    history: list[bytes], everyone: list[bytes], before: bytes, symbol: int, order: int, way: BytePrior
) -> float:
    """P(symbol | what is before it) by the posterior predictive, from shorter to longer contexts."""
    p = common = 1 / ALL
    for k in range(order + 1):
        context = before[len(before) - k :] if k else b""
        after, by_all = (
            [text[i] for text in texts for i in range(order, len(text)) if text[i - k : i] == context]
            for texts in (history, everyone)
        )
        common = (by_all.count(symbol) + COMMON * common) / (len(by_all) + COMMON)
        expected = way.shared * common + (1 - way.shared) * p
        p = (after.count(symbol) + way.strength * expected) / (len(after) + way.strength)
    return p


@pytest.mark.parametrize("way", [USUAL, *WAYS[:3]])
@pytest.mark.parametrize("order", [0, 1, 3, 5])
@pytest.mark.parametrize("text", ["cash cash", "noon", "", "é😀é"])
def test_it_is_the_posterior_predictive(order, text, way):
    pad, end = bytes([END]) * order, bytes([END])
    texts = Characters.of([text])
    (logs,) = character_logs(_seen(order), texts, (way,))
    data = pad + text.encode() + end
    written = [pad + t.encode() + end for t in TEXTS]
    for group in (0, 1):
        history = [t for t, c in zip(written, CODES, strict=True) if c == group]
        for i in range(order, len(data)):
            own = data[:i]  # what the text itself has shown so far
            before = data[i - order : i] if order else b""
            p = _probability([*history, own], [*written, own], before, data[i], order, way)
            assert np.exp(logs[i - order, group]) == pytest.approx(p, rel=1e-12)


def test_all_that_may_follow_adds_up_to_one():
    seen = _seen(3)
    every = [Characters(np.frombuffer(b"cas" + bytes([b]), np.uint8), np.array([0, 4])) for b in range(256)]
    last = np.array([[np.exp(way[-1]) for way in character_logs(seen, one, WAYS)] for one in every])
    assert last.sum(axis=0) == pytest.approx(np.ones((len(WAYS), 2)), abs=1e-12)


def test_texts_are_sums_of_their_bytes_whatever_stands_beside_them():
    seen = _seen(4)
    texts = Characters.of(["cash", None, "", "noon noon"])
    together = text_logs(*character_logs(seen, texts), texts)
    for i, text in enumerate(["cash", None, "", "noon noon"]):
        alone = Characters.of([text])
        assert together[i] == pytest.approx(character_logs(seen, alone)[0].sum(axis=0), abs=1e-12)
    assert (together[1] == 0).all()
