"""Rows that are filled once for two looks: never those of another table, law or thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from likely.dist import MultivariateNormal, elliptical
from likely.stats import Groups


def law(seed: int, g: int = 3, d: int = 5) -> MultivariateNormal:
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(g, d, d))
    return MultivariateNormal(rng.normal(size=(g, d)), roots @ roots.swapaxes(1, 2) + np.eye(d))


def gappy(seed: int, n: int = 60, d: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.where(rng.random((n, d)) < 0.3, np.nan, rng.normal(size=(n, d)))


def soft(n: int, g: int = 3) -> Groups:
    return Groups.softly(np.random.default_rng(0).dirichlet(np.ones(g), n))


def test_a_second_look_is_of_the_same_law_and_the_same_rows() -> None:
    cells, other = gappy(1), gappy(2)
    alone = [law(seed).expect(rows, soft(60)).scatter for seed in (5, 6) for rows in (cells, other)]
    both = []
    for seed in (5, 6):
        own = law(seed)
        for rows in (cells, other):
            law(9).group_log_prob(rows)  # filled last by another law
            own.group_log_prob(other)  # and of other rows
            both.append(own.expect(rows, soft(60)).scatter)
    for a, b in zip(alone, both, strict=True):
        np.testing.assert_array_equal(a, b)


def test_threads_do_not_see_what_others_filled() -> None:
    own, tables = law(3), [gappy(seed, 400) for seed in range(12)]
    expected = [law(3).expect(rows, soft(400)).scatter for rows in tables]

    def both(rows: np.ndarray) -> np.ndarray:
        own.group_log_prob(rows)
        return own.expect(rows, soft(400)).scatter

    with ThreadPoolExecutor(4) as pool:
        for a, b in zip(expected, pool.map(both, tables), strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("at_once", [1, 7 * 15, 1 << 21])
def test_how_many_rows_are_filled_at_once_changes_nothing(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = law(4).group_log_prob(gappy(8)), law(4).expect(gappy(8), soft(60)).scatter
    monkeypatch.setattr(elliptical, "MOST", at_once)
    np.testing.assert_allclose(law(4).group_log_prob(gappy(8)), whole[0], rtol=1e-12)
    np.testing.assert_allclose(law(4).expect(gappy(8), soft(60)).scatter, whole[1], rtol=1e-11)
