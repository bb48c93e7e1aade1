"""Intervals of probabilities, curves of columns, pairs of columns, where the truth is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likely
from likely.errors import LikelyError
from likely.pool.pooling import variance_of

RNG = np.random.default_rng(0)


def made(n, seed=0):
    """Two columns that act together, one alone, one of levels that says something, one of noise."""
    rng = np.random.default_rng(seed)
    a, b, c, noise = rng.normal(size=(4, n))
    kind = rng.choice(np.array(["u", "v", "w"], object), n)
    log_odds = 1.5 * a * b + c + (kind == "u")
    p = 1 / (1 + np.exp(-log_odds))
    gone = np.where(rng.random(n) < 0.1, np.nan, noise)
    X = pd.DataFrame({"a": a, "b": b, "c": c, "kind": kind, "noise": gone})
    return X, np.where(rng.random(n) < p, "yes", "no"), p


X, Y, P = made(900)


@pytest.fixture(scope="module")
def model() -> likely.Classifier:
    return likely.Classifier(members=["additive", "kernel", "forest"]).fit(X, Y)


def test_intervals_hold_the_true_probability(model):
    """At .9, of 2,000 new rows .8 at least; and at .5 fewer than at .9. No chance: all seeds are fixed."""
    new, _, p = made(2000, 1)
    told, half = model.predict_interval(new), model.predict_interval(new, 0.5)
    assert told.probability == pytest.approx(model.predict_proba(new), abs=1e-12)
    inside = (told.lower[:, 1] <= p) & (p <= told.upper[:, 1])
    assert inside.mean() > 0.8
    assert ((half.lower[:, 1] <= p) & (p <= half.upper[:, 1])).mean() < inside.mean()
    assert (told.upper - told.lower).mean() < 0.6  # and they say something
    assert told.lower[:, 0] == pytest.approx(1 - told.upper[:, 1], abs=1e-12)


def test_more_rows_are_surer():
    few, many = (likely.Classifier("additive").fit(X[:n], Y[:n]).predict_interval(X[:50]) for n in (60, 900))
    assert (many.upper - many.lower).mean() < 0.6 * (few.upper - few.lower).mean()
    assert many.cases.mean() > few.cases.mean()


@pytest.mark.parametrize("members", [["forest"], ["boost"], ["additive"], ["evidence", "net"]])
def test_every_member_alone_has_intervals(members):
    y = np.array(["a", "b", "c"])[np.arange(len(X)) % 3]
    told = likely.Classifier(members=members).fit(X[:120], y[:120]).predict_interval(X[:20])
    assert ((told.lower > 0) & (told.lower <= told.probability)).all()
    assert ((told.probability <= told.upper) & (told.upper < 1)).all()


def test_intervals_of_odd_rows(model):
    odd = {
        "a": [None, 1e149],
        "b": [0.0, None],
        "c": [None, None],
        "kind": ["never", None],
        "noise": [None, 1.0],
    }
    told = model.predict_interval(odd)
    assert told.probability == pytest.approx(model.predict_proba(odd), abs=1e-12)
    assert ((told.lower < told.probability) & (told.probability < told.upper)).all()
    with pytest.raises(LikelyError, match="level"):
        model.predict_interval(odd, 1.5)
    alone = likely.Classifier().fit(X[:9], ["x"] * 9).predict_interval(X[:2])
    assert alone.lower.tolist() == alone.upper.tolist() == [[1.0], [1.0]]


def test_other_base_rates_move_intervals_too(model):
    moved = model.with_base_rate({"no": 0.9, "yes": 0.1})
    before, after = (one.predict_interval(X[:20]) for one in (model, moved))
    assert (after.upper[:, 1] < before.upper[:, 1]).all()
    assert after.probability == pytest.approx(moved.predict_proba(X[:20]), abs=1e-12)


def test_the_spread_is_the_jackknife_s_and_the_members():
    """By hand: folds at 1 and 3 about 2, members at 0 and 4 (a quarter and three quarters) about 2."""
    values = np.array([2.0, 1.0, 3.0, 0.0, 4.0])
    assert float(variance_of(values, 2, np.array([0.25, 0.75]))) == pytest.approx(0.5 * 2 + 4)


def test_curves_are_the_lines_of_the_ledgers(model):
    curves, ledgers = model.curves(X), model.explain(X, favoured="yes")
    kind = X["kind"].to_numpy()
    for value, effect in zip(curves["kind"].values, curves["kind"].effect, strict=True):
        assert ledgers.terms[kind == value, 3] == pytest.approx(
            np.full((kind == value).sum(), effect), abs=1e-9
        )
    gone = X["noise"].isna().to_numpy()
    assert curves["noise"].values[-1] is None
    assert curves["noise"].effect[-1] == pytest.approx(ledgers.terms[gone, 4][0], abs=1e-9)
    at = np.interp(0.7, curves["c"].values, curves["c"].effect)
    there = model.explain(X.assign(c=0.7), favoured="yes").terms[0, 2]
    assert at == pytest.approx(there, abs=0.2)  # between knots, beside a step
    assert sum(curves["kind"].rows) == len(X)
    assert "what each column adds" in str(curves)
    with pytest.raises(LikelyError, match="no curve of 'x'"):
        curves["x"]


def test_curves_hold_the_true_function(model):
    """The line of c has slope 1, and noise has none: inside the intervals at most of the knots."""
    curves = model.curves(X)
    middle = np.abs(np.array(curves["c"].values)) < 2
    c = curves["c"]
    inside = (c.lower <= np.array(c.values)) & (np.array(c.values) <= c.upper)
    assert inside[middle].mean() > 0.7
    none = curves["noise"]
    assert ((none.lower <= 0) & (none.upper >= 0)).mean() > 0.8
    assert c.strength > 3 * none.strength


def test_pairs_that_act_together_are_named(model):
    pairs = model.interactions(X)
    assert set(pairs[0].names) == {"a", "b"}
    assert pairs["b", "a"] is pairs[0]
    assert 0.1 < pairs.together < 1
    effect = pairs[0].effect  # of a product: the corners, two above and two below
    assert min(effect[0, 0], effect[-1, -1]) > 0.2 > -0.2 > max(effect[0, -1], effect[-1, 0])
    rows = pairs[0].rows
    assert rows.sum() == len(X)
    assert np.abs((rows * effect * (rows + 5) / np.maximum(rows, 1)).sum(axis=0)).max() < 1e-6 * len(X)
    assert len(pairs.to_frame()) == sum(pair.effect.size for pair in pairs)
    with pytest.raises(LikelyError, match="not among"):
        pairs["c", "nothing"]


def test_an_additive_pool_has_no_pairs():
    pairs = likely.Classifier("additive").fit(X, Y).interactions(X)
    assert len(pairs) == 0
    assert pairs.together < 1e-9
    assert "no pair stands out" in str(pairs)
    with pytest.raises(LikelyError, match="nothing to draw"):
        pairs.plot()


def test_pictures(model):
    panels = model.curves(X).plot(top=4)
    assert len(panels) == 4
    assert {ax.get_title(loc="left") for ax in panels} <= set(X.columns)
    ax = model.interactions(X).plot()
    assert ax.get_ylabel() in ("a", "b")


def test_two_classes_are_weighed_as_named():
    y = np.array(["a", "b", "c"])[np.arange(len(X)) % 3]
    three = likely.Classifier("additive").fit(X, y)
    one, other = three.curves(X, "a", "b")["c"], three.curves(X, "b", "a")["c"]
    assert one.effect == pytest.approx(-other.effect, abs=1e-12)
    assert one.lower == pytest.approx(-other.upper, abs=1e-9)
    with pytest.raises(LikelyError, match="against itself"):
        three.curves(X, "a", "a")
    with pytest.raises(LikelyError, match="only the class"):
        likely.Classifier().fit(X[:9], ["x"] * 9).curves(X)
