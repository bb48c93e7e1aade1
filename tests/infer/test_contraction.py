"""Plans of contractions against np.einsum: sums, derivatives, the largest product, and no underflow."""

from __future__ import annotations

import itertools
import math
import string

import numpy as np
import pytest

from likely.infer.contraction import plan_contraction
from likely.infer.elimination import elimination_order
from likely.infer.max_product import most_probable

N = 5


def product(rng: np.random.Generator, by_row: bool):
    """Random tables of up to 7 variables with 1 to 3 levels, some tables with a place for each of N rows."""
    d = int(rng.integers(2, 8))
    sizes = rng.integers(1, 4, d).tolist()
    scopes, tables, rows = [], [], []
    for v in range(d):
        scope = (*rng.permutation(v)[: rng.integers(0, 4)].tolist(), v)
        scopes.append(scope)
        table = rng.random([sizes[u] for u in scope])
        tables.append(table * (rng.random(table.shape) < 0.9) + 1e-9)
        rows.append(False)
    for v in range(d):
        if rng.random() < 0.6:
            scopes.append((v,))
            tables.append(rng.random((sizes[v], N) if by_row else sizes[v]))
            rows.append(by_row)
    return scopes, sizes, tables, rows


def whole(scopes, sizes, tables, rows):
    """The product of all tables, with an axis for each variable and, if there are, rows."""
    letters = string.ascii_lowercase
    inputs = ["".join(letters[v] for v in s) + ("z" if r else "") for s, r in zip(scopes, rows, strict=True)]
    out = letters[: len(sizes)] + ("z" if any(rows) else "")
    return np.einsum(f"{','.join(inputs)}->{out}", *tables)


def over(full, scope, d, rows):
    """A product summed over all variables but those of a scope, in its order."""
    left = full.sum(axis=tuple(v for v in range(d) if v not in scope))
    order = [sorted(scope).index(v) for v in scope]
    return left.transpose([*order, len(scope)] if rows else order)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("by_row", [False, True])
