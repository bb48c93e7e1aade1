"""Sums made in logs, beside the same sums by products of matrices, and where those have nothing left."""

from __future__ import annotations

import numpy as np
import pytest
from test_contraction import over, product, whole

from likely.infer import log_contraction
from likely.infer.contraction import plan_contraction
from likely.infer.log_contraction import LogRun


def logs_of(tables):
    with np.errstate(divide="ignore"):
        return [np.log(table) for table in tables]


@pytest.mark.parametrize("at_once", [1, 1 << 20])
@pytest.mark.parametrize("seed", range(30))
def test_sums_and_shares_are_those_of_the_whole_product(seed, at_once, monkeypatch):
    monkeypatch.setattr(log_contraction, "AT_ONCE", at_once)
    rng = np.random.default_rng(seed)
    scopes, sizes, tables, rows = product(rng, False)
    full = whole(scopes, sizes, tables, rows)
    plan = plan_contraction(scopes, sizes)
    run = LogRun(plan, logs_of(tables))
    assert np.exp(run.log_total) == pytest.approx(full.sum(), rel=1e-12)
    share = full / full.sum() if full.sum() else full
    every = range(len(plan.operands))
    for asked, once in ((every, False), (every[seed % 3 :: 3], True)):
        joints = run.joints(asked, once=once)
        for place, joint in zip(asked, joints, strict=True):
            expected = over(share, plan.operands[place], len(sizes), False)
            np.testing.assert_allclose(joint, expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("seed", range(15))
def test_variables_that_are_kept(seed):
    rng = np.random.default_rng(seed)
    scopes, sizes, tables, rows = product(rng, False)
    kept = rng.permutation(len(sizes))[: rng.integers(1, 4)].tolist()
    expected = over(whole(scopes, sizes, tables, rows), kept, len(sizes), False)
    if not expected.sum():
        return
    run = LogRun(plan_contraction(scopes, sizes, kept=kept), logs_of(tables))
    np.testing.assert_allclose(
        run.table / run.table.sum(), expected / expected.sum(), rtol=1e-11, atol=1e-300
    )


def test_what_is_far_below_the_least_number():
    """A chain whose far end is ruled out where it is likely: one path of e**-3000 is left."""
    forbids = np.array([[1.0, 0.0], [0.0, 1.0]])
    scopes = [(0,), (0, 1), (1, 2), (1,), (2,)]
    logs = [*logs_of([np.array([1.0, 0.0]), forbids, forbids]), np.array([-1000.0, 0.0])]
    logs.append(np.array([-2000.0, 0.0]))
    plan = plan_contraction(scopes, [2, 2, 2])
    run = LogRun(plan, logs)
    assert float(run.log_total) == -3000.0
    np.testing.assert_array_equal(run.joints([4])[0], [1.0, 0.0])
    assert plan.run([np.exp(own) for own in logs]).log_total == -np.inf
    assert plan.possible([own > -np.inf for own in logs])
    logs[3] = np.array([-np.inf, 0.0])
    assert not plan.possible([own > -np.inf for own in logs])
    assert LogRun(plan, logs).log_total == -np.inf
    np.testing.assert_array_equal(LogRun(plan, logs).joints([4])[0], [0.0, 0.0])
