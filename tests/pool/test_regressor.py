"""`Regressor`: what it predicts, how far that is known, and how it adds up."""

from __future__ import annotations

import pickle
from dataclasses import astuple
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.integrate import quad
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge

import likely
from likely.errors import LikelyError
from likely.pool.error_shape import ErrorShape
from likely.pool.outcomes import OutcomeSupport, outcomes_of
from likely.pool.reading.goals import NumberGoal
from likely.pool.reading.reading import Reading
from likely.pool.reading.ridge import ridge_path
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.step_design import Directions
from likely.table.frame import Frame
from likely.table.schema import Schema

RNG = np.random.default_rng(0)
N = 240
KIND = RNG.choice(np.array(["u", "v", "w"], object), N)
A, B = RNG.normal(size=N), RNG.normal(size=N)
TABLE = pd.DataFrame({"a": np.where(RNG.random(N) < 0.1, np.nan, A), "b": B, "kind": KIND})
Y = 3 * np.nan_to_num(TABLE["a"].to_numpy()) + B**2 + (KIND == "u") + RNG.normal(size=N) + 20


@pytest.fixture(scope="module")
def model() -> likely.Regressor:
    return likely.Regressor("fast").fit(TABLE, Y)


@pytest.fixture(scope="module")
def whole() -> likely.Regressor:
    counts = np.random.default_rng(1).poisson(np.exp(0.5 * np.nan_to_num(B) + 1))
    return likely.Regressor("additive").fit(TABLE, counts)


@pytest.mark.parametrize("weighed", [False, True])
def test_ridge_regressions_are_those_of_scikit_learn(weighed, monkeypatch):
    """Every fold, and the whole; here one ridge, alpha = ridge."""
    monkeypatch.setattr("likely.pool.reading.descent.STEPS", 10_000)
    monkeypatch.setattr("likely.pool.reading.descent.FLAT", 0.0)
    monkeypatch.setattr("likely.pool.reading.ridge.SLOPE", 1e-9)
    rng = np.random.default_rng(3)
    X, weight = rng.normal(size=(120, 4)), rng.integers(1, 4, 120) * 1.0 if weighed else np.ones(120)
    y, fold, groups = X @ [1.0, 2.0, 0.0, -1.0] + rng.normal(size=120), np.arange(120) % 5, np.zeros(120, int)
    frame = Frame.of(X)
    reading, view = Reading.learn(Schema.learn(frame, None), frame, groups, 1, weight, fold)
    rows = TaughtRows(reading, view, NumberGoal(y), groups, weight, fold, 0)
    turned = Directions.of(X, weight)
    path = ridge_path(turned, rows, np.array([2.0]))
    peer = Ridge(2.0).fit(X, y, weight)
    assert (turned.turn @ path.slopes[0])[:, 0] == pytest.approx(peer.coef_, abs=1e-6)
    for f in range(5):
        own = fold == f
        theirs = Ridge(2.0).fit(X[~own], y[~own], weight[~own]).predict(X[own])
        assert path.scores[own, 0] == pytest.approx(theirs, abs=1e-6)


def test_predictions_follow_the_truth(model):
    """Noise of variance 1 is all that a perfect model leaves: of 2,000 new rows, R2 within a tenth."""
    rng = np.random.default_rng(4)
    new = pd.DataFrame(
        {"a": rng.normal(size=2000), "b": rng.normal(size=2000), "kind": rng.choice(list("uvw"), 2000)}
    )
    truth = 3 * new["a"] + new["b"] ** 2 + (new["kind"] == "u") + rng.normal(size=2000) + 20
    best = 1 - 1 / truth.var()
    assert best - 0.1 < model.score(new, truth) < best + 0.05


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_intervals_cover_as_often_as_they_say(level):
    """Errors that grow with a column, and are skewed; the share of 4,000 rows has an sd below .01."""
    rng = np.random.default_rng(5)
    X = rng.uniform(0, 1, (4600, 2))
    y = 5 * X[:, 0] + (0.3 + 2 * X[:, 1]) * (rng.exponential(size=4600) - 1)
    model = likely.Regressor("additive").fit(X[:600], y[:600])
    told = model.predict_interval(X[600:], level)
    inside = (told.lower <= y[600:]) & (y[600:] <= told.upper)
    assert inside.mean() == pytest.approx(level, abs=0.05)
    few, many = X[600:, 1] < 0.3, X[600:, 1] > 0.7  # neither where errors are small, nor where they are large
    assert inside[few].mean() == pytest.approx(level, abs=0.1)
    assert inside[many].mean() == pytest.approx(level, abs=0.1)


