"""Base rates: estimated from batches without labels, and changed; duplicated evidence, and its repair."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import optimize
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import likely
from likely import (
    Average,
    Calibrated,
    GaussianClassifier,
    MixtureClassifier,
    NaiveBayes,
    Normal,
    estimate_base_rate,
)
from likely.compare import Known
from likely.decide import with_base_rate
from likely.decide.reweighted import rates_of, rows_behind
from likely.errors import LikelyError, LikelyWarning
from likely.score import calibration_error, log_loss


def draw(n: int, rates, seed: int = 0, apart: float = 2.0):
    rng = np.random.default_rng(seed)
    y = rng.choice(len(rates), n, p=rates)
    return (rng.normal(size=n) + apart * y)[:, None], y


def quietly(model, X, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LikelyWarning)
        return estimate_base_rate(model, X, **options)


def world(rng, n: int, rates):
    """Two columns that tell two classes or three apart, more or less; a row of each class at least."""
    y = np.concatenate([np.arange(len(rates)), rng.choice(len(rates), n - len(rates), p=rates)])
    return rng.normal(size=(n, 2)) + 1.5 * np.array([[0, 0], [1, 0], [0, 1]])[y], y


class TestEstimate:
    def test_is_the_maximum_of_the_likelihood(self):
        model = GaussianNB().fit(*draw(400, [0.5, 0.5]))
        X, _ = draw(200, [0.8, 0.2], 1)
        found = quietly(model, X)
        ratio = model.predict_proba(X) / model.class_prior_

        def loss(w):
            return -np.log(ratio @ [1 - w, w]).sum()

        peer = optimize.minimize_scalar(loss, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
        assert float(found.rates[1]) == pytest.approx(peer.x, abs=1e-4)
        # Wilks: the ends lose 3.841 / 2.
        for end in found.rates[1].interval:
            assert loss(end) - peer.fun == pytest.approx(3.841459 / 2, abs=1e-3)

    def test_profile_of_three_classes(self):
        model = GaussianNB().fit(*draw(900, [1 / 3] * 3))
        X, _ = draw(300, [0.6, 0.3, 0.1], 1)
        found = quietly(model, X)
        ratio = model.predict_proba(X) / model.class_prior_
        rates = np.array([float(r) for r in found.rates.values()])
        best = np.log(ratio @ rates).sum()

        def profile(t):
            def loss(v):
                return -np.log(ratio @ [v * (1 - t), t, (1 - v) * (1 - t)]).sum()

            return -optimize.minimize_scalar(loss, bounds=(0, 1), method="bounded").fun

        for end in found.rates[1].interval:
            assert best - profile(end) == pytest.approx(3.841459 / 2, abs=0.02)

    def test_intervals_cover(self):
        """60 batches at 90 %: 54 covered, give or take 2.3; 5 of these are allowed."""
        model = NaiveBayes(families="classical", evidence_weights=None).fit(*draw(20_000, [0.5, 0.5]))
        covered = 0
        for seed in range(60):
            low, high = quietly(model, draw(150, [0.7, 0.3], seed + 1)[0], level=0.9).rates[1].interval
            covered += low <= 0.3 <= high
        assert 43 <= covered <= 60

    def test_drift_is_noticed(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit(*draw(5000, [0.5, 0.5]))
        with pytest.warns(LikelyWarning, match="base rate has drifted: class"):
            found = estimate_base_rate(model, draw(300, [0.8, 0.2], 1)[0])
        assert found.drifted
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert not estimate_base_rate(model, draw(300, [0.5, 0.5], 3)[0]).drifted

    def test_drift_is_seldom_noticed_where_there_is_none(self):
        """50 batches at 1 %: more than 4 have the probability 1e-4."""
        model = NaiveBayes(families="classical", evidence_weights=None).fit(*draw(20_000, [0.5, 0.5]))
        found = [quietly(model, draw(300, [0.5, 0.5], seed)[0]) for seed in range(100, 150)]
        assert sum(batch.drifted for batch in found) <= 4

    @pytest.mark.parametrize(
        ("make", "rates"),
        [
            pytest.param(NaiveBayes, (0.5, 0.3, 0.2), marks=pytest.mark.long),
            pytest.param(NaiveBayes, (0.9, 0.1), marks=pytest.mark.long),
            pytest.param(likely.LogisticRegression, (0.7, 0.3), marks=pytest.mark.long),
            pytest.param(
                lambda: Calibrated(
                    NaiveBayes(families="classical", evidence_weights=None), method="logistic"
                ),
                (0.7, 0.3),
                marks=pytest.mark.long,
            ),
            (GaussianNB, (0.5, 0.3, 0.2)),
        ],
        ids=["naive Bayes", "a rare class", "logistic", "calibrated", "of scikit-learn"],
    )
    def test_the_test_of_drift_keeps_its_level(self, make, rates, monkeypatch):
        """200 models learnt from 60 to 1,000 rows, each with a batch of the same world: 5 % of the p-values
        are below .05, give or take 4 standard errors: 10 +- 12.3 (a false alarm in 30,000). If the base rate
        of training is taken for known, some 35 are."""
        monkeypatch.setattr("likely.decide.base_rate.profile_interval", lambda *_: (0.0, 1.0))  # takes long
        below = 0
        for seed in range(200):
            rng = np.random.default_rng(seed)
            rows, batch = [(60, 200), (200, 200), (300, 100), (1000, 500)][seed % 4]
            X, y = world(rng, rows, rates)
            below += quietly(make().fit(X, y), world(rng, batch, rates)[0]).p_value < 0.05
        assert below <= 22

    def test_rows_behind_a_model(self):
        X, y = draw(50, [0.5, 0.5])
        weighed = NaiveBayes(families="classical", evidence_weights=None).fit(
            X, y, sample_weight=np.full(50, 3.0)
        )
        models = {
            150: weighed,
            50: Average({"one": NaiveBayes(families="classical", evidence_weights=None)}).fit(X, y),
        }
        assert {rows: rows_behind(model) for rows, model in models.items()} == {150: 150, 50: 50}
        assert rows_behind(make_pipeline(StandardScaler(), GaussianNB()).fit(X, y)) == 50
        assert rows_behind(weighed, {0: 0.5, 1: 0.5}) == np.inf
        assert rows_behind(LinearDiscriminantAnalysis().fit(X, y)) == np.inf

    def test_p_values_are_uniform_where_all_is_known(self, monkeypatch):
        """500 batches of a world that is known: 25 below .05 and 250 below .5, within 4 standard errors."""
        monkeypatch.setattr("likely.decide.base_rate.profile_interval", lambda *_: (0.0, 1.0))
        rng = np.random.default_rng(1)
        truth = Known({0: {"x": Normal(0, 1)}, 1: {"x": Normal(1.5, 1)}}, {0: 0.7, 1: 0.3})
        found = np.array(
            [
                quietly(
                    truth, truth.sample(150, rng).drop(columns="class"), trained_on={0: 0.7, 1: 0.3}
                ).p_value
                for _ in range(500)
            ]
        )
        assert abs((found < 0.05).sum() - 25) < 4 * np.sqrt(500 * 0.05 * 0.95)
        assert abs((found < 0.5).sum() - 250) < 4 * np.sqrt(500 * 0.25)

    def test_drift_is_found_however_few_rows_taught(self):
        """The price of certainty: of 40 batches with .6 instead of .3, most are found; all with more rows."""
        for rows, least in ((100, 30), (1000, 40)):
            found = 0
            for seed in range(40):
                rng = np.random.default_rng(seed)
                model = NaiveBayes(families="classical", evidence_weights=None).fit(
                    *world(rng, rows, (0.7, 0.3))
                )
                found += quietly(model, world(rng, 200, (0.4, 0.6))[0]).p_value < 0.05
            assert found >= least

    def test_a_class_that_is_gone(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit(*draw(2000, [0.5, 0.5], apart=8))
        found = quietly(model, draw(200, [1.0, 0.0], 1, apart=8)[0])
        assert float(found.rates[1]) < 1e-3
        assert found.rates[1].interval[0] == 0
        assert 0.005 < found.rates[1].interval[1] < 0.03

    def test_one_row_and_one_class(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit(*draw(200, [0.5, 0.5]))
        found = quietly(model, [[0.0]])
        assert found.rates[0].interval[1] == 1.0
        alone = NaiveBayes(families="classical", evidence_weights=None).fit([[1.0], [2.0]], ["a", "a"])
        found = quietly(alone, [[1.0]])
        assert (float(found.rates["a"]), found.rates["a"].interval, found.p_value) == (1.0, (1.0, 1.0), 1.0)

    def test_it_mends_predictions(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit(*draw(5000, [0.5, 0.5]))
        X, y = draw(2000, [0.9, 0.1], 1)
        moved = with_base_rate(model, quietly(model, X).rates)
        plain, mended = log_loss(y, model.predict_proba(X)), log_loss(y, moved.predict_proba(X))
        assert plain - mended > 3 * (plain.standard_error + mended.standard_error)

    def test_table(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit(*draw(200, [0.5, 0.5]))
        frame = quietly(model, draw(100, [0.5, 0.5], 1)[0]).to_frame()
        assert list(frame.columns) == ["class", "base_rate", "low", "high", "trained"]


class TestWithBaseRate:
    @pytest.mark.parametrize(
        "model",
        [GaussianNB(), LinearDiscriminantAnalysis(), NaiveBayes(families="classical", evidence_weights=None)],
        ids=str,
    )
    def test_as_if_trained_so(self, model):
        X, y = draw(300, [0.5, 0.5])
        model.fit(X, y)
        moved = with_base_rate(model, {0: 0.9, 1: 0.1})
        p = model.predict_proba(X)
        rates = getattr(model, "class_prior_", getattr(model, "priors_", None))
        rates = np.bincount(y) / 300 if rates is None else rates
        odds = p[:, 1] / p[:, 0] * (0.1 / rates[1]) / (0.9 / rates[0])
        assert moved.predict_proba(X)[:, 1] == pytest.approx(odds / (1 + odds), abs=1e-3)
        assert moved.predict(X).tolist() == moved.predict_proba(X).argmax(axis=1).tolist()

    def test_of_a_pipeline_and_of_what_is_given(self):
        X, y = draw(300, [0.7, 0.3])
        inside = with_base_rate(make_pipeline(StandardScaler(), GaussianNB()).fit(X, y), "uniform")
        plain = with_base_rate(GaussianNB().fit(X, y), "uniform")
        assert inside.predict_proba(X) == pytest.approx(plain.predict_proba(X), abs=1e-6)
        model = LogisticRegression().fit(X, y)
        with pytest.raises(LikelyError, match="LogisticRegression does not say"):
            with_base_rate(model, "uniform")
        moved = with_base_rate(model, "uniform", trained_on={0: 0.7, 1: 0.3}).predict_proba(X)
        p = model.predict_proba(X) / [0.7, 0.3]
        assert moved == pytest.approx(p / p.sum(axis=1, keepdims=True))

    @pytest.mark.parametrize("missing", ["indicator", "average"])
    @pytest.mark.parametrize("g", [2, 3])
    def test_of_logistic_regression(self, g, missing):
        """The rule of all: each probability times new / old, brought to the sum 1."""
        X, y = draw(400, [0.5, 0.3, 0.2] if g == 3 else [0.7, 0.3], apart=1.0)
        model = likely.LogisticRegression(missing=missing).fit(X, y)
        new = dict(enumerate([0.1, 0.2, 0.7] if g == 3 else [0.1, 0.9]))
        p = model.predict_proba(X) * np.array(list(new.values())) / (np.bincount(y) / 400)
        moved = model.with_base_rate(new)
        assert moved.predict_proba(X) == pytest.approx(p / p.sum(axis=1, keepdims=True), abs=1e-12)
        assert moved.coef_ == pytest.approx(model.coef_)
        assert rates_of(moved) == pytest.approx(list(new.values()))
        if missing == "average":  # nothing known: the base rate is what is left
            assert moved.predict_proba([[np.nan]])[0] == pytest.approx(list(new.values()), abs=0.05)
        with pytest.raises(LikelyError, match="however small"):
            model.with_base_rate({**dict.fromkeys(range(g), 0.0), 0: 1.0})

    def test_moved_twice(self):
        model = GaussianNB().fit(*draw(300, [0.7, 0.3]))
        X, _ = draw(50, [0.5, 0.5], 1)
        once = with_base_rate(model, {0: 0.2, 1: 0.8})
        again = with_base_rate(with_base_rate(model, "uniform"), {0: 0.2, 1: 0.8})
        assert again.predict_proba(X) == pytest.approx(once.predict_proba(X), abs=1e-12)

    @pytest.mark.parametrize(
        "model",
        [
            GaussianClassifier(),
            MixtureClassifier(random_state=0),
            Calibrated(NaiveBayes(families="classical", evidence_weights=None)),
            likely.LogisticRegression(),
            BernoulliNB(),
        ],
        ids=lambda model: type(model).__name__,
    )
    def test_models_that_know_their_base_rate(self, model):
        """They move by the rule of all: each probability times new / old, brought to the sum 1."""
        X, y = draw(300, [0.7, 0.3])
        old = rates_of(model.fit(X, y))
        assert old[1] == pytest.approx(y.mean(), abs=0.005)
        moved = with_base_rate(model, {0: 0.2, 1: 0.8})
        p = model.predict_proba(X) * [0.2, 0.8] / old
        assert moved.predict_proba(X) == pytest.approx(p / p.sum(axis=1, keepdims=True), abs=1e-12)
        assert rates_of(moved) == pytest.approx([0.2, 0.8])
        found = quietly(moved, draw(4000, [0.5, 0.5], 1)[0])
        assert found.drifted
        assert float(found.rates[1]) == pytest.approx(0.5, abs=0.06)

    def test_of_an_average(self):
        X, y = draw(300, [0.7, 0.3])
        model = likely.Average(
            [NaiveBayes(families="classical", evidence_weights=None), GaussianNB()], weights="stack"
        ).fit(X, y)
        assert rates_of(model)[1] == pytest.approx(y.mean(), abs=0.005)
        moved = model.with_base_rate("uniform")
        parts = [with_base_rate(member, "uniform").predict_proba(X) for member in model.members_]
        assert moved.predict_proba(X) == pytest.approx(np.tensordot(model.weights_, parts, 1), abs=1e-12)
        assert model.predict_proba(X) == pytest.approx(
            np.tensordot(model.weights_, [m.predict_proba(X) for m in model.members_], 1), abs=1e-12
        )

    def test_a_class_that_was_never_seen(self):
        model = LogisticRegression().fit(*draw(100, [0.5, 0.5]))
        moved = with_base_rate(model, {0: 0.5, 1: 0.5}, trained_on={0: 1.0, 1: 0.0})
        with pytest.raises(LikelyError, match="never seen"):
            moved.predict_proba([[1.0]])


class TestDuplicatedEvidence:
    """A column that is there ten times counts ten times; calibration repairs the probabilities."""

    def rows(self, seed, times):
        X, y = draw(3000, [0.5, 0.5], seed)
        return np.repeat(X, times, axis=1), y

    def test_the_log_odds_count_it_so_often(self):
        once, often = (
            NaiveBayes(base_rate="uniform", families="classical", evidence_weights=None).fit(*self.rows(0, k))
            for k in (1, 10)
        )
        X, _ = self.rows(1, 1)
        odds = np.diff(once.predict_log_proba(X)).ravel()
        assert np.diff(often.predict_log_proba(np.repeat(X, 10, axis=1))).ravel() == pytest.approx(10 * odds)

    def test_calibration_repairs_it(self):
        X, y = self.rows(0, 10)
        new, truth = self.rows(1, 10)
        bold, mended = (
            NaiveBayes(families="classical", evidence_weights=None).fit(X, y),
            Calibrated(NaiveBayes(families="classical", evidence_weights=None)).fit(X, y),
        )
        p, q = bold.predict_proba(new), mended.predict_proba(new)
        assert (p.max(axis=1) > 0.999).mean() > 0.8
        assert calibration_error(truth, p).debiased > 0.1
        assert calibration_error(truth, q).debiased < 0.02
        once = (
            NaiveBayes(families="classical", evidence_weights=None).fit(X[:, :1], y).predict_proba(new[:, :1])
        )
        assert log_loss(truth, q) == pytest.approx(log_loss(truth, once), abs=0.01)
