"""Rows with gaps, worked on many patterns at a time: densities and conditionals by SciPy and by blocks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, multivariate_t

from likely.dist import MultivariateNormal
from likely.dist.numeric.gap_patterns import gap_patterns
from likely.dist.predictive.multivariate_t import MultivariateT
from likely.stats import Groups

UNITS = np.array([1.0, 1e-6, 1e5, 1.0, 3.0, 1e3])


def normals(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Three means and covariances of six columns in unlike units."""
    roots = rng.normal(size=(3, 6, 6))
    covariance = (roots @ roots.swapaxes(1, 2) + 0.1 * np.eye(6)) * UNITS[:, None] * UNITS
    return rng.normal(size=(3, 6)) * 3 * UNITS, covariance


def gappy(rng: np.random.Generator, n: int, share: float) -> np.ndarray:
    cells = rng.normal(size=(n, 6)) * 4 * UNITS
    return np.where(rng.random(cells.shape) < share, np.nan, cells)


@pytest.mark.parametrize("width", [5, 70, 130])  # a pattern fits one word, two, three
def test_every_row_is_in_one_pattern(width: int) -> None:
    rng = np.random.default_rng(width)
    missing = np.concatenate([rng.random((300, width)) < 3 / width, np.zeros((40, width), bool)])
    seen = np.zeros(len(missing), int)
    for some in gap_patterns(missing):
        for rows, known, gaps in zip(some.rows, some.known, some.gaps, strict=True):
            seen[rows] += 1
            assert sorted([*known, *gaps]) == list(range(width))
            assert missing[np.ix_(rows, gaps)].all()
            assert not missing[np.ix_(rows, known)].any()
    assert (seen == 1).all()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("family", ["normal", "t"])
def test_density_of_known_cells_is_scipys(share: float, family: str) -> None:
    rng = np.random.default_rng(7)
    mean, covariance = normals(rng)
    cells = gappy(rng, 150, share)
    own = MultivariateNormal(mean, covariance) if family == "normal" else MultivariateT(4, mean, covariance)
    expected = np.zeros((len(cells), 3))
    for i, row in enumerate(cells):
        known = ~np.isnan(row)
        if known.any():
            for g in range(3):
                block = (mean[g, known] / UNITS[known], covariance[g][np.ix_(known, known)])
                block = (block[0], block[1] / UNITS[known][:, None] / UNITS[known])
                law = (
                    multivariate_normal(*block)
                    if family == "normal"
                    else multivariate_t(*block, df=4, seed=0)
                )
                expected[i, g] = law.logpdf(row[known] / UNITS[known]) - np.log(UNITS[known]).sum()
    np.testing.assert_allclose(own.group_log_prob(cells), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("share", [0.1, 0.6])
def test_expected_statistic_is_that_of_each_row_alone(share: float) -> None:
    rng = np.random.default_rng(11)
    mean, covariance = normals(rng)
    own, cells = MultivariateNormal(mean, covariance), gappy(rng, 80, share)
    shares = rng.dirichlet(np.ones(3), len(cells))
    found = own.expect(cells, Groups.softly(shares))
    for g in range(3):
        total, squares = np.zeros(6), np.zeros((6, 6))
        for row, weight in zip(cells / UNITS, shares[:, g], strict=True):
            gaps = np.isnan(row)
            centre, matrix = mean[g] / UNITS, covariance[g] / UNITS[:, None] / UNITS
            full, spread = np.where(gaps, centre, row), np.zeros((6, 6))
            if gaps.any():
                across = matrix[np.ix_(gaps, ~gaps)] @ np.linalg.pinv(matrix[np.ix_(~gaps, ~gaps)])
                full[gaps] = centre[gaps] + across @ (row - centre)[~gaps]
                left = matrix[np.ix_(gaps, gaps)] - across @ matrix[np.ix_(~gaps, gaps)]
                spread[np.ix_(gaps, gaps)] = left
            total += weight * full
            squares += weight * (np.outer(full, full) + spread)
        n = shares[:, g].sum()
        np.testing.assert_allclose(found.n[g], n)
        np.testing.assert_allclose(found.mean[g] / UNITS, total / n, rtol=1e-8, atol=1e-9)
        scatter = squares - np.outer(total, total) / n
        np.testing.assert_allclose(found.scatter[g] / UNITS[:, None] / UNITS, scatter, rtol=1e-7, atol=1e-7)