class TestDistribution:
    def test_densities_and_masses_add_up_to_one(self, model, whole):
        one = model.predict_distribution(TABLE[:1])
        start, scale = (
            one._placed[0][0],
            one._placed[1][0],
        )  # the density is flat between the knots from there
        places = start + scale * np.concatenate([[-400], one.errors.knots, [400]])
        inner = places[(places > 0)]
        total = sum(
            quad(lambda x: float(np.exp(one.log_prob(x))[0]), a, b)[0]
            for a, b in zip([0.0, *inner], inner, strict=False)
        )
        assert total == pytest.approx(1, abs=1e-6)
        counts = whole.predict_distribution(TABLE[:5])
        assert np.exp([counts.log_prob(float(k)) for k in range(400)]).sum(axis=0) == pytest.approx(
            np.ones(5), abs=1e-9
        )

    def test_quantiles_undo_shares(self, model):
        outcome = model.predict_distribution(TABLE[:20])
        for q in (1e-6, 0.05, 0.5, 0.95, 1 - 1e-6):
            at = outcome.quantile(q)
            assert outcome.cdf(at) == pytest.approx(np.full(20, q), rel=1e-6)
            assert outcome.sf(at) == pytest.approx(np.full(20, 1 - q), rel=1e-6)

    def test_whole_quantiles_are_the_least_that_reach_the_share(self, whole):
        outcome = whole.predict_distribution(TABLE[:20])
        at = outcome.quantile(0.8)
        assert (np.floor(at) == at).all()
        assert (outcome.cdf(at) >= 0.8 - 1e-9).all()
        assert (outcome.cdf(at - 1) < 0.8).all()

    def test_nothing_leaves_the_support(self, whole):
        outcome = whole.predict_distribution(TABLE)
        assert astuple(whole.record_.support)[:3] == (0.0, np.inf, True)
        assert (whole.predict(TABLE) >= 0).all()
        assert (outcome.sample(20, random_state=0) >= 0).all()
        assert outcome.log_prob(-1.0).max() == outcome.log_prob(2.5).max() == -np.inf
        assert (whole.predict_interval(TABLE, 0.99).lower >= 0).all()

    def test_moments_are_those_of_draws(self, model, whole):
        for one in (model, whole):
            outcome = one.predict_distribution(TABLE[:3])
            drawn = outcome.sample(40_000, random_state=1)
            assert outcome.mean == pytest.approx(drawn.mean(axis=0), rel=0.02)
            assert outcome.sd == pytest.approx(drawn.std(axis=0), rel=0.05)

    @pytest.mark.parametrize("wide", [1.0, 3e5])  # in which whole numbers are few, and as good as any
    @pytest.mark.parametrize("location", [0.05, 0.4, 1.3, 6.0, 40.0])
    def test_what_is_expected_is_met_though_the_support_ends(self, location, wide):
        """Skewed errors, sizes from 5 % of the expectation to all of it, and what sums and integrals say."""
        errors = np.random.default_rng(2).exponential(size=300) - 1
        shape = ErrorShape.learn(errors, np.ones(300))
        scale = wide * location * np.array([0.05, 0.5, 1.3])
        for whole in (False, True):
            support = OutcomeSupport(0.0, np.inf, whole)
            outcome = outcomes_of(np.full(3, wide * location), scale, shape, support)
            at = outcome.quantile(np.append((np.arange(20_000) + 0.5) / 20_000, 1 - 1e-9)[:, None])
            if whole and wide == 1:
                k = np.arange(4000.0)[:, None]
                p = np.exp(outcome.log_prob(k))
                assert p.sum(axis=0) == pytest.approx(np.ones(3), abs=1e-9)
                assert (p * k).sum(axis=0) == pytest.approx(outcome.mean, rel=1e-9)
                assert ((p * k**2).sum(axis=0) - outcome.mean**2) == pytest.approx(outcome.variance, rel=0.03)
                assert np.cumsum(p, axis=0) == pytest.approx(outcome.cdf(k), abs=1e-9)
            else:
                assert at[:-1].mean(axis=0) == pytest.approx(outcome.mean, rel=2e-4)
            assert (at >= 0).all()
            assert (outcome.cdf(at) >= outcome.cdf(at - wide * 0.01)).all()

    def test_areas_beyond_a_place(self):
        shape = ErrorShape.learn(np.random.default_rng(2).exponential(size=50) - 1, np.ones(50))
        ends = np.array([shape.knots[0] - 60 / shape.tails[0], shape.knots[-1] + 60 / shape.tails[1]])
        for z in (ends[0] / 2, -1.1, 0.3, shape.knots[-1], ends[1] / 2):
            grid = np.unique(np.concatenate([[z], shape.knots, ends]))
            over, under = grid[grid >= z], grid[grid <= z]
            above = sum(quad(shape.sf, a, b)[0] for a, b in pairwise(over))
            below = sum(quad(shape.cdf, a, b)[0] for a, b in pairwise(under))
            assert shape.excess(np.array(z)) == pytest.approx(above, rel=1e-9)
            assert shape.shortfall(np.array(z)) == pytest.approx(below, rel=1e-9)
            assert shape.sf(np.array(z), 0.4) == pytest.approx(quad(shape.sf, z - 0.4, z)[0] / 0.4, rel=1e-6)
            assert shape.cdf(np.array(z), 0.4) == pytest.approx(
                quad(shape.cdf, z - 0.4, z)[0] / 0.4, rel=1e-6
            )

    def test_supports(self):
        assert OutcomeSupport.of(np.array([-1.0, 2.5])) == OutcomeSupport(-np.inf, np.inf, False)
        assert OutcomeSupport.of(np.array([0.1, 0.9])) == OutcomeSupport(0.0, np.inf, False)
        assert OutcomeSupport.of(np.array([980.0, 1020.0])) == OutcomeSupport(-np.inf, np.inf, True)

    def test_errors_of_a_normal_are_a_normal(self):
        """Of 20,000 draws: the distribution function is within .02 (chance of more: below 1e-6)."""
        z = np.random.default_rng(6).normal(size=20_000)
        shape = ErrorShape.learn(z, np.ones(len(z)))
        at = np.array([-1.645, -1.0, 0.0, 1.0, 1.645])
        assert shape.cdf(at) == pytest.approx([0.05, 0.1587, 0.5, 0.8413, 0.95], abs=0.02)
        assert shape.moments == pytest.approx((0, 1), abs=0.1)
        assert shape.cdf(at) + shape.sf(at) == pytest.approx(np.ones(5), abs=1e-12)
        one = outcomes_of(np.zeros(1), np.ones(1), shape, OutcomeSupport(-np.inf, np.inf, False))
        assert -one.log_prob(z[:2000]).mean() == pytest.approx(1.4189, abs=0.05)


