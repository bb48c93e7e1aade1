"""Classes that are mixtures: against Bayes' rule over groups written out, and the limits that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp

import likely
from likely.errors import LikelyError


def checkers(seed: int, n: int = 400) -> tuple[Any, Any]:
    """Four clouds at the corners of a square: opposite corners are one class."""
    rng = np.random.default_rng(seed)
    corner = rng.integers(0, 4, n)
    X = rng.normal(size=(n, 2)) + 6 * np.stack([corner // 2, corner % 2], axis=1)
    return X, np.where((corner // 2) ^ (corner % 2), "odd", "even").astype(object)


def test_what_one_normal_a_class_cannot_do() -> None:
    X, y = checkers(0)
    model = likely.MixtureClassifier(2, random_state=0).fit(X, y)
    assert model.components_ == {"even": 2, "odd": 2}
    assert model.score(X, y) > 0.98
    assert likely.NaiveBayes(families="classical", evidence_weights=None).fit(X, y).score(X, y) < 0.7


def test_one_component_each_is_naive_bayes() -> None:
    X, y = checkers(1)
    ours = likely.MixtureClassifier(1, covariance="diagonal", prior=None).fit(X, y)
    twin = likely.NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), twin.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(ours.log_prob(X, y), twin.log_prob(X, y), rtol=1e-12)


def test_posteriors_are_sums_over_groups() -> None:
    X, y = checkers(2)
    y[::3] = None
    model = likely.MixtureClassifier({"even": 2, "odd": 3}, random_state=0).fit(X, y)
    core = model.record_.core
    joint = core.log_weights + core.parts[0].distribution.group_log_prob(X)
    by_class = np.stack([logsumexp(joint[:, :2], axis=1), logsumexp(joint[:, 2:], axis=1)], axis=1)
    whole = logsumexp(by_class, axis=1)
    np.testing.assert_allclose(model.log_prob(X), whole, rtol=1e-10)
    np.testing.assert_allclose(model.predict_log_proba(X), by_class - whole[:, None], rtol=1e-8, atol=1e-10)
    rates = np.exp(core.log_weights)
    assert rates.sum() == pytest.approx(1, abs=1e-12)
    assert model.ask("P(y = odd)") == pytest.approx(rates[2:].sum(), abs=1e-12)
    asked = model.ask("P(y = odd | x0 = 6, x1 = 0)")
    assert asked == pytest.approx(model.predict_proba([[6.0, 0.0]])[0, 1], abs=1e-12)


def test_the_base_rate_is_of_classes() -> None:
    X, y = checkers(3)
    model = likely.MixtureClassifier(2, random_state=0).fit(X, y)
    counts = np.array([(y == "even").sum(), (y == "odd").sum()])
    np.testing.assert_allclose(np.exp(model.record_.core.log_rates), (counts + 1) / (len(y) + 2), rtol=1e-12)
    other = model.with_base_rate({"even": 0.9, "odd": 0.1})
    before, after = (m.predict_log_proba(X) for m in (model, other))
    moved = np.diff(after)[:, 0] - np.diff(before)[:, 0]
    np.testing.assert_allclose(moved, np.log(0.1 / 0.9) - np.log(counts[1] + 1) + np.log(counts[0] + 1))


@pytest.mark.parametrize("prior", ["default", None, 5.0])
@pytest.mark.parametrize("base_rate", [None, "uniform"])
def test_the_objective_never_falls_with_labels_missing(prior: Any, base_rate: Any) -> None:
    X, y = checkers(4)
    y[np.random.default_rng(0).random(len(y)) < 0.9] = None
    model = likely.MixtureClassifier(
        3, prior=prior, base_rate=base_rate, init="random", random_state=1, tol=0, max_iter=40
    ).fit(X, y)
    assert len(model.history_) == 41
    assert (np.diff(model.history_) >= -1e-10 * np.abs(model.history_[1:])).all()
    assert model.history_[-1] > model.history_[1]


def test_rows_without_a_class_help() -> None:
    X, y = checkers(5, 600)
    told = y.copy()
    told[12:] = None  # on average three of each corner
    model = likely.MixtureClassifier(2, covariance="spherical", random_state=0).fit(X, told)
    assert (model.predict(X) == y).mean() > 0.98


def test_the_number_of_components_is_found() -> None:
    X, y = checkers(6)
    y = np.where((y == "even") & (X.sum(axis=1) < 6), "low", y)  # one corner is a class of its own
    model = likely.MixtureClassifier("auto", random_state=0).fit(X, y)
    assert model.components_ == {"even": 1, "low": 1, "odd": 2}
    assert model.curves_["odd"].best == 2
    rates = {"even": 0.2, "low": 0.3, "odd": 0.5}
    given = likely.MixtureClassifier("auto", base_rate=rates, random_state=0).fit(X, y)
    assert given.components_ == model.components_
    np.testing.assert_allclose(np.exp(given.record_.core.log_rates), [0.2, 0.3, 0.5], rtol=1e-12)


def test_ledgers_telescope_to_the_log_odds() -> None:
    X, y = checkers(7)
    model = likely.MixtureClassifier(2, random_state=0).fit(X, y)
    log_p = model.predict_log_proba(X[:20])
    ledgers = model.explain(X[:20], "odd")
    np.testing.assert_allclose(ledgers.total, log_p[:, 1] - log_p[:, 0], rtol=1e-8, atol=1e-9)
    assert ledgers[0].order == ("x0", "x1")
    turned = model.explain(X[:20], "odd", order=["x1", "x0"])
    np.testing.assert_allclose(turned.total, ledgers.total, rtol=1e-8, atol=1e-9)
    for refused in (model.nomogram, model.linear_form):
        with pytest.raises(LikelyError, match=r"a class is a mixture of several: use explain\(\)"):
            refused()


def test_draws_have_the_classes_and_their_shares() -> None:
    X, y = checkers(8)
    model = likely.MixtureClassifier(2, random_state=0).fit(X, y)
    drawn = model.sample(4000, random_state=0)
    share = (drawn["y"] == "odd").mean()
    p = float(np.exp(model.record_.core.log_rates[1]))
    assert abs(share - p) < 4.5 * np.sqrt(p * (1 - p) / 4000)  # false alarms: 7 in a million
    found = model.predict(np.stack([drawn["x0"], drawn["x1"]], axis=1))
    assert (found == drawn["y"]).mean() > 0.98
    intervals = model.predict_interval(X[:3], draws=200)
    assert (intervals.lower <= intervals.upper).all()


def test_wrong_numbers_are_refused() -> None:
    X, y = checkers(9, 40)
    for wrong in (0, 1.5, True, "many"):
        with pytest.raises(LikelyError, match="components="):
            likely.MixtureClassifier(wrong).fit(X, y)
    with pytest.raises(LikelyError, match="no number for class 'odd'"):
        likely.MixtureClassifier({"even": 2}).fit(X, y)
    with pytest.raises(LikelyError, match=r"components names class 'ood'.*did you mean 'odd'"):
        likely.MixtureClassifier({"even": 2, "ood": 1}).fit(X, y)
    with pytest.raises(LikelyError, match="components of 'odd'=0"):
        likely.MixtureClassifier({"even": 2, "odd": 0}).fit(X, y)
    with pytest.raises(LikelyError, match="missing in every row"):
        likely.MixtureClassifier().fit(X, [None] * 40)


@pytest.mark.parametrize(
    ("table", "y"),
    [
        ({"x": [1.0]}, ["a"]),
        ({"x": [1.0, 1.0]}, ["a", "b"]),
        ({"x": [1.0, None, 3.0]}, ["a", "a", None]),
        ({"c": ["u", "v", "v"]}, ["a", "a", "b"]),
    ],
    ids=["row", "constant", "gaps", "levels"],
)
def test_little_data_have_an_answer(table: Any, y: Any) -> None:
    model = likely.MixtureClassifier(3, random_state=0).fit(table, y)
    shares = model.predict_proba(table)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-12)
    assert np.isfinite(model.history_).all()


def test_how_many_groups_a_class_has_does_not_depend_on_the_rows_of_others() -> None:
    rng = np.random.default_rng(5)
    apart = np.where(rng.random(120) < 0.5, -6.0, 6.0)
    x = np.column_stack([apart + rng.normal(size=120), rng.normal(size=120)])
    x[rng.random(x.shape) < 0.1] = np.nan
    y = np.array(["two"] * 120)
    alone = likely.Mixture("auto", random_state=0).fit(x)
    others = rng.normal(size=(100, 2)) * 3
    both = likely.MixtureClassifier("auto", random_state=0).fit(
        np.concatenate([x, others]), np.concatenate([y, ["one"] * 100])
    )
    assert alone.predict_proba(x).shape == (120, 2)
    assert both.components_["two"] == 2
