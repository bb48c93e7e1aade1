"""Cross-validation of models that predict numbers, against scikit-learn and SciPy."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression as Peer
from sklearn.metrics import mean_squared_error, r2_score

import likely
from likely.compare import cross_validate, cross_validate_outcomes
from likely.errors import LikelyError
from likely.score.proper import r_squared, rmse

RNG = np.random.default_rng(8)
N = 300
X = RNG.normal(size=(N, 3))
Y = 5 + X @ [1.0, -2.0, 0.0] + RNG.normal(0, 1.5, N)


def test_predictions_are_those_of_models_of_the_other_rows():
    found = cross_validate_outcomes(likely.LinearRegression(), X, Y, folds=4, seed=2)
    fold = np.random.default_rng(2).permutation(N) % 4
    expected = np.empty(N)
    for place in range(4):
        expected[fold == place] = Peer().fit(X[fold != place], Y[fold != place]).predict(X[fold == place])
    np.testing.assert_allclose(found.predictions, expected, rtol=1e-9)
    assert found.scores["RMSE"] == pytest.approx(np.sqrt(mean_squared_error(Y, expected)))
    assert found.scores["R2"] == pytest.approx(r2_score(Y, expected))
    peer = cross_validate_outcomes(Peer(), X, Y, folds=4, seed=2)
    assert peer.scores["RMSE"] == pytest.approx(found.scores["RMSE"])
    assert list(peer.scores) == ["RMSE", "R2"]  # it has no distribution


def test_log_density_is_that_of_the_predictive_distribution():
    found = cross_validate_outcomes(likely.LinearRegression(), X, Y, folds=3, seed=1)
    fold = np.random.default_rng(1).permutation(N) % 3
    logs = np.empty(N)
    for place in range(3):
        told = likely.LinearRegression().fit(X[fold != place], Y[fold != place])
        at = told.predict_distribution(X[fold == place])
        logs[fold == place] = stats.t.logpdf(
            Y[fold == place], (fold != place).sum() - 4, at.location, at.scale
        )
    score = found.scores["log density"]
    assert score == pytest.approx(logs.mean())
    assert score.standard_error == pytest.approx(logs.std(ddof=1) / np.sqrt(N))
    assert found.mean_alone["log density"] == pytest.approx(stats.norm.logpdf(Y, Y.mean(), Y.std()).mean())
    assert found.mean_alone["RMSE"] == pytest.approx(Y.std())
    assert found.mean_alone["R2"] == pytest.approx(0)


def test_standard_errors_are_those_of_new_rows():
    """The errors that are stated, against the spread over 2,000 tables; 4 % of it is 2.5 standard errors."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(2000):
        y = rng.normal(size=200)
        told = 0.8 * y + rng.normal(0, 0.5, 200)
        found.append((rmse(y, told, np.ones(200)), r_squared(y, told, np.ones(200))))
    for place in range(2):
        spread = np.std([float(pair[place]) for pair in found])
        stated = np.mean([pair[place].standard_error for pair in found])
        assert stated == pytest.approx(spread, rel=0.05)


def test_weights_are_rows():
    weight = RNG.integers(0, 3, N)
    told = Y + RNG.normal(size=N)
    for score in (rmse, r_squared):
        whole = score(np.repeat(Y, weight), np.repeat(told, weight), np.ones(weight.sum()))
        assert score(Y, told, weight.astype(float)) == pytest.approx(whole)


def test_edges():
    found = cross_validate_outcomes(
        likely.LinearRegression("default"), {"x": [1.0, 2, 3, 4]}, [7.0] * 4, folds=2
    )
    assert found.scores["RMSE"] == pytest.approx(0, abs=1e-12)
    assert found.scores["R2"] == 0  # nothing varies
    json.dumps(found.to_dict())
    assert "mean alone" in str(found)
    lasso = likely.LinearRegression(likely.DoubleExponential(0, 1))
    assert list(cross_validate_outcomes(lasso, X, Y).scores) == ["RMSE", "R2"]
    table = {"a": X[:, 0], "b": Y}
    named = cross_validate_outcomes(likely.LinearRegression(), table, "b", repeats=2)
    assert (named.repeats, len(named.rows)) == (2, N)
    with pytest.raises(LikelyError, match="folds=9: there are 4 rows"):
        cross_validate_outcomes(likely.LinearRegression(), X[:4], Y[:4], folds=9)
    with pytest.raises(LikelyError, match="cross_validate_outcomes"):
        cross_validate(likely.LinearRegression(), X, Y)