def test_sums_and_derivatives_are_those_of_the_whole_product(seed, by_row):
    rng = np.random.default_rng(seed)
    scopes, sizes, tables, rows = product(rng, by_row)
    full, some = whole(scopes, sizes, tables, rows), any(rows)
    total = full.reshape(-1, N if some else 1).sum(axis=0)
    run = plan_contraction(scopes, sizes, rows).run(tables)
    with np.errstate(divide="ignore"):
        assert np.exp(run.log_total) == pytest.approx(total if some else total[0], rel=1e-12)
    weight = rng.random(N) if some else 1.0
    share = np.divide(weight, total, out=np.zeros(len(total)), where=total > 0)
    for scope, by, table, slope in zip(
        scopes, rows, tables, run.derivatives(range(len(tables)), weight), strict=True
    ):
        expected = over(full * (share if some else share[0]), scope, len(sizes), some)
        expected = expected.sum(axis=-1) if some and not by else expected
        np.testing.assert_allclose(table * slope, expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_results_on_the_way_say_what_the_whole_product_says(seed, careful):
    """With results forgotten on the way back all the same, and with each rescaled."""
    rng = np.random.default_rng(100 + seed)
    scopes, sizes, tables, rows = product(rng, False)
    full = whole(scopes, sizes, tables, rows)
    if not full.sum():
        return
    plan = plan_contraction(scopes, sizes)
    some = rng.permutation(len(plan.operands))[: rng.integers(1, len(plan.operands) + 1)].tolist()
    joints = plan.run(tables, careful).joints(some, once=True)
    for place, joint in zip(some, joints, strict=True):
        expected = over(full / full.sum(), plan.operands[place], len(sizes), False)
        np.testing.assert_allclose(joint, expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_variables_that_are_kept_stand_in_the_order_asked_for(seed):
    rng = np.random.default_rng(seed)
    scopes, sizes, tables, rows = product(rng, False)
    kept = rng.permutation(len(sizes))[: rng.integers(1, 4)].tolist()
    run = plan_contraction(scopes, sizes, kept=kept).run(tables)
    expected = over(whole(scopes, sizes, tables, rows), kept, len(sizes), False)
    total = float(expected.sum())
    assert np.exp(float(run.log_total)) == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(run.table / run.table.sum(), expected / total, rtol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_the_most_probable_is_the_largest_cell(seed):
    rng = np.random.default_rng(seed)
    scopes, sizes, tables, rows = product(rng, False)
    full = whole(scopes, sizes, tables, rows)
    with np.errstate(divide="ignore"):
        logs = [np.log(table) for table in tables]
        at, log_p = most_probable(plan_contraction(scopes, sizes), logs)
        assert log_p == pytest.approx(float(np.log(full.max())), rel=1e-12)
    if full.max() > 0:
        assert full[tuple(at[v] for v in range(len(sizes)))] == pytest.approx(full.max(), rel=1e-12)


def test_a_chain_of_many_variables_neither_overflows_indices_nor_underflows():
    """1,000 variables, of which each leaves a thousandth: 1e-3000, far below the least number."""
    d = 1000
    scopes = [(0,), *((v, v + 1) for v in range(d - 1))]
    tables = [np.full(2, 5e-4), *(np.full((2, 2), 5e-4) for _ in range(d - 1))]
    run = plan_contraction(scopes, [2] * d).run(tables)
    assert float(run.log_total) == pytest.approx(d * np.log(1e-3), rel=1e-12)
    for table, slope in zip(tables, run.derivatives(range(d)), strict=True):
        assert float((table * slope).sum()) == pytest.approx(1.0, rel=1e-10)


def test_rows_are_rescaled_each_by_itself():
    d, n = 300, 4
    scopes = [(0,), *((v, v + 1) for v in range(d - 1)), *((v,) for v in range(d))]
    tables = [np.full(2, 0.5), *(np.full((2, 2), 0.5) for _ in range(d - 1))]
    small = 10.0 ** -np.arange(n)  # of each variable: the last row is about 1e-900
    tables += [np.tile(small, (2, 1)) for _ in range(d)]
    by_row = [False] * d + [True] * d
    run = plan_contraction(scopes, [2] * d, by_row).run(tables)
    np.testing.assert_allclose(run.log_total, d * np.log(small), rtol=1e-11, atol=1e-9)
    slopes = run.derivatives(range(d, 2 * d))
    for table, slope in zip(tables[d:], slopes, strict=True):
        np.testing.assert_allclose((table * slope).sum(axis=0), np.ones(n), rtol=1e-9)


def test_tables_of_very_small_numbers_are_multiplied_with_more_care():
    """Twelve tables of 1e-40 are below the least number before any rescaling is due."""
    scopes = [(0,), *((v, v + 1) for v in range(11)), (11,)]
    tables = [np.full([2] * len(scope), 1e-40) for scope in scopes]
    run = plan_contraction(scopes, [2] * 12).run(tables)
    assert float(run.log_total) == pytest.approx(12 * np.log(2) + 13 * np.log(1e-40), rel=1e-12)
    assert float((tables[5] * run.derivatives([5])[0]).sum()) == pytest.approx(1.0, rel=1e-10)


def test_cells_and_operations_are_known_before_anything_runs():
    scopes, sizes = [(0,), (0, 1), (1, 2), (2, 3)], [2, 3, 4, 5]
    plan = plan_contraction(scopes, sizes)
    run = plan.run([np.ones([sizes[v] for v in scope]) for scope in scopes])
    written = sum(np.size(value) for value in run.values[len(scopes) :])
    assert plan.cells == (written, 0)
    assert plan.bytes(0) == 16 * written


def test_orders_of_elimination_leave_out_what_is_kept():
    order = elimination_order([(0, 1), (1, 2), (2, 0)], [2, 2, 2], kept=[1])
    assert sorted(order) == [0, 2]


def lacking_links(near, v, sizes):
    pairs = itertools.combinations(sorted(near[v]), 2)
    return sum(sizes[u] * sizes[w] for u, w in pairs if w not in near[u])


@pytest.mark.parametrize("rule", ["fill", "size"])
@pytest.mark.parametrize("seed", range(20))
def test_each_variable_summed_out_is_the_cheapest_counted_anew(seed, rule):
    """What is kept up link by link is what counting all links again after every step gives."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(5, 40))
    sizes = rng.integers(1, 5, d).tolist()
    scopes = [tuple(rng.choice(d, int(rng.integers(1, 4)), replace=False).tolist()) for _ in range(d)]
    near = {v: {u for scope in scopes if v in scope for u in scope} - {v} for scope in scopes for v in scope}
    kept = [next(iter(near))]
    order = elimination_order(scopes, sizes, rule, kept)
    assert sorted([*order, *kept]) == sorted(near)
    for v in order:
        prices = {}
        for u in set(near) - set(kept):
            links = lacking_links(near, u, sizes)
            table = sizes[u] * math.prod(sizes[w] for w in near[u])
            prices[u] = (links, table) if rule == "fill" else (table * (1 + links), 0)
        assert prices[v] == min(prices.values())
        around = near.pop(v)
        for u in around:
            near[u] = (near[u] | around) - {u, v}


def test_a_variable_with_very_many_neighbours_is_left_until_it_has_few():
    """A class with 5,000 children: its links are not counted, nor its table of 2 ** 5,001 cells made."""
    d = 5_000
    order = elimination_order([(0,), *((0, i) for i in range(1, d + 1))], [2] * (d + 1))
    assert order.index(0) >= d - 1  # with one left, it and the class are equals
