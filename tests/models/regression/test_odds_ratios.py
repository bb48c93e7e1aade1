"""Odds ratios in reference coding, by Fisher scoring written out here (what statsmodels' Logit does)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

import likely
from likely.dist import Normal

rng = np.random.default_rng(5)
N = 600
AGE = rng.normal(40, 12, N).round()
PLACE = rng.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2])
SEX = rng.choice(["f", "m"], N)
ODDS = 0.04 * (AGE - 40) + np.where(PLACE == "b", 0.9, np.where(PLACE == "c", -0.7, 0.0)) + 0.3 * (SEX == "m")
TABLE = {
    "age": AGE,
    "place": PLACE,
    "sex": SEX,
    "y": np.where(rng.random(N) < 1 / (1 + np.exp(-ODDS)), "yes", "no"),
}


def fisher_scoring() -> tuple[np.ndarray, np.ndarray]:
    """Maximum likelihood coefficients and covariance: intercept, age, place b, place c, sex m."""
    X = np.column_stack([np.ones(N), AGE, PLACE == "b", PLACE == "c", SEX == "m"]).astype(float)
    hit, beta = TABLE["y"] == "yes", np.zeros(5)
    for _ in range(50):
        p = 1 / (1 + np.exp(-X @ beta))
        information = X.T @ (X * (p * (1 - p))[:, None])
        beta = beta + np.linalg.solve(information, X.T @ (hit - p))
    return beta, np.linalg.inv(information)


@pytest.mark.parametrize("prior", [None, Normal(0, 300)])  # without, and with one that says next to nothing
def test_ratios_errors_and_tests_are_those_of_maximum_likelihood(prior):
    beta, covariance = fisher_scoring()
    found = likely.LogisticRegression(prior=prior).fit(TABLE, "y").odds_ratios()
    assert found.names == (
        "intercept", "age", "place=b (against a)", "place=c (against a)", "sex=m (against f)",
    )  # fmt: skip
    close = {"rtol": 2e-3, "atol": 2e-4}
    np.testing.assert_allclose(found.coefficient, beta, **close)
    np.testing.assert_allclose(found.error, np.sqrt(np.diag(covariance)), **close)
    np.testing.assert_allclose(found.odds_ratio, np.exp(beta), **close)
    lower, upper = found.interval
    np.testing.assert_allclose(np.log(upper / lower), 2 * 1.959964 * np.sqrt(np.diag(covariance)), **close)
    mine = [2, 3]
    wald = beta[mine] @ np.linalg.solve(covariance[np.ix_(mine, mine)], beta[mine])
    column, statistic, df, p = found.tests[1]
    assert (column, df) == ("place", 2)
    assert statistic == pytest.approx(wald, rel=5e-3)
    assert p == pytest.approx(chi2.sf(wald, 2), rel=5e-2)


def test_more_classes_are_refused_with_a_remedy():
    table = {"x": AGE, "y": PLACE}
    with pytest.raises(likely.LikelyError, match=r"odds ratios are of two classes, and there are 3: summary"):
        likely.LogisticRegression().fit(table, "y").odds_ratios()


def test_gaps_have_a_line_and_the_text_says_the_prior():
    table = TABLE | {"sex": np.where(rng.random(N) < 0.1, None, SEX)}
    found = likely.LogisticRegression().fit(table, "y").odds_ratios()
    assert "sex missing (against f)" in found.names
    assert "prior of the coefficients: normal around 0, sd " in str(found)
    assert found.to_dict()["tests"][2]["column"] == "sex"


def test_without_a_prior_the_table_is_that_of_statsmodels():
    """Odds ratios, intervals, z, p and the test of each column, beside Logit in reference coding."""
    from statsmodels.discrete.discrete_model import Logit

    names = ["const", "age", "b", "c", "m"]
    X = np.column_stack([np.ones(N), AGE, PLACE == "b", PLACE == "c", SEX == "m"]).astype(float)
    theirs = Logit((TABLE["y"] == "yes").astype(float), X).fit(disp=0, tol=1e-12, maxiter=100)
    ours = likely.LogisticRegression(prior=None).fit(TABLE, "y").odds_ratios()
    np.testing.assert_allclose(ours.coefficient, theirs.params, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(ours.error, theirs.bse, rtol=1e-5)
    np.testing.assert_allclose(np.transpose(ours.interval), np.exp(theirs.conf_int()), rtol=1e-5)
    np.testing.assert_allclose(ours.coefficient / ours.error, theirs.tvalues, rtol=1e-5, atol=1e-6)
    for (column, statistic, df, p), places in zip(ours.tests, ([1], [2, 3], [4]), strict=True):
        wald = theirs.wald_test(np.eye(len(names))[places], scalar=True)
        assert (column, df) == ({1: "age", 2: "place", 4: "sex"}[places[0]], len(places))
        assert statistic == pytest.approx(float(wald.statistic), rel=1e-5)
        assert p == pytest.approx(float(wald.pvalue), rel=1e-4)