def test_lines_sum_to_the_prediction(model, whole):
    for one in (model, whole):
        told = one.explain(TABLE)
        assert np.abs(told.total - one.predict(TABLE)).max() < 1e-12 * np.abs(Y).max()
        assert told.names == ("a", "b", "kind", "interactions, together")
    assert whole.explain(TABLE[:5]).to_dict(0)["prediction"] == pytest.approx(whole.predict(TABLE[:1])[0])


def test_curves_are_the_lines(model):
    curves, lines = model.curves(TABLE), model.explain(TABLE)
    for value, effect in zip(curves["kind"].values, curves["kind"].effect, strict=True):
        assert lines.terms[value == KIND, 2] == pytest.approx(
            np.full((value == KIND).sum(), effect), abs=1e-9
        )
    gone = TABLE["a"].isna().to_numpy()
    assert curves["a"].values[-1] is None
    assert lines.terms[gone, 0] == pytest.approx(np.full(gone.sum(), curves["a"].effect[-1]), abs=1e-9)
    assert (curves["b"].lower <= curves["b"].upper).all()
    assert len(curves.to_frame()) == sum(len(curve.values) for curve in curves)
    assert model.importance(TABLE).names == ("a", "b", "kind")


def test_questions(model):
    assert float(model.ask("E(y)")) == pytest.approx(Y.mean(), abs=0.5)
    one = pd.DataFrame({"a": [1.0], "b": [0.5], "kind": ["u"]})
    outcome = model.predict_distribution(one)
    assert float(model.ask("P(y > 23 | a=1, b=0.5, kind=u)")) == pytest.approx(
        float(outcome.sf(23.0)[0]), rel=1e-9
    )
    assert float(model.ask("E(y | a=1, b=0.5, kind=u)")) == pytest.approx(float(outcome.mean[0]), rel=1e-12)
    assert outcome.mean[0] == model.predict(one)[0]
    with pytest.raises(LikelyError, match="not how 'kind' is distributed"):
        model.ask("P(kind=u | y > 3)")


