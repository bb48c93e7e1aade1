"""Beliefs from the tables of random networks, beside the sum over all combinations of levels."""

from __future__ import annotations

import numpy as np
import pytest

from likely.infer.likelihood_weighting import weigh_samples
from likely.infer.node_tables import KnownNodes, NodeTables, TooLargeError


def network(rng: np.random.Generator, most: int = 7, memory: float = 1 << 30):
    """Random tables, with zeros now and then, of up to `most` nodes; and the product of all of them."""
    d = int(rng.integers(1, most + 1))
    sizes = tuple(rng.integers(1, 4, d).tolist())
    parents = tuple(tuple(rng.permutation(v)[: rng.integers(0, 4)].tolist()) for v in range(d))
    tables = []
    for v in range(d):
        table = rng.random([*(sizes[p] for p in parents[v]), sizes[v]])
        table *= rng.random(table.shape) < 0.85
        table[..., 0] += 1e-3
        tables.append(table / table.sum(axis=-1, keepdims=True))
    operands = [x for v in range(d) for x in (tables[v], [*parents[v], v])]
    return NodeTables(sizes, parents, tuple(tables), memory), np.einsum(*operands, list(range(d)))


def evidence(rng: np.random.Generator, factors: NodeTables, full):
    """Some levels known, some likelihoods; and the joint table that this leaves."""
    d = len(factors.sizes)
    levels = {v: int(rng.integers(factors.sizes[v])) for v in range(d) if rng.random() < 0.3}
    soft = tuple(((v,), rng.random(factors.sizes[v])) for v in range(d) if rng.random() < 0.2)
    left = full.copy()
    for v, level in levels.items():
        left = left * np.eye(factors.sizes[v])[level].reshape([-1 if u == v else 1 for u in range(d)])
    for (v,), own in soft:
        left = left * own.reshape([-1 if u == v else 1 for u in range(d)])
    return KnownNodes(levels, tuple((scope, np.log(own)) for scope, own in soft)), left


def over(left, scope):
    summed = left.sum(axis=tuple(v for v in range(left.ndim) if v not in scope))
    return summed.transpose([sorted(scope).index(v) for v in scope])


@pytest.mark.parametrize("memory", [1 << 30, 400])
@pytest.mark.parametrize("seed", range(60))
def test_beliefs_are_sums_over_all_combinations(seed, memory):
    """Also where memory for hardly any cells is left, so that nodes are taken level by level."""
    rng = np.random.default_rng(seed)
    factors, full = network(rng, memory=memory)
    known, left = evidence(rng, factors, full)
    total = left.sum()
    assert np.exp(factors.log_prob(known)) == pytest.approx(total, rel=1e-12, abs=1e-300)
    if not total:
        return
    for v, marginal in enumerate(factors.marginals(known).marginals):
        np.testing.assert_allclose(marginal, over(left, (v,)) / total, rtol=0, atol=1e-13)
    families, log_p = factors.families(known)
    assert log_p == pytest.approx(float(np.log(total)), abs=1e-12)
    for v, family in enumerate(families):
        np.testing.assert_allclose(family, over(left, (*factors.parents[v], v)) / total, rtol=0, atol=1e-13)
    at, log_p = factors.most_probable(known)
    assert np.exp(log_p) == pytest.approx(left.max(), rel=1e-12)
    assert left[tuple(at)] == pytest.approx(left.max(), rel=1e-12)
    if memory > 400:
        nodes = rng.permutation(len(factors.sizes))[:3].tolist()
        np.testing.assert_allclose(factors.table(nodes, known)[0], over(left, nodes) / total, atol=1e-13)


def grid(n: int, memory: float) -> NodeTables:
    """n x n nodes, each below its left and its upper neighbour: nothing exact is small."""
    rng = np.random.default_rng(0)
    parents, tables = [], []
    for i in range(n):
        for j in range(n):
            above = tuple(
                p for p in ((i - 1) * n + j if i else None, i * n + j - 1 if j else None) if p is not None
            )
            parents.append(above)
            tables.append(rng.dirichlet(np.ones(2), 2 ** len(above)).reshape([2] * (len(above) + 1)))
    return NodeTables((2,) * n * n, tuple(parents), tuple(tables), memory)


def test_what_does_not_fit_memory_is_cut_into_cases_with_the_same_answer():
    whole, cut = grid(7, 1 << 30), grid(7, 12_000)
    known = KnownNodes({48: 1, 20: 0})
    assert whole.cost(known).cases == 1
    cost = cut.cost(known)
    assert cost.cases > 1
    assert cost.bytes <= 12_000 < whole.cost(known).bytes
    for one, two in zip(whole.marginals(known).marginals, cut.marginals(known).marginals, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-13)


def test_what_no_cutting_helps_is_refused_before_any_memory_is_taken():
    with pytest.raises(TooLargeError, match="GiB of memory"):
        grid(36, 1 << 20).marginals()


def test_samples_come_near_and_say_how_near():
    """Of 49 nodes each error is within 4.5 standard errors: by chance one in 3,000 such tests would fail."""
    factors = grid(7, 1 << 30)
    known = KnownNodes({48: 1, 20: 0}, (((10,), np.log([0.3, 1.0])),))
    exact = factors.marginals(known)
    samples = weigh_samples(factors, range(49), known, 20_000, np.random.default_rng(1))
    assert 1_000 < samples.effective_size < 20_000
    for v in range(49):
        share, error = samples.table([v])
        assert (np.abs(share - exact.marginals[v]) <= 4.5 * error + 1e-12).all()
    assert samples.log_prob == pytest.approx(exact.log_evidence, abs=0.1)


def test_samples_that_cannot_be_weigh_nothing():
    never = NodeTables((2, 2), ((), (0,)), (np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.0, 1.0]])))
    samples = weigh_samples(never, (0, 1), KnownNodes({1: 1}), 100, np.random.default_rng(0))
    assert samples.effective_size == 0
    assert np.isnan(samples.table([0])[0]).all()
