"""A row of weight w is the row w times, and a row of weight 0 is no row: for whatever learns from scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, log_softmax, softmax

from likely import Calibrated, Decider, NaiveBayes, calibrate
from likely.calibrate.methods import METHODS, fit_method
from likely.compare.weights import stacked
from likely.decide.recalibrate import class_weights
from likely.decide.rules import risk_at

WEIGHTS = {
    "small whole numbers": lambda rng, n: rng.integers(0, 4, n),
    "one heavy row": lambda rng, n: np.where(np.arange(n) == n // 2, 9, 1),
    "all five": lambda rng, n: np.full(n, 5),
    "extreme rows without weight": lambda rng, n: np.where(np.arange(n) < 2, 0, 2),
}
MAPS = {
    "means": calibrate.logistic_by_means,
    "logistic": calibrate.logistic,
    "beta": lambda y, score, **w: calibrate.beta(y, expit(score), **w),
    "isotonic": calibrate.isotonic,
    "isotonic neutral": lambda y, score, **w: calibrate.isotonic(y, score, smoothing="neutral", **w),
    "isotonic plain": lambda y, score, **w: calibrate.isotonic(y, score, smoothing=None, **w),
    "binned": calibrate.binned,
    "binned in four": lambda y, score, **w: calibrate.binned(y, score, bins=4, **w),
}
SCORES = {
    "noisy": lambda rng, y: rng.normal(size=len(y)) + 1.2 * y,
    "ties": lambda rng, y: np.round(rng.normal(size=len(y)) + 1.2 * y),
    "separable": lambda rng, y: rng.random(len(y)) + 2 * y,
    "without spread": lambda rng, y: 2.0 * y,
    "falling": lambda rng, y: rng.normal(size=len(y)) - 1.2 * y,
}
close = {"rel": 1e-7, "abs": 1e-9}


def case(seed, scores, weights, n=60):
    """Labels, scores, weights, and the rows as often as they weigh; the first two scores are extreme."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    score = SCORES[scores](rng, y)
    score[:2] = [300.0, -300.0] if weights.startswith("extreme") else score[:2]
    w = WEIGHTS[weights](rng, n)
    return y, score, w, np.repeat(np.arange(n), w)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("scores", SCORES)
@pytest.mark.parametrize("name", MAPS)
def test_every_map(name, scores, weights):
    for seed in range(3):
        y, score, w, often = case(seed, scores, weights)
        once, repeated = MAPS[name](y, score, weight=w), MAPS[name](y[often], score[often])
        new = np.linspace(-4, 5, 50) if name != "beta" else expit(np.linspace(-4, 5, 50))
        assert once(new) == pytest.approx(repeated(new), **close)
        assert once.base_rate == pytest.approx(repeated.base_rate)


def several(seed, g, weights, n=60):
    """Labels and log-probabilities of g classes, too bold; the first two rows are certain of their class."""
    rng = np.random.default_rng(seed)
    eta = rng.normal(size=(n, g)) * 3
    codes = (softmax(eta / 2, axis=1).cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, g - 1)
    if weights.startswith("extreme"):
        eta[:2, 0] += 300
    w = WEIGHTS[weights](rng, n)
    return codes, log_softmax(eta, axis=1), w, np.repeat(np.arange(n), w)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("g", [2, 3, 4])
class TestSeveralClasses:
    def test_temperature(self, g, weights):
        for seed in range(5):
            codes, log_p, w, often = several(seed, g, weights)
            p, classes = np.exp(log_p), np.arange(g)
            once = calibrate.temperature(codes, p, classes=classes, weight=w)
            repeated = calibrate.temperature(codes[often], p[often], classes=classes)
            assert once.sharpening == pytest.approx(repeated.sharpening, **close)
            assert once(p) == pytest.approx(repeated(p), **close)

    @pytest.mark.parametrize("odds", [True, False], ids=["probabilities", "scores"])
    @pytest.mark.parametrize("method", METHODS)
    def test_every_method(self, g, weights, method, odds):
        if not odds and method in ("none", "beta"):
            pytest.skip("for probabilities only")
        codes, log_p, w, often = several(7, g, weights)
        once = fit_method(method, log_p, codes, np.arange(g), w.astype(float), odds)
        repeated = fit_method(method, log_p[often], codes[often], np.arange(g), None, odds)
        assert once(log_p) == pytest.approx(repeated(log_p), **close)

    def test_class_weights(self, g, weights):
        codes, log_p, w, often = several(3, g, weights)
        costs = np.random.default_rng(g).integers(1, 9, (g, g)) * (1 - np.eye(g))
        once = class_weights(log_p, codes, costs, w.astype(float))
        repeated = class_weights(log_p[often], codes[often], costs, np.ones(len(often)))
        assert (log_p[w > 0] + once).argmax(axis=1).tolist() == (log_p[w > 0] + repeated).argmax(
            axis=1
        ).tolist()

    def test_stacking_and_the_risk_of_a_share(self, g, weights):
        _, log_p, w, often = several(4, g, weights)
        once, repeated = stacked(log_p, w.astype(float)), stacked(log_p[often], np.ones(len(often)))
        assert once == pytest.approx(repeated, abs=1e-4)  # EM stops by its gain
        for share in (0.0, 0.3, 0.5, 1.0):
            risk = log_p[:, 0]
            assert risk_at(risk, w.astype(float), share) == risk_at(risk[often], np.ones(len(often)), share)


@pytest.mark.parametrize("method", METHODS)
def test_a_calibrated_model(method):
    """With the model fitted before, so that no row is dealt to a fold."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = np.where(X[:, 0] + rng.normal(size=90) > 0, "yes", "no")
    model = NaiveBayes().fit(X[:30], y[:30])
    w = rng.integers(0, 4, 60)
    once = Calibrated(model, method=method, cv="prefit").fit(X[30:], y[30:], sample_weight=w)
    often = 30 + np.repeat(np.arange(60), w)
    repeated = Calibrated(model, method=method, cv="prefit").fit(X[often], y[often])
    assert once.predict_proba(X) == pytest.approx(repeated.predict_proba(X), **close)
    assert once.base_rate_ == pytest.approx(repeated.base_rate_)


@pytest.mark.parametrize("method", ["auto", "beta", "isotonic", "bins"])
def test_a_row_of_weight_0_is_in_no_fold(method: str):
    """It would move other rows from fold to fold."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X, seen = rng.normal(y[:, None], 2.0, (60, 2)), np.arange(60) % 3 > 0
    model = Calibrated(NaiveBayes(evidence_weights=None), method, cv=3)
    without = model.fit(X[seen], y[seen]).predict_proba(X)
    assert np.allclose(model.fit(X, y, sample_weight=seen).predict_proba(X), without, atol=1e-12)


def test_a_row_of_weight_0_is_in_no_fold_of_a_decider():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X, seen = rng.normal(y[:, None], 2.0, (60, 2)), np.arange(60) % 3 > 0
    decider = Decider(NaiveBayes(evidence_weights=None), "recalibrated", cv=3)
    without = decider.fit(X[seen], y[seen]).log_weights_
    assert np.allclose(decider.fit(X, y, sample_weight=seen).log_weights_, without, atol=1e-12)