def test_what_is_expected_of_numbers_above_0_is_the_same_however_it_is_asked():
    """Lognormal rows: predictions, the distribution, its draws and questions agree, and none is too high."""
    rng = np.random.default_rng(11)
    x = rng.normal(size=(400, 2))
    y = np.exp(1 + 0.5 * x[:, 0] + rng.normal(size=400))
    table = {"a": x[:, 0], "b": x[:, 1]}
    model = likely.Regressor("additive").fit(table, y)
    outcome, told = model.predict_distribution(table), model.predict(table)
    assert np.array_equal(outcome.mean, told)
    assert (told > 0).all()
    drawn = outcome.sample(2000, random_state=0)
    apart = (drawn.mean(axis=0) - told) / (outcome.sd / np.sqrt(2000))
    assert np.abs(apart).mean() < 1  # .8 of a normal
    assert told.mean() == pytest.approx(y.mean(), abs=3 * y.std() / 20)
    one = {name: column[:1] for name, column in table.items()}
    asked = model.ask(f"E(y | a={float(one['a'][0])!r}, b={float(one['b'][0])!r})")
    assert float(asked) == pytest.approx(told[0], rel=1e-12)
    at_nothing = model.predict({"a": [np.nan], "b": [np.nan]})
    assert float(model.ask("E(y)")) == pytest.approx(at_nothing[0], rel=1e-12)


@pytest.mark.parametrize("budget", ["additive", "fast", "default", "best"])
def test_files_come_back_to_the_last_bit(budget, tmp_path):
    model = likely.Regressor(budget).fit(TABLE[:80], Y[:80])
    model.save(tmp_path / "a.likely")
    again = likely.load(tmp_path / "a.likely")
    assert np.array_equal(again.predict(TABLE), model.predict(TABLE))
    assert np.array_equal(again.predict_interval(TABLE).upper, model.predict_interval(TABLE).upper)
    assert str(again.describe()) == str(model.describe())
    assert np.array_equal(again.explain(TABLE).terms, model.explain(TABLE).terms)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(TABLE), model.predict(TABLE))
    assert "same" in str(likely.diff(model, again))


