"""The rules of probability on random joint distributions, to 1e-12."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joint_cases import cells, close, joints, mass, statement, steady

import likely

seeds = st.integers(0, 2**32)


@steady
@given(joints(), seeds)
def test_sum_rule(joint, seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(joint.names)[: rng.integers(1, len(joint.names) + 1)].tolist()
    part = joint.marginal(*names)
    assert part.names == tuple(names)
    assert part.levels == {name: joint.levels[name] for name in names}
    for combination, p in cells(part).items():
        assert p == pytest.approx(mass(joint, dict(zip(names, combination, strict=True))), **close)
    assert part.probs.sum() == pytest.approx(1, **close)


@steady
@given(joints(), seeds)
def test_prob_and_condition_are_sums_over_the_cells(joint, seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(joint.names).tolist()
    cut = rng.integers(0, len(names) + 1)
    event, known = statement(rng, joint, names[:cut]), statement(rng, joint, names[cut:])
    assert joint.prob(event) == pytest.approx(mass(joint, event), **close)
    base = mass(joint, known)
    if base == 0:
        for ask in (lambda: joint.prob(event, given=known), lambda: joint.condition(known)):
            with pytest.raises(likely.LikelyError, match="has probability 0"):
                ask()
        return
    assert joint.prob(event, given=known) == pytest.approx(mass(joint, event, known) / base, **close)
    if cut:
        left = joint.condition(known)
        assert left.names == tuple(n for n in joint.names if n not in known or isinstance(known[n], set))
        assert left.prob(event) == pytest.approx(mass(joint, event, known) / base, **close)


@steady
@given(joints(2), seeds)
def test_an_event_may_share_variables_with_what_is_known(joint, seed):
    rng = np.random.default_rng(seed)
    event, known = (statement(rng, joint, joint.names) for _ in range(2))
    base = mass(joint, known)
    if base > 0:
        assert joint.prob(event, given=known) == pytest.approx(mass(joint, event, known) / base, **close)


@steady
@given(joints(2))
def test_product_rule_bayes_rule_and_total_probability(joint):
    a, b = joint.names[:2]
    both, p_a, p_b = joint.marginal(a, b).probs, joint.marginal(a).probs, joint.marginal(b).probs
    b_given_a, a_given_b = joint.conditional(b, given=a).probs, joint.conditional(a, given=b).probs
    possible = p_a > 0
    np.testing.assert_allclose((b_given_a.T * p_a).T[possible], both[possible], rtol=1e-12)
    assert np.isnan(b_given_a[~possible]).all()
    np.testing.assert_allclose(p_a[possible] @ b_given_a[possible], p_b, rtol=1e-12)
    for i, j in product(np.flatnonzero(possible), np.flatnonzero(p_b > 0)):
        assert a_given_b[j, i] == pytest.approx(b_given_a[i, j] * p_a[i] / p_b[j], **close)
    assert likely.Joint.product(*joint.marginal(a, b).factorise()).marginal(b).probs == pytest.approx(
        p_b, **close
    )


@steady
@given(joints(), seeds)
def test_chain_rule_gives_the_joint_back(joint, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(joint.names).tolist()
    tables = joint.factorise(*order)
    assert [table.given for table in tables] == [tuple(order[:i]) for i in range(len(order))]
    shuffled = [tables[i] for i in rng.permutation(len(tables))]
    back = likely.Joint.product(*shuffled).marginal(*joint.names)
    assert back.levels == joint.levels
    np.testing.assert_allclose(back.probs, joint.probs, rtol=0, atol=1e-15)


@steady
@given(joints(3))
def test_conditioning_one_by_one_is_conditioning_at_once(joint):
    a, b = joint.names[:2]
    where = joint.argmax()
    once = joint.condition({a: where[a], b: where[b]})
    np.testing.assert_allclose(
        joint.condition({a: where[a]}).condition({b: where[b]}).probs, once.probs, rtol=1e-12
    )
    assert joint.prob(where) == joint.probs.max()
    assert once.prob({n: v for n, v in where.items() if n in once.names}) == once.probs.max()


@steady
@given(joints(3), seeds)
def test_information_is_a_sum_over_the_cells(joint, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(joint.names).tolist()
    a, b, c = order[0], order[1 : rng.integers(2, len(order)) + 1][:-1] or [order[1]], order[-1]
    b = [name for name in b if name != c]
    if not b:
        b, c = [order[1]], ()
    known = [c] if c else []
    bits = 0.0
    for combination, p in cells(joint.marginal(a, *b, *known)).items():
        row = dict(zip((a, *b, *known), combination, strict=True))
        own, rest, base = ({n: row[n] for n in names} for names in ([a], b, known))
        if p > 0:
            both = mass(joint, own, base) * mass(joint, rest, base)
            bits += p * np.log2(p * mass(joint, base) / both)
    assert joint.mutual_information(a, b, given=known) == pytest.approx(bits, rel=1e-9, abs=1e-12)
    assert joint.independent(a, b, given=known) is (joint.mutual_information(a, b, given=known) <= 1e-9)
    assert joint.entropy(a, given=known) - joint.entropy(a, given=[*b, *known]) == pytest.approx(
        bits, abs=1e-12
    )
    assert joint.entropy() == pytest.approx(
        joint.entropy(*order[1:]) + joint.entropy(order[0], given=order[1:]), **close
    )


@steady
@given(joints(1, 4), st.sampled_from(["pandas", "polars", "pyarrow", "dict"]))
def test_to_a_frame_and_back(joint, library):
    pytest.importorskip(library) if library != "dict" else None
    back = likely.Joint.from_table(joint.to_frame(library))
    assert back.levels == joint.levels
    np.testing.assert_allclose(back.probs, joint.probs, rtol=1e-15)
    first, *rest = joint.names
    if rest and (joint.marginal(*rest).probs > 0).all():
        table = joint.conditional(first, given=rest)
        again = likely.Conditional(first, table.to_frame(library), given=rest)
        np.testing.assert_allclose(again.probs, table.probs, rtol=1e-15)
