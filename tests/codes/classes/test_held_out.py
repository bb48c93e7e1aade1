"""What held-out rows teach of texts: whether what all classes write in common counts, and how much of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import log_loss

from likely import CompressionClassifier, load
from likely.codes.classes.character_code import OLD, USUAL, WAYS


def _topics(rng, sizes):
    """Texts of words that all topics have, with a few of their own; of some topics there are few."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = ["".join(rng.choice(letters, rng.integers(3, 8))) for _ in range(120 + 4 * len(sizes))]
    y = np.repeat(np.arange(len(sizes)), sizes)
    own = [rng.choice(words[120 + 4 * topic : 124 + 4 * topic], 2) for topic in y]
    texts = [" ".join(rng.permutation([*rng.choice(words[:120], 15), *pair])) for pair in own]
    return texts, y


def _by(model, expected):
    """The same model, had this been expected of its classes."""
    coder = replace(model.record_.coders[0], expected=expected)
    return model._with_record(replace(model.record_, coders=(coder,)))


def test_small_classes_borrow_from_all():
    rng = np.random.default_rng(0)
    sizes = np.array([60, 40, 20, 12, 8, 6] * 2)
    texts, y = _topics(rng, 2 * sizes)
    train = np.sort(rng.permutation(len(y))[: len(y) // 2])
    test = np.setdiff1d(np.arange(len(y)), train)
    rows = {"t": [texts[i] for i in train]}, {"t": [texts[i] for i in test]}
    model = CompressionClassifier(kinds="text").fit(rows[0], y[train])
    expected = model.record_.coders[0].expected
    assert expected in WAYS
    assert expected.shared > 0
    loss = log_loss(y[test], model.predict_proba(rows[1]), labels=model.classes_)
    alone = log_loss(y[test], _by(model, OLD).predict_proba(rows[1]), labels=model.classes_)
    assert loss < 0.8 * alone


def test_few_rows_choose_nothing():
    texts, y = _topics(np.random.default_rng(1), [10, 10])
    assert CompressionClassifier(kinds="text").fit({"t": texts}, y).record_.coders[0].expected == USUAL
    plain = CompressionClassifier(kinds="text", evidence_weights=None).fit({"t": texts}, y)
    assert plain.record_.coders[0].expected == USUAL


def test_what_was_chosen_is_saved(tmp_path):
    texts, y = _topics(np.random.default_rng(2), [30, 20, 10])
    model = CompressionClassifier(kinds="text").fit({"t": texts}, y)
    model.save(tmp_path / "m.likely")
    again = load(tmp_path / "m.likely")
    assert again.record_.coders[0].expected == model.record_.coders[0].expected
    assert again.predict_proba({"t": texts}) == pytest.approx(model.predict_proba({"t": texts}), abs=0)