class TestAwkward:
    @pytest.mark.parametrize("n", [1, 2, 3, 7])
    def test_few_rows(self, n):
        model = likely.Regressor("fast").fit(TABLE[:n], Y[:n])
        told = model.predict_interval(TABLE[:5])
        assert np.isfinite([told.lower, told.prediction, told.upper]).all()
        assert (told.lower < told.upper).all()

    @pytest.mark.parametrize("scale", [1e-140, 1.0, 1e140])
    def test_numbers_of_any_size(self, scale):
        model = likely.Regressor("fast").fit(TABLE, Y * scale)
        plain = likely.Regressor("fast").fit(TABLE, Y)
        assert model.predict(TABLE) / scale == pytest.approx(plain.predict(TABLE), rel=1e-6)
        assert np.isfinite(model.predict_interval(TABLE).upper).all()

    def test_all_the_same(self):
        model = likely.Regressor("default").fit(TABLE, np.full(N, 7.0))
        assert (model.predict(TABLE) == 7).all()
        assert "same" in str(model.describe())
        assert model.explain(TABLE[:2]).total.tolist() == [7.0, 7.0]

    def test_columns_that_say_nothing(self):
        X = pd.DataFrame(
            {"same": np.ones(60), "gone": np.full(60, np.nan), "none": np.full(60, None, object)}
        )
        model = likely.Regressor("default").fit(X, Y[:60])
        assert model.predict(X) == pytest.approx(np.full(60, Y[:60].mean()), abs=0.05 * Y[:60].std())

    def test_noise_is_no_worse_than_the_mean(self):
        """Of 4,000 new rows: the squared error may exceed the variance by no more than 3 %."""
        rng = np.random.default_rng(8)
        X, y = rng.normal(size=(4300, 5)), rng.normal(size=4300)
        model = likely.Regressor().fit(X[:300], y[:300])
        assert np.square(model.predict(X[300:]) - y[300:]).mean() < 1.03 * y[300:].var()

    def test_texts_and_odd_cells(self):
        X = pd.DataFrame({"t": np.where(B > 0, "good house", "bad shed"), "x": A})
        model = likely.Regressor("fast", kinds={"t": "text"}).fit(X, Y)
        new = pd.DataFrame({"t": ["good", None, "never"], "x": [np.nan, 1e149, -1e149]})
        assert np.isfinite(model.predict(new)).all()
        assert np.isfinite(model.predict_interval(new).lower).all()

    def test_frames_of_any_library_say_the_same(self):
        columns = {"b": B, "kind": KIND.tolist()}
        told = [
            likely.Regressor("additive").fit(table, Y).predict(table)
            for table in (columns, pd.DataFrame(columns), pl.DataFrame(columns))
        ]
        assert all(np.array_equal(one, told[0]) for one in told)

    def test_rows_without_weight_are_not_there(self):
        weight = (np.arange(N) < 200).astype(float)
        a = likely.Regressor("fast").fit(TABLE, Y, weight).predict(TABLE)
        assert np.array_equal(a, likely.Regressor("fast").fit(TABLE[:200], Y[:200]).predict(TABLE))

    def test_what_cannot_be_is_refused(self):
        with pytest.raises(LikelyError, match="needs numbers"):
            likely.Regressor().fit(TABLE, KIND)
        with pytest.raises(LikelyError, match="evidence: it is of classes"):
            likely.Regressor(members=["evidence"]).fit(TABLE, Y)


def test_no_worse_than_a_line_on_the_diabetes_table():
    X, y = load_diabetes(return_X_y=True)
    mine, line = (
        likely.Regressor("fast").fit(X[:300], y[:300]),
        likely.LinearRegression("auto").fit(X[:300], y[:300]),
    )
    assert mine.score(X[300:], y[300:]) > line.score(X[300:], y[300:]) - 0.02
    told = mine.predict_distribution(X[300:]).log_prob(y[300:]).mean()
    assert told > line.predict_distribution(X[300:]).log_prob(y[300:]).mean() - 0.01
