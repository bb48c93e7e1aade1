"""Cells by counting are the cells by sorting, to the last bit of places and weights."""

from __future__ import annotations

import numpy as np
import pytest

from likely.stats import Cells, Groups, binned
from likely.stats.dyadic_grid import EXACT
from likely.stats.grid_counts import LONG, counted_cells

RNG = np.random.default_rng(12)
N = LONG + 12_345
COLUMNS = {
    "normal": RNG.normal(size=N),
    "far from 0": 1e6 + RNG.normal(size=N),
    "negative": -RNG.exponential(size=N) * 1e-9,
    "uniform": RNG.random(N),
    "heavy tails": RNG.standard_cauchy(N),
    "two humps": np.where(RNG.random(N) < 0.5, RNG.normal(size=N), 500 + RNG.normal(size=N)),
    "whole numbers": RNG.integers(-50, 50, N).astype(float),
    "many whole numbers": RNG.integers(0, 10**6, N).astype(float),
    "tenths": RNG.integers(0, 1000, N) / 10,
    "gaps": np.where(RNG.random(N) < 0.2, np.nan, RNG.normal(size=N)),
    "one value": np.full(N, 2.5),
    "nothing": np.full(N, np.nan),
    "mostly 0": np.where(RNG.random(N) < 0.7, 0.0, RNG.gamma(2, size=N)),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("kind", ["one group", "groups", "weights"])
def test_counting_is_sorting(name, kind, monkeypatch):
    rows = COLUMNS[name][:, None]
    weight = RNG.integers(0, 4, N) / 2 if kind == "weights" else None
    codes = np.where(RNG.random(N) < 0.02, 2, RNG.integers(0, 2, N))  # the last one is small
    groups = Groups.one(N) if kind == "one group" else Groups.hard(codes, 3, weight)
    counted = Cells.collect(rows, groups)
    monkeypatch.setattr(binned, "LONG", N + 1)
    ordered = Cells.collect(rows, groups)
    for field in ("power", "where", "place", "weight"):
        assert np.array_equal(getattr(counted, field), getattr(ordered, field)), field
    width = np.where(ordered.power == EXACT, 0.0, np.ldexp(1.0, np.maximum(ordered.power, -1000)))
    allowed = 1e-12 * width.ravel()[ordered.where] * ordered.weight
    assert (np.abs(counted.beyond - ordered.beyond) <= allowed).all()


def test_counting_is_used_where_it_can_be():
    assert counted_cells(COLUMNS["normal"], None, 1, None)[0] is not None
    assert counted_cells(COLUMNS["whole numbers"], None, 1, None)[0].power == EXACT
    assert counted_cells(COLUMNS["heavy tails"], None, 1, None) == [None]
    assert counted_cells(np.array([1.0, np.inf] * LONG), None, 1, None) == [None]
    assert counted_cells(COLUMNS["normal"][:100], None, 1, None) == [None]


@pytest.mark.parametrize("narrow", [1.0, 1e-3])
def test_groups_that_need_grids_of_their_own(narrow, monkeypatch):
    """Long columns are counted on a grid guessed from some values; a narrow group needs a finer one."""
    n = 5 * LONG
    codes = RNG.integers(0, 2, n)
    rows = RNG.normal(size=n)[:, None] * np.where(codes == 1, narrow, 1.0)[:, None]
    groups = Groups.hard(codes, 2)
    counted = Cells.collect(rows, groups)
    if narrow == 1.0:
        assert None not in counted_cells(rows[:, 0], codes, 2, None)
    monkeypatch.setattr(binned, "LONG", n + 1)
    ordered = Cells.collect(rows, groups)
    for field in ("power", "where", "place", "weight"):
        assert np.array_equal(getattr(counted, field), getattr(ordered, field)), field
