"""Statistics in the making: what is gathered block by block is what is collected at once."""

from __future__ import annotations

import numpy as np
import pytest

from likely.stats import Groups, Moments, Scatter
from likely.stats.products import STEP, Gathered, Products

N = 2 * STEP + 37  # whole steps, and some rows more


def soft(n, groups=4):
    return np.random.default_rng(1).dirichlet(np.ones(groups), n)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("statistic", [Moments, Scatter])
def test_the_pieces_are_the_whole(statistic, order):
    rows = np.asarray(np.random.default_rng(0).normal(size=(3 * N, 3)), order=order)
    shares = soft(len(rows))
    total = None
    for start in range(0, len(rows), N):
        part = rows[start : start + N]
        found = statistic.gather(part, Groups.softly(shares[start : start + N]))
        assert isinstance(found, Gathered)
        total = found if total is None else total + found
    whole = statistic.collect(rows, Groups.softly(shares))
    for name in ("n", "mean", "scatter"):
        np.testing.assert_allclose(
            getattr(total.settled(), name), getattr(whole, name), rtol=1e-11, atol=1e-11
        )


@pytest.mark.parametrize("statistic", [Moments, Scatter])
@pytest.mark.parametrize("spoil", [np.nan, 1e7], ids=["missing", "far"])
def test_what_would_lose_digits_is_collected(statistic, spoil):
    rows = np.random.default_rng(0).normal(size=(400, 2))
    shares = np.repeat(np.eye(2), 200, axis=0)
    rows[200:] += 0.0 if np.isnan(spoil) else spoil
    rows[0, 0] = spoil if np.isnan(spoil) else rows[0, 0]
    found = statistic.gather(rows, Groups.softly(shares))
    assert isinstance(found, statistic)
    own = rows[200:] - rows[200]
    scatter = np.diagonal(found.scatter[1]) if statistic is Scatter else found.scatter[1]
    np.testing.assert_allclose(scatter, ((own - own.mean(axis=0)) ** 2).sum(axis=0), rtol=1e-8)


@pytest.mark.parametrize("n", [0, 1, STEP, N])
@pytest.mark.parametrize("crossed", [True, False])
def test_products_written_out(n, crossed):
    rows, centre = np.random.default_rng(0).normal(size=(n, 3)), np.array([0.5, 0.0, -2.0])
    a, b, c = (rows - centre).T
    table = [np.ones(n), a, b, c, a * a, b * b, c * c] + ([a * b, b * c, a * c] if crossed else [])
    products = Products.of(rows, centre, crossed)
    np.testing.assert_allclose(products.times(np.eye(len(table))), np.stack(table), rtol=1e-12)
    shares = soft(n) if n else np.empty((0, 4))
    np.testing.assert_allclose(products.sums(shares), shares.T @ np.stack(table).T, atol=1e-9)
