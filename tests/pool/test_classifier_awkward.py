"""`Classifier` on tables that break learners: few rows, one class, many classes, nothing to go by."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import likely
from likely.errors import LikelyError, LikelyWarning

BUDGETS = ("additive", "fast", "default")
RNG = np.random.default_rng(0)


def sound(model, X, g):
    """Probabilities of all classes that add up to 1, however odd the row; and a ledger that sums to them."""
    p = model.predict_proba(X)
    assert p.shape == (len(model.predict(X)), g)
    assert np.isfinite(p).all()
    assert p.sum(axis=1) == pytest.approx(np.ones(len(p)), abs=1e-12)
    if g > 1 and model.record_.members:
        log_p, ledgers = model.predict_log_proba(X), model.explain(X)
        each = np.arange(len(log_p))
        odds = log_p[each, ledgers.favoured] - log_p[each, ledgers.against]
        assert np.abs(ledgers.total - odds).max() < 1e-12 * max(1.0, np.abs(odds).max())
    return p


@pytest.mark.parametrize("budget", BUDGETS)
class TestFewRows:
    def test_one_row(self, budget):
        model = likely.Classifier(budget).fit(pd.DataFrame({"a": [1.0]}), ["x"])
        assert model.predict_proba(pd.DataFrame({"a": [np.nan]})).tolist() == [[1.0]]

    def test_one_class(self, budget):
        X = RNG.normal(size=(30, 2))
        model = likely.Classifier(budget).fit(X, np.zeros(30, int))
        assert (model.predict(X) == 0).all()
        with pytest.raises(LikelyError, match="only the class 0"):
            model.explain(X)
        assert "one class" in str(model.describe())

    def test_two_rows_of_two_classes(self, budget):
        p = sound(likely.Classifier(budget).fit([[0.0], [1.0]], ["a", "b"]), [[0.0], [1.0], [9.0]], 2)
        assert p.max() < 0.95  # two rows say little

    def test_two_rows_a_class(self, budget):
        X = pd.DataFrame({"a": [1.0, 1.1, 5.0, 5.1, 9.0, 9.1], "b": list("uuvvww")})
        sound(likely.Classifier(budget).fit(X, list("aabbcc")), X, 3)

    def test_a_class_of_one_row(self, budget):
        X = RNG.normal(size=(40, 3))
        sound(likely.Classifier(budget).fit(X, ["a"] * 20 + ["b"] * 19 + ["c"]), X, 3)


@pytest.mark.parametrize("budget", BUDGETS)
class TestNothingToGoBy:
    def test_constant_and_missing_columns(self, budget):
        n = 60
        y = np.arange(n) % 2
        X = pd.DataFrame(
            {
                "same": np.ones(n),
                "gone": np.full(n, np.nan),
                "none": np.full(n, None, object),
                "one": ["level"] * n,
            }
        )
        p = sound(likely.Classifier(budget).fit(X, y), X, 2)
        assert np.abs(p - 0.5).max() < 0.02  # the base rate

    def test_noise_is_no_better_than_the_base_rate(self, budget):
        """Of 4,000 new rows: the loss may exceed the entropy of the base rate by no more than 2 %."""
        rng = np.random.default_rng(5)
        X, y = rng.normal(size=(300, 5)), (rng.random(300) < 0.3).astype(int)
        model = likely.Classifier(budget).fit(X, y)
        new, truth = rng.normal(size=(4000, 5)), (rng.random(4000) < 0.3).astype(int)
        loss = -model.predict_log_proba(new)[np.arange(4000), truth].mean()
        assert loss < 1.02 * -(0.3 * np.log(0.3) + 0.7 * np.log(0.7))

    def test_cells_never_seen(self, budget):
        rng = np.random.default_rng(6)
        y = rng.integers(0, 2, 80)
        X = pd.DataFrame({"a": rng.normal(size=80) + y, "b": np.where(y == 1, "u", "v")})
        new = pd.DataFrame({"a": [np.nan, 1e149, -1e149, 0.0], "b": ["never", None, "u", "v"]})
        sound(likely.Classifier(budget).fit(X, y), new, 2)


def test_200_classes():
    rng = np.random.default_rng(7)
    y = np.repeat(np.arange(200), 2)
    X = rng.normal(size=(400, 4)) + np.stack([y % 5, y // 5 % 5, y // 25 % 4, y // 100], axis=1) * 4
    p = sound(likely.Classifier("additive").fit(X, y), X[:50], 200)
    assert (p.argmax(axis=1) == y[:50]).mean() > 0.3  # chance: .005


def test_many_classes_leave_boosting_out():
    rng = np.random.default_rng(8)
    y = np.repeat(np.arange(40), 2)
    model = likely.Classifier(members=["additive", "boost"]).fit(rng.normal(size=(80, 2)), y)
    assert model.left_out_ == ("boost: 40 classes are too many",)
    assert set(model.weights_) == {"additive"}


@pytest.mark.long
def test_5000_columns():
    rng = np.random.default_rng(9)
    y = np.arange(100) % 2
    X = rng.normal(size=(100, 5000))
    X[:, 0] += 6 * y
    sound(likely.Classifier("fast").fit(X, y), X[:5], 2)


def test_texts_are_evidence_of_words():
    rng = np.random.default_rng(10)
    y = rng.integers(0, 2, 200)
    words = np.where(y == 1, "win money", "meeting noon")
    X = pd.DataFrame({"text": [f"{w} {rng.choice(list('abcd'))}" for w in words], "x": rng.normal(size=200)})
    model = likely.Classifier("fast", kinds={"text": "text"}).fit(X, y)
    new = pd.DataFrame({"text": ["win money", "noon meeting", None], "x": [0.0, 0.0, 0.0]})
    p = sound(model, new, 2)
    assert p[0, 1] > 0.9
    assert p[1, 0] > 0.9
    assert 0.2 < p[2, 1] < 0.8


def test_frames_of_any_library_say_the_same():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 2, 90)
    columns = {"a": rng.normal(size=90) + y, "b": [["u", "v"][i] for i in y]}
    ps = [
        likely.Classifier("fast").fit(table, y).predict_proba(table)
        for table in (columns, pd.DataFrame(columns), pl.DataFrame(columns))
    ]
    assert all(np.array_equal(p, ps[0]) for p in ps)


def test_what_cannot_be_is_refused():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(LikelyError, match="budget='huge'"):
        likely.Classifier("huge").fit(X, y)
    with pytest.raises(LikelyError, match="no 'oracle'"):
        likely.Classifier(members=["oracle"]).fit(X, y)
    with pytest.raises(LikelyError, match="infinity"):
        likely.Classifier().fit([[np.inf], [0.0]], y)


def test_an_interrupt_gives_the_pool_so_far(monkeypatch):
    from likely.pool import recipe

    def interrupted(rows):
        raise KeyboardInterrupt

    monkeypatch.setitem(recipe.MEMBERS, "net", interrupted)
    rng = np.random.default_rng(12)
    y = rng.integers(0, 2, 100)
    with pytest.warns(LikelyWarning, match="interrupted while net"):
        model = likely.Classifier().fit(rng.normal(size=(100, 2)) + y[:, None], y)
    assert set(model.weights_) == {"additive", "lines", "evidence"}
    monkeypatch.setitem(recipe.MEMBERS, "additive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        likely.Classifier().fit(rng.normal(size=(100, 2)), y)


def test_seconds_are_kept():
    rng = np.random.default_rng(13)
    y = rng.integers(0, 2, 100)
    model = likely.Classifier(1e-9).fit(rng.normal(size=(100, 2)), y)
    assert set(model.weights_) == {"additive"}
    assert "time was up" in model.left_out_[0]


def test_the_same_number_gives_the_same_model():
    rng = np.random.default_rng(14)
    y = rng.integers(0, 3, 120)
    X = rng.normal(size=(120, 3)) + y[:, None]
    first, second = (likely.Classifier(random_state=3).fit(X, y).predict_log_proba(X) for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, likely.Classifier(random_state=4).fit(X, y).predict_log_proba(X))


def test_rows_without_weight_are_not_there():
    rng = np.random.default_rng(15)
    y = rng.integers(0, 2, 100)
    X = rng.normal(size=(100, 2)) + y[:, None]
    weight = (np.arange(100) < 80).astype(float)
    a = likely.Classifier("fast").fit(X, y, weight).predict_log_proba(X)
    b = likely.Classifier("fast").fit(X[:80], y[:80]).predict_log_proba(X)
    assert np.array_equal(a, b)


def test_weights_move_the_base_rate():
    rng = np.random.default_rng(16)
    y = np.arange(400) % 2
    X = rng.normal(size=(400, 1))
    p = likely.Classifier().fit(X, y, np.where(y == 1, 3.0, 1.0)).predict_proba(X)[:, 1]
    assert p.mean() == pytest.approx(0.75, abs=0.02)


def test_large_tables_are_sampled_and_say_so(monkeypatch):
    from likely.pool import learn

    monkeypatch.setattr(learn, "MOST_ROWS", 100)
    rng = np.random.default_rng(17)
    y = np.r_[np.arange(998) % 2, 2, 2]
    X = rng.normal(size=(1000, 2)) + y[:, None]
    model = likely.Classifier("additive").fit(X, y)
    (said,) = model.left_out_
    assert said.startswith("rows: all members but additive learnt from")
    assert said.endswith("of 1000")
    assert model.classes_.tolist() == [0, 1, 2]  # also the class of two rows
    assert model.base_rate_ == pytest.approx([0.499, 0.499, 0.002])
    assert said in str(model.describe())
    sound(model, X[:20], 3)
