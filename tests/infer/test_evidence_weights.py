"""Weights of evidence: what repeats itself shares a weight, and what tells nothing gets none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.special import log_softmax

from likely.infer.evidence_weights import APART, COMMON, GRID, evidence_weights

RATES = np.log([0.5, 0.5])


def _terms(y: np.ndarray, rng: np.random.Generator, apart: float = 1.5) -> np.ndarray:
    """The log-likelihoods of a number in two classes, (n, 2)."""
    x = rng.normal(apart * y, 1.0)
    return np.stack([-0.5 * x**2, -0.5 * (x - apart) ** 2], axis=1)


@pytest.mark.parametrize("copies", [2, 4, 8])
def test_copies_share_one_weight(copies: int) -> None:
    rng = np.random.default_rng(copies)
    y = rng.integers(0, 2, 4000)
    one = _terms(y, rng)
    found = evidence_weights(RATES, np.repeat(one[:, :, None], copies, axis=2), y, np.ones(4000))
    assert np.ptp(found) < 1e-6
    assert found.sum() == pytest.approx(1, abs=0.1)  # two standard errors, with these 4000 rows


def test_independent_columns_count_in_full() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    terms = np.stack([_terms(y, rng, apart) for apart in (0.8, 1.0, 1.2)], axis=2)
    assert (evidence_weights(RATES, terms, y, np.ones(4000)) > 0.85).all()


def test_noise_that_passes_for_evidence_gets_no_weight() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 4000)
    noise = rng.normal(0, 2, (4000, 2))
    found = evidence_weights(RATES, np.stack([_terms(y, rng), noise], axis=2), y, np.ones(4000))
    assert found[0] > 0.85
    assert found[1] < 0.05


def test_a_row_of_weight_two_is_two_rows() -> None:
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 200)
    terms, weight = rng.normal(size=(200, 3, 4)), rng.integers(0, 3, 200)
    terms[np.arange(200), y] += 0.5
    rates = np.log([0.5, 0.3, 0.2])
    often = np.repeat(np.arange(200), weight)
    once = evidence_weights(rates, terms, y, weight.astype(float))
    np.testing.assert_allclose(
        once, evidence_weights(rates, terms[often], y[often], np.ones(len(often))), atol=1e-4
    )


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_greatest_of_the_stated_posterior(seed: int) -> None:
    """The same function written down again, and maximised by another method."""
    rng = np.random.default_rng(seed)
    n, c, u = 150, 2 + seed % 3, 3
    y = rng.integers(0, c, n)
    terms = rng.normal(size=(n, c, u))
    terms[np.arange(n), y] += 0.4
    rates = np.log(rng.dirichlet(np.ones(c)))

    def surprise(weights: np.ndarray) -> float:
        return -float(log_softmax(rates + terms @ weights, axis=1)[np.arange(n), y].sum())

    common = min(GRID, key=lambda w: surprise(np.full(u, w)) + (w - COMMON[0]) ** 2 / 2 / COMMON[1] ** 2)

    def objective(weights: np.ndarray) -> float:
        return surprise(weights) + float(((weights - common) ** 2).sum()) / 2 / APART**2

    best = minimize(objective, np.full(u, 0.5), bounds=[(0, 1)] * u, method="Powell", options={"xtol": 1e-8})
    found = evidence_weights(rates, terms, y, np.ones(n))
    assert objective(found) <= best.fun + 1e-5
    inside = (found > 1e-6) & (found < 1 - 1e-6)
    assert np.abs(approx_fprime(found, objective)[inside]).max(initial=0.0) < 0.05
