"""EM as a general engine: the worked example, the law that the objective never falls, and what goes wrong."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from math import log, sqrt
from typing import Any

import numpy as np
import pytest

import likely
from likely.errors import LikelyError
from likely.infer import em, em_restarts

BETA = (sqrt(57) - 3) / 48  # MISSION E2


def expect_b(beta: float) -> tuple[float, float]:
    """Of the 20 things of class A or B: how many B are expected; and the log-likelihood."""
    seen = 20 * log(0.5 + beta) + 10 * log(2 * beta) + 10 * log(0.5 - 3 * beta)
    return 20 * beta / (0.5 + beta), seen


def learn_beta(b: float) -> float:
    return (b + 10) / (6 * (b + 10 + 10))


def test_partially_observed_multinomial_from_hidden_values() -> None:
    betas: list[float] = []

    def expect(beta: float) -> tuple[float, float]:
        betas.append(beta)
        return expect_b(beta)

    found = em(expect, learn_beta, hidden=5.0, tol=0, max_iter=30)
    assert betas[0] == pytest.approx(0.1, abs=1e-15)
    assert betas[1] == pytest.approx(2 / 21, abs=1e-15)
    assert found.parameters == pytest.approx(BETA, abs=1e-10)
    b = expect_b(found.parameters)[0]
    assert (20 - b, b) == pytest.approx((16.8127, 3.1873), abs=5e-5)
    steps = 1 + [abs(beta - BETA) <= 1e-10 for beta in betas].index(True)  # the first one is from b = 5
    assert steps == 9


def test_start_from_parameters_comes_to_the_same() -> None:
    found = em(expect_b, learn_beta, 0.05, tol=1e-15)
    assert found.parameters == pytest.approx(BETA, abs=1e-8)
    assert found.converged
    assert found.n_iter == len(found.history) - 1
    assert found.objective == pytest.approx(expect_b(BETA)[1], abs=1e-12)


def test_history_never_falls_and_max_iter_is_kept() -> None:
    found = em(expect_b, learn_beta, 0.01, tol=0, max_iter=3)
    assert found.n_iter == 3
    assert not found.converged
    assert (np.diff(found.history) > 0).all()
    assert "not converged after 3 iterations" in repr(found)


def test_an_m_step_that_does_not_maximise_is_found_out() -> None:
    with pytest.raises(LikelyError, match=r"fell from .* in iteration 1: the M step does not maximise"):
        em(expect_b, lambda b: 0.16, 0.0947)


@pytest.mark.parametrize("worth", [np.nan, np.inf], ids=["nan", "inf"])
def test_a_collapse_is_reported(worth: float) -> None:
    with pytest.raises(LikelyError, match="collapsed onto a point"):
        em(lambda p: (p, worth), lambda h: h, 1.0)


def test_one_of_start_and_hidden() -> None:
    for given in ({}, {"start": 0.1, "hidden": 5.0}):
        arguments: Any = given
        with pytest.raises(LikelyError, match="one of start"):
            em(expect_b, learn_beta, **arguments)


def test_interrupt_keeps_the_best() -> None:
    calls = 0

    def expect(beta: float) -> tuple[float, float]:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return expect_b(beta)

    found = em(expect, learn_beta, 0.01, tol=0)
    assert found.interrupted
    assert found.n_iter == 2
    beta = 0.01
    for _ in range(2):
        beta = learn_beta(expect_b(beta)[0])
    assert found.parameters == beta


def test_watch_sees_every_iteration() -> None:
    seen: list[tuple[int, float]] = []
    found = em(expect_b, learn_beta, 0.05, tol=1e-9, watch=lambda i, worth: seen.append((i, worth)))
    assert [i for i, _ in seen] == list(range(1, found.n_iter + 1))
    assert tuple(worth for _, worth in seen) == found.history[1:]


X = np.array([-5.2, -4.8, -5.0, 0.1, -0.1, 0.0, 4.9, 5.1, 5.0])


def expect_means(means: Any) -> tuple[Any, float]:
    """Three means of known unit variance and equal weights (Mitchell's k means)."""
    logs = -0.5 * (X[:, None] - means) ** 2 - 0.5 * log(2 * np.pi) - log(len(means))
    top = logs.max(axis=1, keepdims=True)
    joint = np.exp(logs - top)
    return joint / joint.sum(axis=1, keepdims=True), float((np.log(joint.sum(axis=1)) + top[:, 0]).sum())


def learn_means(shares: Any) -> Any:
    return (shares * X[:, None]).sum(axis=0) / shares.sum(axis=0)


def test_restarts_carry_on_with_the_best() -> None:
    poor, good = np.array([-0.1, 0.0, 0.1]), np.array([-4.0, 0.5, 4.0])
    best, trials = em_restarts(expect_means, learn_means, [poor, good], trial=2, tol=1e-9)
    assert np.sort(best.parameters) == pytest.approx([-5, 0, 5], abs=1e-4)
    assert len(trials) == 2
    assert best.objective >= max(run.objective for run in trials)
    assert (np.diff(best.history) >= -1e-12).all()


def test_restarts_do_not_pass_max_iter() -> None:
    best, _ = em_restarts(expect_means, learn_means, [np.array([-1.0, 0.0, 1.0])], trial=2, max_iter=5, tol=0)
    assert best.n_iter <= 5


@pytest.mark.parametrize("when", ["second start", "second trial", "first step of it", "carried on"])
def test_an_interrupt_among_restarts_keeps_the_best(when: str) -> None:
    good, poor = np.array([-4.0, 0.5, 4.0]), np.array([-0.1, 0.0, 0.1])
    alone = em(expect_means, learn_means, good, max_iter=2, tol=0)
    calls = 0
    stop = {"second trial": 5, "first step of it": 4, "carried on": 8}.get(when, 99)

    def expect(means: Any) -> tuple[Any, float]:
        nonlocal calls
        calls += 1  # three in each trial of two iterations
        if calls == stop:
            raise KeyboardInterrupt
        return expect_means(means)

    def starts() -> Any:
        yield good
        if when == "second start":
            raise KeyboardInterrupt
        yield poor

    best, trials = em_restarts(expect, learn_means, starts(), trial=2, tol=0)
    assert best.interrupted
    assert not best.converged
    assert len(trials) == {"second start": 1, "first step of it": 1}.get(when, 2)
    assert best.objective == alone.objective
    np.testing.assert_array_equal(best.parameters, alone.parameters)


def test_an_interrupt_before_there_is_anything_is_passed_on() -> None:
    def expect(means: Any) -> tuple[Any, float]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        em_restarts(expect, learn_means, [np.array([-4.0, 0.5, 4.0])])
    with pytest.raises(LikelyError, match="starts has none"):
        em_restarts(expect_means, learn_means, [])


def test_a_model_of_ours_is_an_m_step() -> None:
    """Naive Bayes fitted to every row in every group, by its share, is `Mixture`."""
    rng = np.random.default_rng(5)
    group = rng.integers(0, 2, 120)
    colours = np.where(rng.random(120) < 0.2 + 0.6 * group, "red", "blue")
    table = {"x": rng.normal(3.0 * group, 1), "colour": colours}
    every = {name: np.tile(column, 2) for name, column in table.items()}
    y = np.repeat([0, 1], 120)

    def expect(model: Any) -> tuple[Any, float]:
        return model.predict_proba(table), float(model.log_prob(table).sum())

    def learn(share: Any) -> Any:
        return likely.NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(
            every, y, sample_weight=share.T.ravel()
        )

    shares = rng.dirichlet([1, 1], 120)
    found = em(expect, learn, hidden=shares, tol=0, max_iter=15)
    twin = likely.Mixture(2, covariance="diagonal", prior=None, init=shares, tol=0, max_iter=15).fit(table)
    assert found.history == pytest.approx(twin.history_, rel=1e-12)
    np.testing.assert_allclose(found.parameters.predict_proba(table), twin.predict_proba(table), atol=1e-10)


def test_without_a_watcher_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[float, str]] = []

    @contextmanager
    def bar(what: str, total: float) -> Any:
        assert (what, total) == ("EM", 3)
        yield lambda done, note: seen.append((done, note))

    monkeypatch.setattr(sys.modules["likely.infer.em"], "progress", bar)
    found = em(expect_b, learn_beta, 0.05, max_iter=3, tol=0)
    assert seen == [(i, f"objective {found.history[i]:.8g}") for i in (1, 2, 3)]
