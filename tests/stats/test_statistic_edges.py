"""The corners: no rows, nobody in a group, nothing known, one row, constants, very large numbers."""

from __future__ import annotations

from math import lgamma

import numpy as np
import pytest
from law_cases import CASES, EPS, MANY_GROUPS, Lot, Sample, arrays, same_bits
from scipy.sparse import csr_array

from likely.stats import Cells, Counts, CountSums, Fourth, GapSums, Groups, Moments, Scatter, Sums, Within

every_case = pytest.mark.parametrize("case", CASES, ids=str)
centred = pytest.mark.parametrize("statistic", [Moments, Scatter, Within, Fourth])


def sample_of(case, n=20):
    return Sample.draw(case, Lot(n, 2, 1, 1, 3), exact=False)


def diagonal(statistic):
    scatter = statistic.scatter
    return scatter if scatter.ndim == 2 else np.einsum("gii->gi", scatter)


@every_case
def test_no_rows_are_the_empty_statistic(case):
    sample = sample_of(case, 0)
    same_bits(sample.collect(), sample.empty())
    same_bits(sample.empty() + sample.empty(), sample.empty())
    same_bits(sample.empty().pooled(), sample.empty().regroup(np.zeros(sample.n_groups, int), 1))


@every_case
def test_a_group_without_rows_has_nothing(case):
    sample = sample_of(case)
    wider = sample.n_groups + 1
    if case.soft:
        sample = sample.altered(n_groups=wider, soft=np.column_stack([sample.soft, np.zeros(len(sample))]))
    else:
        sample = sample.altered(n_groups=wider)
    if case.statistic is Cells:
        n = sample.collect().n
        assert (n[-1] == 0).all()
        assert n[0].max() > 0
        return
    for name, array in arrays(sample.collect()).items():
        if name in ("gaps", "ends") or not array.size:
            continue  # of all groups; or nothing was missing
        shared = case.statistic is Within and name == "scatter"
        assert shared or (array[-1] == 0).all(), name
        assert name in ("mean_rest", "power") or np.abs(array if name == "words" else array[0]).max() > 0, (
            name
        )


@every_case
@pytest.mark.parametrize("n", [1, 2, 500])
@pytest.mark.parametrize("layout", [0, 1])
def test_a_column_with_no_known_cell_has_nothing(case, n, layout):
    """To the last bit, whatever the weights and the order they are summed in."""
    missing = -1 if case.statistic is Counts else np.nan
    for groups in (0, 1, 2):
        sample = Sample.draw(case, Lot(n, 2, groups, layout, n), exact=False)
        rows = sample.rows.copy()
        rows[:, 0] = missing
        found = sample.altered(rows=rows).collect()
        if case.statistic is Counts:
            assert (found.column(0) == 0).all()
            np.testing.assert_array_equal(found.column(1), sample.collect().column(1))
        elif case.statistic in (Scatter, Within, Fourth):
            same_bits(found, sample.empty())  # no complete row
        elif case.statistic is Cells:
            assert (found.n[:, 0] == 0).all()
            np.testing.assert_array_equal(found.n[:, 1], sample.collect().n[:, 1])
        else:
            own = [array for name, array in arrays(found).items() if name not in ("words", "gaps", "ends")]
            assert all((array[:, 0] == 0).all() for array in own)
            if case.statistic is GapSums:
                assert all(0 in gaps for gaps in found.sets)
            assert (found.n[:, 1] > 0).any() == (sample.collect().n[:, 1] > 0).any()


@centred
def test_one_row(statistic):
    found = statistic.collect(np.array([[0.1, -7.0]]), Groups.hard([1], 3, [0.3]))
    np.testing.assert_array_equal(found.mean, [[0, 0], [0.1, -7.0], [0, 0]])
    np.testing.assert_array_equal(found.n.reshape(3, -1)[:, 0], [0, 0.3, 0])
    assert (found.scatter == 0).all()


