"""All ways to cut cells in order, beside brute force over each of them."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.special import gammaln
from sklearn.cluster import KMeans

from likely.infer.partitions import averaged_parts, best_parts, kmeans_parts, segment_evidence

RNG = np.random.default_rng(2)


def ways(b):
    """Every way to cut b cells, as the edges of its parts."""
    for k in range(b):
        for cuts in combinations(range(1, b), k):
            yield [0, *cuts, b]


def log_evidence(counts, prior):
    """Of rows of one part: the Dirichlet-multinomial of an ordered sample."""
    n = counts.sum(axis=1)
    return gammaln(prior.sum()) - gammaln(n.sum() + prior.sum()) + (gammaln(n + prior) - gammaln(prior)).sum()


@pytest.mark.parametrize("g", [2, 3])
def test_the_best_way_is_that_of_brute_force(g):
    for _ in range(10):
        counts, prior = RNG.integers(0, 6, (g, 7)).astype(float), RNG.uniform(0.5, 2, g)
        value = segment_evidence(counts, prior)

        def worth(edges, counts=counts, prior=prior):
            parts = pairwise(edges)
            return sum(log_evidence(counts[:, a:b], prior) for a, b in parts) - 0.7 * (len(edges) - 1) ** 1.5

        best = max(ways(7), key=worth)
        ours = best_parts(value, lambda parts: 0.7 * parts**1.5, 7).tolist()
        assert worth([*ours, 7]) == pytest.approx(worth(best))
        assert len(best_parts(value, lambda parts: 0.0, 2)) <= 2


@pytest.mark.parametrize("g", [2, 3])
@pytest.mark.parametrize("cut", [[0.3], [0.1, 0.5, 0.9]])
def test_the_average_is_that_of_brute_force(g, cut):
    counts, prior = RNG.integers(0, 6, (g, 6)).astype(float), RNG.uniform(0.5, 2, g)
    shares, weights, n_parts, boundary = [], [], [], []
    for h in cut:
        for edges in ways(6):
            parts = list(pairwise(edges))
            log_p = (len(parts) - 1) * np.log(h) + (6 - len(parts)) * np.log(1 - h)
            log_p += sum(log_evidence(counts[:, a:b], prior) for a, b in parts)
            here = np.empty((g, 6))
            for a, b in parts:
                n = counts[:, a:b].sum(axis=1)
                here[:, a:b] = ((n + prior) / (n.sum() + prior.sum()))[:, None]
            shares.append(here)
            weights.append(log_p)
            n_parts.append(len(parts))
            boundary.append([cell in edges for cell in range(1, 6)])
    weight = np.exp(np.array(weights) - max(weights))
    weight /= weight.sum()
    ours = averaged_parts(counts, prior, np.array(cut))
    assert ours.shares == pytest.approx(np.einsum("w,wgb->gb", weight, np.array(shares)), rel=1e-10)
    assert ours.parts == pytest.approx(weight @ np.array(n_parts))
    assert ours.boundary == pytest.approx(weight @ np.array(boundary, float), rel=1e-9)


def test_one_cell():
    ours = averaged_parts(np.array([[3.0], [1.0]]), np.ones(2), np.array([0.5]))
    assert ours.shares[:, 0] == pytest.approx([4 / 6, 2 / 6])
    assert ours.boundary.size == 0


def squared_error(x, weight, starts):
    edges = [*starts, len(x)]
    total = 0.0
    for a, b in pairwise(edges):
        total += weight[a:b] @ (x[a:b] - np.average(x[a:b], weights=weight[a:b])) ** 2
    return total


def test_clusters_have_the_least_error_of_all_ways():
    for _ in range(20):
        x, weight = np.sort(RNG.normal(size=9)), RNG.integers(1, 4, 9).astype(float)
        for k in (1, 2, 3, 5):
            ours = kmeans_parts(x, weight, k)
            best = min(squared_error(x, weight, way[:-1]) for way in ways(9) if len(way) == k + 1)
            assert squared_error(x, weight, ours) == pytest.approx(best, rel=1e-9, abs=1e-12)


def test_the_worked_clusters():
    x = np.array([-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 13.7, 15.1, 20.1])
    weight = np.array([1.0, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1])
    assert squared_error(x, weight, kmeans_parts(x, weight, 3)) == pytest.approx(39.368)
    assert squared_error(x, weight, kmeans_parts(x, weight, 2)) == pytest.approx(164.82875)
    edges = [*kmeans_parts(x, weight, 3), 11]
    pairs = pairwise(edges)
    assert [np.average(x[a:b], weights=weight[a:b]) for a, b in pairs] == pytest.approx([-2.7, 8.12, 16.3])


def test_no_start_of_the_usual_search_ends_lower():
    x = np.sort(RNG.gamma(1, size=400))
    ours = squared_error(x, np.ones(400), kmeans_parts(x, np.ones(400), 6))
    theirs = KMeans(6, n_init=20, random_state=0).fit(x[:, None]).inertia_
    assert ours <= theirs * (1 + 1e-9)


@pytest.mark.parametrize("rows", [0.0, 1.0, 1e2, 1e5])
@pytest.mark.parametrize("truth", ["noise", "steps"])
def test_the_average_of_many_cells_is_that_of_the_recursion_in_logs(rows, truth):
    """Hundreds of cells, of which some way to cut is e^(10^6) times as probable as another."""
    rng = np.random.default_rng([int(rows), truth == "steps"])
    b, cut, prior = 120, np.array([0.02, 0.4]), np.array([0.7, 1.3])
    p = np.repeat([0.1, 0.8, 0.3], 40) if truth == "steps" else np.full(b, 0.4)
    ones = rng.binomial(int(rows), p).astype(float)
    counts = np.stack([rows - ones, ones])
    value = segment_evidence(counts, prior)
    size = np.maximum(np.arange(b + 1) - np.arange(b + 1)[:, None] - 1, 0)
    log_totals, boundaries = [], []
    for h in cut:
        part = value + size * np.log1p(-h) + np.log(h)
        forward, backward = np.full(b + 1, -np.inf), np.full(b + 1, -np.inf)
        forward[0] = backward[b] = 0.0
        for end in range(1, b + 1):
            forward[end] = np.logaddexp.reduce(forward[:end] + part[:end, end])
        for start in range(b - 1, -1, -1):
            backward[start] = np.logaddexp.reduce(part[start, start + 1 :] + backward[start + 1 :])
        log_totals.append(forward[b] - np.log(h))
        boundaries.append(np.exp(forward + backward - forward[b])[1:b])
    weight = np.exp(log_totals - np.logaddexp.reduce(log_totals))
    seen = averaged_parts(counts, prior, cut)
    np.testing.assert_allclose(seen.boundary, weight @ boundaries, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(seen.parts, 1 + (weight @ boundaries).sum(), rtol=1e-8)
    assert np.isfinite(seen.shares).all()
