"""Marginals of a plan that is asked again, beside the sum over all combinations and the first answer."""

from __future__ import annotations

import numpy as np
import pytest
from test_node_tables import evidence, grid, network, over

from likely.infer import node_tables
from likely.infer.node_tables import KnownNodes, NodeTables


def asked_before(factors: NodeTables, known: KnownNodes) -> NodeTables:
    """Asked once about the same nodes at other levels, then again: the plan is laid out."""
    other = KnownNodes(dict.fromkeys(known.levels, 0), known.log_likelihoods)
    for _ in range(2):
        factors.marginals(other)
    return factors


@pytest.mark.parametrize("seed", range(120))
def test_beliefs_are_sums_over_all_combinations_at_whatever_levels(seed):
    rng = np.random.default_rng(5000 + seed)
    factors, full = network(rng, most=8)
    known, left = evidence(rng, factors, full)
    posteriors = asked_before(factors, known).marginals(known)
    assert factors._planned(known, None).repeated is not None
    total = left.sum()
    assert np.exp(posteriors.log_evidence) == pytest.approx(total, rel=1e-12, abs=1e-300)
    if not total:
        return
    for v, marginal in enumerate(posteriors.marginals):
        np.testing.assert_allclose(marginal, over(left, (v,)) / total, rtol=0, atol=1e-13)


@pytest.mark.parametrize("seed", range(40))
def test_likelihoods_of_several_nodes_together(seed):
    rng = np.random.default_rng(6000 + seed)
    factors, full = network(rng, most=6)
    d = len(factors.sizes)
    scope = tuple(int(v) for v in rng.permutation(d)[: rng.integers(1, 4)])
    cells = rng.random([factors.sizes[v] for v in scope])
    levels = {scope[0]: 0} if seed % 2 else {}
    left = full * np.einsum(cells, scope, np.ones(factors.sizes), range(d), range(d))
    for v in levels:
        left = left * np.eye(factors.sizes[v])[0].reshape([-1 if u == v else 1 for u in range(d)])
    known = KnownNodes(levels, ((scope, np.log(cells)),))
    posteriors = asked_before(factors, known).marginals(known)
    for v, marginal in enumerate(posteriors.marginals):
        np.testing.assert_allclose(marginal, over(left, (v,)) / left.sum(), rtol=0, atol=1e-13)


@pytest.mark.parametrize("n", [5, 13])
def test_the_second_answer_of_a_large_network_is_the_first(n):
    """Of 25 nodes nothing is rescaled, of 169 results are, as their plan says."""
    factors = grid(n, 1 << 30)
    known = KnownNodes({n * n - 1: 1, n: 0})
    first = factors.marginals(known)
    second, third = factors.marginals(known), factors.marginals(known)
    for answer in (second, third):
        assert answer.log_evidence == pytest.approx(first.log_evidence, rel=1e-13)
        for one, two in zip(first.marginals, answer.marginals, strict=True):
            np.testing.assert_allclose(one, two, rtol=0, atol=1e-13)


def test_where_memory_is_short_the_plan_laid_out_first_gives_way(monkeypatch):
    factors = grid(4, 1 << 30)
    monkeypatch.setattr(node_tables, "LAID", 2 * sum(table.size for table in factors.tables))
    each = [KnownNodes({v: 1}) for v in range(4)]
    firsts = [factors.marginals(known) for known in each]
    for known, first in zip(each, firsts, strict=True):
        again = factors.marginals(known)
        for one, two in zip(first.marginals, again.marginals, strict=True):
            np.testing.assert_allclose(one, two, rtol=0, atol=1e-13)
    laid = [factors._planned(known, None).repeated is not None for known in each]
    assert laid == [False, False, True, True]
    monkeypatch.setattr(node_tables, "LAID", 1)
    none = KnownNodes({5: 0})
    for _ in range(3):
        factors.marginals(none)
    assert factors._planned(none, None).repeated is None


def test_what_gets_too_small_on_the_way_is_made_with_care():
    """Forty findings of one in 10^9 each: 10^-360 together, less than any number can say."""
    rare = np.array([[1 - 1e-9, 1e-9], [1 - 2e-9, 2e-9]])
    factors = NodeTables((2,) * 41, ((), *[(0,)] * 40), (np.array([0.5, 0.5]), *[rare] * 40))
    known = KnownNodes(dict.fromkeys(range(1, 41), 1))
    for _ in range(3):
        answer = factors.marginals(known)
        assert answer.log_evidence == pytest.approx(
            np.log(0.5 * (1 + 2.0**40)) + 40 * np.log(1e-9), rel=1e-13
        )
        assert answer.marginals[0][0] == pytest.approx(1 / (1 + 2.0**40), rel=1e-10)


def test_what_cannot_be_is_told_as_before():
    """And what can be, asked after it of the same nodes, is told all the same."""
    same = np.eye(2)
    factors = NodeTables((2, 2, 2), ((), (0,), (0,)), (np.array([0.25, 0.75]), same, same))
    for _ in range(3):
        assert factors.marginals(KnownNodes({1: 0, 2: 1})).log_evidence == -np.inf
        can = factors.marginals(KnownNodes({1: 1, 2: 1}))
        assert can.log_evidence == pytest.approx(np.log(0.75), rel=1e-15)
        np.testing.assert_allclose(can.marginals[0], [0, 1], rtol=0, atol=1e-15)
