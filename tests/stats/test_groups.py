"""Membership of rows in groups: the same sums by every path."""

from __future__ import annotations

import numpy as np
import pytest
from law_cases import MANY_GROUPS, Case, Sample, law
from scipy.sparse import csr_array

from likely.stats import Groups, Sums

cases = pytest.mark.parametrize(
    "case",
    [Case(Sums, soft, False, weighted) for soft in (False, True) for weighted in (False, True)],
    ids=str,
)


@cases
@law(25)
def test_every_view_of_membership_agrees(case, lot):
    sample = Sample.draw(case, lot)
    every, matrix = np.arange(lot.n), sample.matrix()
    groups = sample.groups(every)
    assert len(groups) == lot.n
    assert groups.n_groups == sample.n_groups == matrix.shape[1]
    np.testing.assert_array_equal(groups.matrix, matrix)
    np.testing.assert_array_equal(groups.total, matrix.sum(axis=0))
    for g in range(sample.n_groups):
        np.testing.assert_array_equal(groups.column(g), matrix[:, g])
    expected = np.array([[(matrix[:, g] * x).sum() for x in sample.rows.T] for g in range(sample.n_groups)])
    np.testing.assert_array_equal(groups.sum(sample.rows), expected)
    np.testing.assert_array_equal(groups.sum(csr_array(sample.rows)), expected)


@cases
@law(15)
def test_choosing_rows_chooses_their_membership(case, lot):
    sample, rng = Sample.draw(case, lot), lot.rng(1)
    groups, matrix = sample.groups(np.arange(lot.n)), sample.matrix()
    a, b = sorted(rng.integers(0, lot.n + 1, 2))
    mask = rng.random(lot.n) < 0.5
    np.testing.assert_array_equal(groups.rows(a, b).matrix, matrix[a:b])
    np.testing.assert_array_equal(groups.where(mask).matrix, matrix[mask])
    np.testing.assert_array_equal(groups.where(np.flatnonzero(mask)).matrix, matrix[mask])
    assert groups.where(mask).n_groups == groups.n_groups


def test_rows_are_a_view():
    soft, codes, weight = np.ones((10, 2)), np.zeros(10, np.intp), np.ones(10)
    assert np.shares_memory(Groups.softly(soft).rows(2, 5).soft, soft)
    hard = Groups.hard(codes, 1, weight).rows(2, 5)
    assert np.shares_memory(hard.codes, codes)
    assert np.shares_memory(hard.weight, weight)


@pytest.mark.parametrize("n_groups", [1, 2, MANY_GROUPS])
def test_one_group_and_empty_groups(n_groups):
    groups = Groups.hard([0, 0], n_groups, [0.5, 2.0])
    expected = np.zeros((n_groups, 1))
    expected[0] = 0.5 * 3 + 2 * 4
    for rows in (np.array([[3.0], [4.0]]), csr_array(np.array([[3.0], [4.0]]))):
        np.testing.assert_array_equal(groups.sum(rows), expected)
    np.testing.assert_array_equal(Groups.one(2, [0.5, 2.0]).total, [2.5])
