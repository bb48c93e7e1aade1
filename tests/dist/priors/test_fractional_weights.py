"""Weights that are no whole numbers: sums of them round, and nothing may come of that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from seeds import first, sizes

import likely
from likely.dist import FAMILIES, HOW, Laplace, MEstimate, Multinomial, Smoothing
from likely.stats import Groups, Sums

PRIORS: list[Any] = [None, "default", 0.1, Laplace(0.3), MEstimate(3, 1.0), MEstimate(3, 0.0)]
LISTS = [family for family in FAMILIES.values() if family.name != "categorical"]


@pytest.mark.parametrize("family", LISTS, ids=lambda family: family.name)
@pytest.mark.parametrize("how", first(2, HOW))
@pytest.mark.parametrize("n_seeds", sizes(8, 25))
def test_a_column_of_one_value(family: Any, how: str, n_seeds: int) -> None:
    """As one row of all the weight, for any prior; the old code failed for about every second seed."""
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 80))
        weight = rng.random(n) * 10.0 ** rng.integers(-6, 7)
        for value in (1.0,) if family.name == "geometric" else (0.0, 1.0):
            rows = np.full((n, 2), value) if family.joint else np.full(n, value)
            for prior in PRIORS:
                of_counts = family.counts_levels and not (
                    family is Multinomial and isinstance(prior, MEstimate)
                )
                if isinstance(prior, Smoothing) and not of_counts:
                    continue
                found = family.fit(rows, prior=prior, estimate=how, weight=weight)
                once = family.fit(rows[:1], prior=prior, estimate=how, weight=[weight.sum()])
                at = rows[:, None] if found.event_axes == 1 and not family.joint else rows
                np.testing.assert_allclose(found.log_prob(at), once.log_prob(at), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["bernoulli", "binomial", "geometric"])
def test_what_always_succeeds_has_probability_one(name: str) -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        weight = rng.random(50)
        assert FAMILIES[name].fit(np.ones(50), prior=None, weight=weight).p == 1.0
        # What is left when most is taken out again rounds by far more than its own last bit.
        rows, groups = np.ones((50, 1)), Groups.one(50, weight * 1e6)
        left = Sums.collect(rows, groups) - Sums.collect(rows[1:], groups.rows(1, 50))
        assert 1 - 1e-9 < left.share <= 1.0
        assert 0.0 <= left.failures <= 1e-9 * left.n


def test_naive_bayes_with_a_column_that_is_always_true() -> None:
    """119 of these 200 were refused, and 30 of the 60 mixtures."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(10, 80))
        X = rng.random((n, 3)) < 0.5
        X[:, 0] = True
        model = likely.NaiveBayes(prior=None).fit(X, np.arange(n) % 2, rng.random(n))
        assert (model.record_.parts[0].distribution.p[:, 0] == 1.0).all()
        if seed < 60:
            likely.Mixture(2, prior=None, random_state=0, max_iter=20).fit(X, sample_weight=rng.random(n))