def test_one_row_of_counts():
    found = CountSums.collect(np.array([[3.0, 0.0]]), Groups.one(1, [2.0]))
    np.testing.assert_array_equal(found.n, [[2, 2]])
    np.testing.assert_array_equal(found.total, [[6, 0]])
    np.testing.assert_allclose(found.log_factorial, [[2 * np.log(6), 0]], rtol=1e-15)


@centred
@pytest.mark.parametrize("value", [0.1, -1 / 3, 1e6 + 0.1, 1e150, 1e-150, 1e-310])
@pytest.mark.parametrize("n_groups", [1, 3, MANY_GROUPS])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_constant_column_has_scatter_exactly_zero(statistic, value, n_groups, weighted):
    """So has the sum of its parts, and the mean is the constant."""
    rng = np.random.default_rng(2)
    n = 1000
    weight = rng.random(n) + 0.01 if weighted else None
    groups = Groups.hard(rng.integers(0, n_groups, n), n_groups, weight)
    rows = np.full((n, 1), value)
    whole = statistic.collect(rows, groups)
    parts = statistic.collect(rows[:317], groups.rows(0, 317)) + statistic.collect(
        rows[317:], groups.rows(317, n)
    )
    sparse = statistic.collect(csr_array(rows), groups)
    for found in (whole, parts, sparse):
        assert (found.scatter == 0).all()
        np.testing.assert_allclose(found.mean, value, rtol=0 if value > 1e-140 else EPS, atol=1e-323)


@centred
@pytest.mark.parametrize("n_groups", [4, MANY_GROUPS])
def test_a_column_constant_in_each_group_has_scatter_exactly_zero(statistic, n_groups):
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, 3000)
    values = np.array([0.1, 0.7, 1e6 + 0.1, -1 / 3])
    rows = np.column_stack([values[codes], rng.normal(size=3000)])
    rows[rng.random(3000) < 0.1, 0] = np.nan if statistic is Moments else values[0]
    rows[:, 0] = np.where(np.isnan(rows[:, 0]), np.nan, values[codes])
    found = statistic.collect(rows, Groups.hard(codes, n_groups, rng.random(3000)))
    assert (diagonal(found)[:, 0] == 0).all()
    np.testing.assert_array_equal(found.mean[:4, 0], values)
    assert (diagonal(found)[:4, 1] > 0).all()


@centred
def test_numbers_of_1e150(statistic):
    """Their squares still fit; 2**498 is near and scales exactly. Fourth powers are in units of their own."""
    rng = np.random.default_rng(4)
    rows, groups = rng.normal(size=(50, 2)), Groups.hard(rng.integers(0, 3, 50), 3)
    scale = 2.0**498
    small, large = statistic.collect(rows, groups), statistic.collect(rows * scale, groups)
    assert scale > 1e149
    np.testing.assert_array_equal(large.mean, small.mean * scale)
    np.testing.assert_array_equal(large.scatter, small.scatter * scale**2)
    if statistic is Fourth:
        np.testing.assert_array_equal(
            np.ldexp(large.cubes, 3 * (large.power.astype(int)[:, :, None] - 498)), small.cubes
        )
        np.testing.assert_array_equal(
            np.ldexp(large.fourths, 4 * (large.power.astype(int)[:, :, None] - 498)), small.fourths
        )
    parts = statistic.collect(rows[:20] * scale, groups.rows(0, 20))
    parts += statistic.collect(rows[20:] * scale, groups.rows(20, 50))
    np.testing.assert_allclose(diagonal(parts), diagonal(large), rtol=1e-14)
    assert np.isfinite((large - parts).scatter).all()


