"""The laws of grids that only coarsen, where they do: with few cells allowed, and with a million values."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest
from law_cases import same_bits
from numpy.testing import assert_allclose, assert_array_equal

from likely.stats import Cells, Groups
from likely.stats import dyadic_grid as module
from likely.stats.class_cells import ClassCells
from likely.stats.dyadic_grid import EXACT, MOST, Packed


@pytest.fixture
def few_cells(monkeypatch):
    monkeypatch.setattr(module, "MOST", 16)


def dyadic(rng, n, d=2):
    """Values and weights whose sums carry no rounding, with outliers, ties and missing cells."""
    rows = np.round(rng.normal(size=(n, d)) * 2**20) / 2**20 * rng.choice([1.0, 1.0, 1024.0], (n, 1))
    rows[rng.random((n, d)) < 0.1] = np.nan
    rows[rng.random((n, d)) < 0.1] = -0.0
    return rows


def groups_of(rng, n, kind):
    if kind == "soft":
        return Groups.softly(rng.integers(0, 9, (n, 3)) / 8)
    return Groups.hard(rng.integers(0, 3, n), 3, None if kind == "hard" else rng.integers(0, 9, n) / 4)


@pytest.mark.parametrize("kind", ["hard", "weighted", "soft"])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.usefixtures("few_cells")
def test_parts_added_are_the_whole_to_the_last_cell(kind, seed):
    rng = np.random.default_rng(seed)
    rows, groups = dyadic(rng, 300), groups_of(rng, 300, kind)
    whole = Cells.collect(rows, groups)
    assert (whole.power > EXACT).all()
    owner = rng.integers(0, 7, 300)
    pieces = [Cells.collect(rows[owner == i], groups.where(owner == i)) for i in rng.permutation(7)]
    same_bits(reduce(add, pieces), whole)
    same_bits(reduce(lambda right, left: left + right, pieces), whole)
    same_bits(
        (pieces[0] + pieces[1]) + (pieces[2] + (pieces[3] + pieces[4])) + (pieces[5] + pieces[6]), whole
    )
    order = rng.permutation(300)
    same_bits(Cells.collect(rows[order], groups.where(order)), whole)
    one = Cells.collect(rows, Groups.one(300, groups.matrix.sum(axis=1)))
    same_bits(whole.pooled(), one)
    same_bits(whole.only(np.array([2, 0])).regroup(np.array([2, 0]), 3).only(np.array([0])), whole.only([0]))
    assert_array_equal(whole.only(np.array([2, 0])).n, whole.n[[2, 0]])
    assert_array_equal(whole.regroup(np.array([2, 0, 1]), 3).n[[2, 0, 1]], whole.n)


@pytest.mark.parametrize("kind", ["hard", "weighted", "soft"])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.usefixtures("few_cells")
def test_subtraction_is_exact_on_the_grid_there_is(kind, seed):
    rng = np.random.default_rng(seed)
    rows, groups = dyadic(rng, 300), groups_of(rng, 300, kind)
    taken = rng.random(300) < 0.6
    whole, part = Cells.collect(rows, groups), Cells.collect(rows[taken], groups.where(taken))
    rest = Cells.collect(rows[~taken], groups.where(~taken))
    left = whole - part
    assert_array_equal(left.power, whole.power)
    n = len(rest.where)
    expected = rest._everywhere(lambda i, j: rest.packed(i, j).coarse(int(whole.power[i, j])), n)
    same_bits(left, expected)
    same_bits(whole - whole, whole * 0.0)


@pytest.mark.usefixtures("few_cells")
def test_the_grid_is_the_finest_that_will_do():
    rng = np.random.default_rng(1)
    for scale in (1.0, 1e-12, 1e30):
        values = rng.standard_cauchy(500) * scale
        found = Packed.of(values)
        assert len(found.place) <= 16
        assert_array_equal(found.place, np.unique(np.floor(values / found.width) * found.width))
        assert len(np.unique(np.floor(values / (found.width / 2)))) > 16
        assert found.weight.sum() == 500
        assert_allclose((found.centre * found.weight).sum(), values.sum(), rtol=1e-12)
        assert (np.abs(found.centre - found.place - found.width / 2) <= found.width / 2).all()


@pytest.mark.usefixtures("few_cells")
@pytest.mark.parametrize("power", [-60, -3, 7, 200])
def test_units_that_are_powers_of_two_move_the_grid_along(power):
    rows = np.random.default_rng(2).normal(size=(200, 2)) + 5
    plain = Cells.collect(rows, Groups.one(200))
    scaled = Cells.collect(rows * 2.0**power, Groups.one(200))
    assert_array_equal(scaled.power, plain.power + power)
    assert_array_equal(scaled.place, plain.place * 2.0**power)
    assert_array_equal(scaled.beyond, plain.beyond * 2.0**power)


@pytest.mark.parametrize("shift", [0.0, 1e9, -1e15])
def test_a_million_values(shift):
    rng = np.random.default_rng(3)
    rows = (rng.normal(size=1_000_000) + shift)[:, None]
    found = Cells.collect(rows, Groups.one(len(rows)))
    assert len(found.place) <= MOST
    assert found.n.item() == 1_000_000
    if shift < 1e10:
        assert 1.35 / 2.0 ** found.power.item() > 4000  # cells over the middle half
    assert_allclose(found.total, rows.sum(), rtol=1e-12, atol=1e-6)


def test_outliers_cost_cells_and_no_width():
    rng = np.random.default_rng(4)
    values = rng.normal(size=200_000)
    plain = Packed.of(values)
    spoilt = Packed.of(np.append(values, [1e12, -1e300, 1e-300]))
    assert spoilt.power <= plain.power + 1
    assert_array_equal(spoilt.place[[0, -1]], [-1e300, 1e12])


def test_infinity_is_seen_to_be_out_of_range():
    with np.errstate(invalid="ignore"):
        assert not Cells.collect(np.array([[1.0], [np.inf]]), Groups.one(2)).in_range()
    assert Cells.collect(np.array([[1.0], [-1e200]]), Groups.one(2)).in_range()
    assert Cells.empty(2, 3).in_range()


@pytest.mark.parametrize("edges", [[], [-9.0], [9.0], [0.5, 0.7, 2.0], [-9.0, 1.0, 1.0, 9.0, 10.0]])
def test_what_lies_between_edges(edges):
    """Bins below the first cell, above the last and between two cells have nothing; beside counting each."""
    values, codes = np.array([0.0, 1.0, 1.0, 2.0, 3.5]), np.array([0, 1, 0, 1, 1])
    cells = ClassCells.of(Cells.collect(values[:, None], Groups.hard(codes, 2)), 0)
    bins = [sum(edge <= value for edge in edges) for value in values]
    wanted = np.zeros((2, len(edges) + 1))
    np.add.at(wanted, (codes, bins), 1)
    assert np.array_equal(cells.between(np.array(edges)), wanted)
