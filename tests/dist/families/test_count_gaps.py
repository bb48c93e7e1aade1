"""Rows of counts with missing cells: learnt by the likelihood by which they are predicted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array
from seeds import seeds, sizes

import likely
from likely.dist import Dirichlet, Multinomial
from likely.dist.numeric import incomplete_counts
from likely.dist.numeric.incomplete_counts import shares_of
from likely.errors import LikelyError
from likely.stats import GapSums, Groups

NAN = np.nan
FEW = np.array([[3, NAN, 1], [2, 5, 1], [1, 1, NAN]])
PRIORS: list[Any] = [None, 1.0, 0.2, 7.0]


def draw(seed: int, most: int = 6) -> tuple[Any, Any, np.random.Generator]:
    """Counts of a few kinds, some of them rare, with few or many gaps; and weights, some of them 0."""
    rng = np.random.default_rng(seed)
    d, n = int(rng.integers(2, most)), int(rng.integers(1, 30))
    rows = rng.poisson(rng.gamma(0.7, 4, d), (n, d)).astype(float)
    rows[rng.random((n, d)) < rng.choice([0.1, 0.4, 0.8])] = NAN
    return rows, rng.random(n) * (rng.random(n) < 0.9), rng


def log_likelihood(probs: Any, rows: Any, weight: Any) -> float:
    """By definition, row by row: the known words are shared out among the known kinds."""
    total = 0.0
    for row, own in zip(rows, weight, strict=True):
        known = ~np.isnan(row) & (row > 0)
        if known.any() and own > 0:
            shares = probs[known] / probs[~np.isnan(row)].sum()
            total += own * float(row[known] @ np.log(shares))
    return total


def test_the_figure() -> None:
    found = Multinomial.fit(FEW, prior=None).probs
    assert found.round(3).tolist() == [0.302, 0.585, 0.113]

    def worse(logs: Any) -> float:
        probs = np.exp(logs) / np.exp(logs).sum()
        return -log_likelihood(probs, FEW, np.ones(3))

    best = minimize(worse, np.zeros(3), method="BFGS", options={"gtol": 1e-12}).x
    np.testing.assert_allclose(found, np.exp(best) / np.exp(best).sum(), rtol=1e-6)


@pytest.mark.parametrize("seed", seeds(10, 40))
@pytest.mark.parametrize("how", ["ml", "mean", "map"])
def test_nothing_near_is_better(seed: int, how: str) -> None:
    """Of the likelihood; with the log prior on the natural scale ("mean"); or with its density ("map")."""
    rows, weight, rng = draw(seed)
    for strength in (1.0, 2.5):
        found = Multinomial.fit(
            rows, prior=Dirichlet(np.full(rows.shape[1], strength)), estimate=how, weight=weight
        )
        added = {"ml": 0.0, "mean": strength, "map": strength - 1}[how]

        def objective(probs: Any, added: float = added) -> float:
            prior = added * np.log(np.maximum(probs, 1e-300)).sum() if added else 0.0
            return log_likelihood(probs, rows, weight) + prior

        best = objective(found.probs)
        assert found.probs.sum() == pytest.approx(1, abs=1e-12)
        for size in (1e-4, 1e-2, 0.3, 3.0):
            for _ in range(8):
                near = found.probs * np.exp(size * rng.normal(size=rows.shape[1]))
                near = near + size * 1e-3 * rng.random(rows.shape[1]) * (rng.random() < 0.3)
                assert objective(near / near.sum()) <= best + 1e-11 * max(1.0, abs(best))


def test_a_uniform_prior_has_its_mode_at_maximum_likelihood() -> None:
    for seed in range(20):
        rows, weight, _ = draw(seed)
        mode = Multinomial.fit(rows, prior=Dirichlet(np.ones(rows.shape[1])), estimate="map", weight=weight)
        best = Multinomial.fit(rows, prior=None, weight=weight).probs
        np.testing.assert_allclose(mode.probs, best, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("seed", range(10))
def test_gaps_that_nest_have_a_posterior_of_products(seed: int) -> None:
    """Kinds (0, 1) always known, 2 and 3 in fewer and fewer rows: shares of shares are independent betas."""
    rng = np.random.default_rng(seed)
    rows = rng.poisson([3, 1, 4, 2], (25, 4)).astype(float)
    rows[8:, 3], rows[16:, 2] = NAN, NAN
    alpha = rng.gamma(2, 1, 4) + 0.1
    words = np.nan_to_num(rows)
    counted = alpha + words.sum(axis=0)
    # P(3), by rows that tell of all; P(2 given not 3), by rows that tell of 2 also; and the last two.
    last = counted[3] / (alpha.sum() + words[:8].sum())
    third = counted[2] / (alpha[:3].sum() + words[:16, :3].sum())
    first = counted[0] / counted[:2].sum()
    expected = np.array([first, 1 - first, 0, 0]) * (1 - third) * (1 - last)
    expected[2], expected[3] = third * (1 - last), last
    np.testing.assert_allclose(Multinomial.fit(rows, prior=Dirichlet(alpha)).probs, expected, rtol=1e-12)


def test_a_kind_that_no_row_tells_of_stays_as_it_was_believed() -> None:
    rows = np.array([[3, NAN, 2], [1, NAN, 2], [4, NAN, 0.0]])
    found = Multinomial.fit(rows, prior=Dirichlet([1, 2, 1]))
    np.testing.assert_allclose(found.probs, [0.5 * 9 / 14, 0.5, 0.5 * 5 / 14], rtol=1e-12)
    np.testing.assert_allclose(Multinomial.fit(rows, prior=None).probs, [4 / 9, 1 / 3, 2 / 9], rtol=1e-12)


def test_a_probability_that_falls_without_end() -> None:
    """1 always beats 2, and 2 and 3 are only ever compared: the likelihood has no maximum, only a limit."""
    rows = np.array([[5, 0, NAN], [NAN, 3, 2]])
    found = Multinomial.fit(rows, prior=None)
    assert log_likelihood(found.probs, rows, [1, 1]) == pytest.approx(
        3 * np.log(0.6) + 2 * np.log(0.4), abs=1e-11
    )


def test_rows_without_gaps_are_relative_frequencies_to_the_last_bit() -> None:
    rng = np.random.default_rng(3)
    rows, groups = (
        rng.poisson(2, (50, 7)).astype(float),
        Groups.hard(rng.integers(0, 3, 50), 3, rng.random(50)),
    )
    stat = Multinomial.collect(rows, groups)
    assert stat.complete
    total = groups.sum(rows)
    np.testing.assert_array_equal(Multinomial.ml(stat).probs, total / total.sum(axis=1, keepdims=True))
    expected = (1 + total) / (1 + total).sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(Multinomial.estimate(stat).probs, expected)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("how", ["mean", "map", "predictive"])
def test_a_weight_is_a_number_of_rows(prior: Any, how: str) -> None:
    for seed in range(10):
        rows, _, rng = draw(seed)
        copies = rng.integers(0, 4, len(rows))
        found = Multinomial.fit(rows, prior=prior, estimate=how, weight=copies)
        again = Multinomial.fit(
            rows.repeat(copies, axis=0)[rng.permutation(copies.sum())], prior=prior, estimate=how
        )
        for name in ("probs", "alpha", "trials"):
            if hasattr(found, name):
                np.testing.assert_allclose(getattr(found, name), getattr(again, name), rtol=1e-9, atol=1e-12)


def test_sparse_rows_and_many_kinds() -> None:
    rng = np.random.default_rng(8)
    rows = rng.poisson(0.3, (300, 60)).astype(float)
    rows[rng.random(rows.shape) < 0.05] = NAN
    groups = Groups.hard(rng.integers(0, 2, 300), 2)
    dense, sparse = Multinomial.collect(rows, groups), Multinomial.collect(csr_array(rows), groups)
    np.testing.assert_array_equal(dense.words, sparse.words)
    expected = shares_of(dense, dense.total)
    incomplete_counts.DENSE, kept = 0, incomplete_counts.DENSE
    try:
        np.testing.assert_allclose(shares_of(sparse, sparse.total), expected, rtol=1e-10, atol=1e-14)
    finally:
        incomplete_counts.DENSE = kept


def test_what_is_expected_of_a_row_is_the_same_dense_and_sparse() -> None:
    rows, _, rng = draw(5)
    at = Multinomial(rng.dirichlet(np.ones(rows.shape[1]), 2))
    groups = Groups.softly(rng.dirichlet([1, 1], len(rows)))
    dense, sparse = at.expect(rows, groups), at.expect(csr_array(rows), groups)
    np.testing.assert_allclose(dense.total, sparse.total, rtol=1e-13)
    np.testing.assert_allclose(dense.n, sparse.n, rtol=1e-13)


def test_the_evidence_with_gaps_is_refused() -> None:
    with pytest.raises(LikelyError, match="no closed form: leave these rows out"):
        Multinomial.log_evidence(FEW)
    record = (
        likely.NaiveBayes(families="multinomial", kinds="count", evidence_weights=None)
        .fit(FEW, [0, 1, 0])
        .record_
    )
    with pytest.raises(LikelyError, match="no closed form"):
        record.log_evidence  # noqa: B018


def test_gaps_in_one_class_only_tell_nothing() -> None:
    """Both classes share out words alike; nine tenths of one column are missing in one of them."""
    rng = np.random.default_rng(0)
    y = np.repeat(["u", "v"], 500)
    X = rng.multinomial(30, [1 / 3] * 3, 1000).astype(float)
    X[(y == "v") & (rng.random(1000) < 0.9), 1] = NAN
    for how in ("ml", "map", "mean", "predictive"):
        model = likely.NaiveBayes(families="multinomial", estimate=how, evidence_weights=None).fit(X, y)
        assert abs(model.predict_proba([[10, 10, 10]])[0, 0] - 0.5) < 0.01


@pytest.mark.parametrize("prior", [None, "default"])
@pytest.mark.parametrize("n_seeds", sizes(10, 30))
def test_mixtures_with_gaps_climb(prior: Any, n_seeds: int) -> None:
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        k, d = int(rng.integers(2, 5)), int(rng.integers(2, 6))
        probs = rng.dirichlet(np.ones(d), k)
        X = np.array([rng.multinomial(rng.integers(1, 20), probs[rng.integers(k)]) for _ in range(40)]) * 1.0
        X[rng.random(X.shape) < 0.25] = NAN
        model = likely.Mixture(k, families="multinomial", prior=prior, random_state=0).fit(X)
        assert np.diff(model.history_).min(initial=0.0) > -1e-9


def test_a_mixture_of_one_group_is_the_estimate() -> None:
    rows, _, _ = draw(2)
    found = (
        likely.Mixture(1, families="multinomial", tol=1e-14, max_iter=5000)
        .fit(rows)
        .record_.parts[0]
        .distribution
    )
    np.testing.assert_allclose(found.probs[0], Multinomial.fit(rows).probs, rtol=1e-6)


def test_parts_of_a_model_add_and_subtract() -> None:
    rng = np.random.default_rng(4)
    X, y = rng.poisson(3, (60, 4)).astype(float), np.arange(60) % 2
    X[rng.random(X.shape) < 0.3] = NAN
    whole, first, rest = (
        likely.NaiveBayes(families="multinomial", kinds="count", evidence_weights=None).fit(X[part], y[part])
        for part in (slice(None), slice(25), slice(25, None))
    )
    expected = whole.predict_log_proba(X)
    for found in (first + rest, rest + first, whole + first - first):
        np.testing.assert_allclose(found.predict_log_proba(X), expected, rtol=1e-9, atol=1e-10)
    first.partial_fit(X[25:], y[25:])
    np.testing.assert_allclose(first.predict_log_proba(X), expected, rtol=1e-9, atol=1e-10)
    twice = likely.NaiveBayes(families="multinomial", kinds="count", evidence_weights=None).fit(
        X, y, np.full(60, 0.5)
    )
    np.testing.assert_allclose(
        whole.decay(0.5).predict_log_proba(X), twice.predict_log_proba(X), rtol=1e-9, atol=1e-10
    )
    assert (whole - rest).record_.parts[0].statistic.words.sum() == pytest.approx(
        GapSums.collect(X[:25], Groups.hard(y[:25], 2)).words.sum()
    )
