"""Statistics of soft groups, against sums written out: levels, and joint columns too many for products."""

from __future__ import annotations

import numpy as np
import pytest

from likely.stats import Counts, Groups, Scatter
from likely.stats.products import WIDEST


@pytest.mark.parametrize("order", ["C", "F"])
def test_soft_counts_of_levels(order):
    rng = np.random.default_rng(0)
    sizes = (3, 1, 5)
    codes = np.stack([rng.integers(-2, k, 200) for k in sizes], axis=1)
    shares = rng.dirichlet(np.ones(4), 200)
    found = Counts.collect(np.asarray(codes, order=order), Groups.softly(shares), sizes)
    for j, size in enumerate(sizes):
        for level in range(size):
            expected = shares[codes[:, j] == level].sum(axis=0)
            np.testing.assert_allclose(found.column(j)[:, level], expected, rtol=1e-13)


def test_no_rows_and_no_columns():
    assert Counts.collect(np.empty((0, 2), np.intp), Groups.softly(np.empty((0, 3))), (2, 2)).table.sum() == 0
    assert Counts.collect(np.empty((4, 0), np.intp), Groups.softly(np.ones((4, 3))), ()).table.shape == (3, 0)


@pytest.mark.parametrize("d", [WIDEST, WIDEST + 6], ids=["by-products", "one-by-one"])
@pytest.mark.parametrize("far", [0.0, 1e7], ids=["near", "far"])
def test_soft_scatter(d, far):
    """One group may lie far from the others, and one may be empty."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(300, d)) @ rng.normal(size=(d, d))
    rows[:100] += far
    shares = np.zeros((300, 4))
    shares[:100, 0] = rng.random(100)
    shares[100:, 1:3] = rng.random((200, 2))
    found = Scatter.collect(rows, Groups.softly(shares))
    for group in range(3):
        weight = shares[:, group]
        # From a member, so that a shift costs no digits.
        own = rows - rows[np.argmax(weight)]
        mean = weight @ own / weight.sum()
        scatter = ((own - mean) * weight[:, None]).T @ (own - mean)
        assert found.n[group] == pytest.approx(weight.sum(), rel=1e-13)
        np.testing.assert_allclose(found.mean[group], rows[np.argmax(weight)] + mean, rtol=1e-12, atol=1e-10)
        scale = np.abs(scatter).max()
        np.testing.assert_allclose(found.scatter[group], scatter, atol=(1e-12 if far == 0 else 1e-8) * scale)
    assert found.n[3] == 0
    assert not found.scatter[3].any()