@centred
@pytest.mark.parametrize("soft", [False, True])
def test_a_row_without_weight_may_hold_anything(statistic, soft):
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(100, 2))
    weight = np.r_[0.0, 0.0, 0.0, np.full(97, 0.5)]
    rows[:3] = [[np.nan, 1.0], [1e9, -1e9], [1e9, np.nan]]
    codes = rng.integers(0, 2, 100)
    groups = Groups.softly(np.eye(2)[codes] * weight[:, None]) if soft else Groups.hard(codes, 2, weight)
    found, expected = statistic.collect(rows, groups), statistic.collect(rows[3:], groups.rows(3, 100))
    np.testing.assert_array_equal(found.n, expected.n)
    np.testing.assert_allclose(found.mean, expected.mean, rtol=0, atol=1e-15)
    np.testing.assert_allclose(diagonal(found), diagonal(expected), rtol=1e-14)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32, np.float32, bool])
@pytest.mark.parametrize("statistic", [Sums, CountSums, GapSums, Moments, Scatter, Within, Fourth])
def test_numbers_of_any_type(statistic, kind):
    """Squares of small integers do not overflow their type."""
    cells = np.zeros((50, 1))
    cells[:12], cells[12:20] = 20, 3
    cells = cells.astype(kind)
    expected = statistic.collect(cells.astype(float), Groups.one(50))
    for rows in (cells, csr_array(cells)):
        found = statistic.collect(rows, Groups.one(50))
        for name, array in arrays(expected).items():
            np.testing.assert_allclose(getattr(found, name), array, rtol=1e-14, atol=1e-15, err_msg=name)


def test_log_factorials_on_both_sides_of_the_table():
    counts = np.array([0.0, 1.0, 2.0, 170.0, 4094.0, 4095.0, 4096.0, 1e6])
    for upto in range(1, len(counts) + 1):  # with and without counts beyond the table
        found = CountSums.collect(counts[:upto, None], Groups.hard(np.arange(upto), upto)).log_factorial
        np.testing.assert_allclose(found[:, 0], [lgamma(x + 1) for x in counts[:upto]], rtol=1e-13)


def test_what_statistics_say_of_themselves():
    groups = Groups.hard([0, 0, 1], 3)
    counts = Counts.collect(np.array([[0, 1], [1, -1], [1, 0]]), groups, (2, 3))
    np.testing.assert_array_equal(counts.table, [[1, 1, 0, 1, 0], [0, 1, 1, 0, 0], [0] * 5])
    np.testing.assert_array_equal(counts.n, [[2, 1], [1, 1], [0, 0]])
    np.testing.assert_array_equal(counts.column(1), [[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    rows = np.array([[1.0, 0.0], [3.0, 1.0], [5.0, 5.0]])
    np.testing.assert_array_equal(Moments.collect(rows, groups).variance, [[1, 0.25], [0, 0], [0, 0]])
    covariance = Scatter.collect(rows, groups).covariance
    np.testing.assert_array_equal(covariance, [[[1, 0.5], [0.5, 0.25]], np.zeros((2, 2)), np.zeros((2, 2))])


def test_counts_of_no_columns():
    counts = Counts.collect(np.zeros((3, 0), int), Groups.one(3), ())
    assert counts.table.shape == (1, 0)
    assert counts.n.shape == (1, 0)
    assert (counts + counts).relevel([], ()).table.shape == (1, 0)


def test_statistics_never_change_what_they_are_given():
    rng = np.random.default_rng(9)
    rows = rng.normal(size=(200, 3)) + 1e6 * (np.arange(200) % 2)[:, None]
    rows[3, 1] = np.nan
    soft = rng.random((200, 2))
    kept, kept_soft = rows.copy(), soft.copy()
    for statistic in (Sums, GapSums, Moments, Scatter, Within, Fourth):
        for groups in (Groups.softly(soft), Groups.hard(np.arange(200) % 2, 2, soft[:, 0])):
            one, two = statistic.collect(rows, groups), statistic.collect(csr_array(rows), groups)
            before = {name: array.copy() for name, array in arrays(one).items()}
            _ = one + two, one - two, one * 2.0, one.pooled(), one.regroup(np.array([1, 0]), 2)
            for name, array in before.items():
                np.testing.assert_array_equal(getattr(one, name), array)
    np.testing.assert_array_equal(rows, kept)
    np.testing.assert_array_equal(soft, kept_soft)
