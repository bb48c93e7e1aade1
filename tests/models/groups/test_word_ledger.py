"""The ledger of a text opens into its words, and still sums."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest

import likely
from likely import MixtureClassifier, NaiveBayes, Words
from likely.evidence.render import TOP_WORDS

MAILS = likely.read("emails", into="dict")


def filter_of(**options):
    words = Words(stop=["d", "e"], pattern=r"\w+", **options)
    return NaiveBayes(kinds={"message": words}, families="classical", evidence_weights=None).fit(
        MAILS, "class"
    )


def parts(model, text, *pair):
    (line,) = model.explain({"message": [text]}, *(pair or ("spam", "ham")))[0].lines
    return {part.name: (part.value, part.evidence) for part in line.parts}, line


def test_the_e_mails_of_the_book():
    """`a a a b`: three times ln .5, once ln 2.5; with bits an absent b adds ln(1/2)."""
    found, line = parts(filter_of(), "a a a b")
    assert list(found) == ["a", "b"]  # the strongest first
    assert found["a"] == (3, pytest.approx(3 * math.log(0.5), abs=1e-12))
    assert found["b"] == (1, pytest.approx(math.log(2.5), abs=1e-12))
    assert line.evidence == pytest.approx(-2.079442 + 0.916291, abs=1e-6)
    found, line = parts(filter_of(bits=True), "a a a")
    assert found["a"] == (1, pytest.approx(math.log(0.75), abs=1e-12))
    assert found["b"] == (0, pytest.approx(math.log(0.5), abs=1e-12))
    assert line.evidence == pytest.approx(math.log(0.375), abs=1e-12)


def texts(rng, n, vocabulary):
    return [" ".join(rng.choice(vocabulary, rng.integers(0, 30))) for _ in range(n)]


@pytest.mark.parametrize("bits", [False, True])
@pytest.mark.parametrize("estimate", ["mean", "map", "predictive"])
@pytest.mark.parametrize("seed", range(3))
def test_words_add_up_to_their_text(seed, estimate, bits):
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(40)]
    y = rng.integers(0, 3, 60)
    made = [t if rng.random() < 0.9 else None for t in texts(rng, 60, words)]
    table = {"note": made, "size": rng.normal(size=60) + y}
    model = NaiveBayes(
        kinds={"note": Words(bits=bits, min_count=2)},
        estimate=estimate,
        families="classical",
        evidence_weights=None,
    ).fit(table, y)
    fresh = {"note": [*texts(rng, 20, [*words, "new"]), None], "size": rng.normal(size=21)}
    logs = model.predict_log_proba(fresh)
    for ledger, own in zip(model.explain(fresh), logs, strict=True):
        text, size = ledger.lines
        assert size.parts == ()
        scale = 1 + sum(abs(part.evidence) for part in text.parts)
        assert sum(part.evidence for part in text.parts) == pytest.approx(text.evidence, abs=1e-12 * scale)
        odds = own[ledger.favoured] - own[ledger.against]
        opened = ledger.opened()
        total = opened.base + sum(line.evidence for line in opened.lines)
        assert total == pytest.approx(odds, abs=1e-12 * (scale + abs(odds)))
        assert "new" not in {part.name for part in text.parts}
        if text.note != "missing" and not bits:
            counted = {part.name: part.value for part in text.parts if part.name != "number of words"}
            kept = [w for w in text.value.split() if w in counted]
            assert counted == {w: kept.count(w) for w in kept}
            assert ("number of words" in {p.name for p in text.parts}) <= (estimate == "predictive")
    assert ledger.lines[0].parts == ()  # of a text that is missing
    again = pickle.loads(pickle.dumps(model.explain(fresh)))
    assert again[0].lines == model.explain(fresh)[0].lines
    assert again[3:5][1].lines[0].parts == model.explain(fresh)[4].lines[0].parts


def test_a_long_text_shows_its_strongest_words_and_the_sum_of_the_others():
    rng = np.random.default_rng(7)
    words = [f"w{i}" for i in range(50)]
    y = rng.integers(0, 2, 80)
    model = NaiveBayes(kinds={"note": "text"}, families="classical", evidence_weights=None).fit(
        {"note": texts(rng, 80, words)}, y
    )
    ledger = model.explain({"note": [" ".join(words[:30])]})[0]
    (line,) = ledger.lines
    others = line.parts[TOP_WORDS:]
    said = str(ledger).splitlines()
    below = [row for row in said if row.startswith("  ") and "·" in row]
    assert len(below) == TOP_WORDS + 1
    assert below[-1].split()[:3] == [str(len(others)), "other", "words"]
    assert f"{sum(part.evidence for part in others):+.2f}" in below[-1]
    assert [row.split()[0] for row in below[:-1]] == [part.name for part in line.parts[:TOP_WORDS]]
    html = ledger._repr_html_()
    assert html.count("padding:1px 8px 1px 24px") == TOP_WORDS + 1
    steps = [bar.get_width() for bar in ledger.plot().patches]
    assert sum(steps[:-1]) == pytest.approx(steps[-1], abs=1e-10)
    assert steps[-1] == pytest.approx(ledger.total)
    assert len(steps) == 2 + 20 + 1  # base rate, the strongest words, the others, the total
    frame = ledger.opened().to_frame()
    assert len(frame["name"]) == len(line.parts)
    assert frame["evidence"].sum() == pytest.approx(line.evidence, abs=1e-12)
    assert len(ledger.to_frame()["name"]) == 1
    assert len(json.loads(json.dumps(ledger.to_dict()))["lines"][0]["words"]) == len(line.parts)


def test_a_word_that_cannot_be_is_named():
    sure = NaiveBayes(kinds={"t": "text"}, prior=None, families="classical", evidence_weights=None).fit(
        {"t": ["a b", "b c"]}, ["u", "v"]
    )
    (line,) = sure.explain({"t": ["a b"]}, "v", "u")[0].lines
    assert [(part.name, part.evidence) for part in line.parts] == [("a", -math.inf), ("b", 0.0)]
    assert line.evidence == -math.inf


def test_evidence_that_is_no_sum_is_not_opened():
    table = {"t": ["a b", "b c", "c a", "a", "b b", "c"], "x": [0.0, 1, 2, 3, 4, 5]}
    y = ["u", "v", "w", "u", "v", "w"]
    model = NaiveBayes(kinds={"t": "text"}, families="classical", evidence_weights=None).fit(table, y)
    assert all(line.parts == () for line in model.explain(table, "u", others=True)[0].lines)
    mixed = MixtureClassifier(1, kinds={"t": "text"}).fit(table, y)
    total = mixed.explain(table)[0].total
    logs = np.sort(mixed.predict_log_proba(table)[0])
    assert total == pytest.approx(logs[-1] - logs[-2], abs=1e-9)
