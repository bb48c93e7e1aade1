"""Distances in whole steps: off by no more than they say, and Relief by them is Relief by distances."""

from __future__ import annotations

import numpy as np
import pytest

from likely.engine import Memory
from likely.infer import relief as module
from likely.infer.mixed_rows import LevelCells, MixedRows, NumberCells
from likely.infer.relief import relief
from likely.infer.rough_rows import FARTHEST, MOST_COLUMNS, RoughRows

RNG = np.random.default_rng(5)
N = 300
TABLES = {
    "normal": RNG.normal(size=(N, 7)),
    "one column": RNG.random((N, 1)),
    "many columns": RNG.random((N, MOST_COLUMNS)),
    "heavy tails": RNG.standard_cauchy((N, 5)),
    "whole numbers: many tie": RNG.integers(0, 3, (N, 3)).astype(float),
    "a constant": np.column_stack([RNG.normal(size=N), np.full(N, 4.0)]),
    "rows twice": np.repeat(RNG.normal(size=(N // 2, 4)), 2, axis=0),
    "one row far away": np.vstack([RNG.normal(size=(N - 1, 3)), np.full((1, 3), 1e9)]),
}


def rows_of(table, scale=None):
    spread = np.ptp(table, axis=0) if scale is None else np.full(table.shape[1], scale)
    return MixedRows.of([NumberCells(z, s) for z, s in zip(table.T, spread, strict=True)], 1)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("scale", [None, 2.5])
def test_steps_are_off_by_the_slack_at_most(name, scale):
    rows = rows_of(TABLES[name], scale)
    rough = RoughRows.of(rows)
    p = rows.width
    step = np.ptp(rows.numbers, axis=0).sum() / (FARTHEST - p)
    steps, exact = rough.sums(slice(None), rough).astype(float), rows.sums(slice(None), rows) / step
    assert np.abs(steps - exact).max() <= rough.slack <= p + 3
    assert np.array_equal(np.diag(steps), np.zeros(N))


def test_other_distances_have_no_steps():
    z = RNG.normal(size=N)
    gaps = np.where(RNG.random(N) < 0.1, np.nan, z)
    assert RoughRows.of(MixedRows.of([NumberCells(z, 1.0)], 2)) is None
    assert RoughRows.of(MixedRows.of([NumberCells(gaps, 1.0)], 1)) is None
    assert RoughRows.of(MixedRows.of([NumberCells(z, 1.0), LevelCells(np.zeros(N, int))], 1)) is None
    assert RoughRows.of(rows_of(RNG.random((N, MOST_COLUMNS + 1)))) is None
    assert RoughRows.of(rows_of(np.ones((N, 2)))) is None


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("k", [1, 10, N])
@pytest.mark.parametrize("first", [True, False])
def test_relief_by_steps_is_relief(name, k, first, monkeypatch):
    """All classes, also one of fewer rows than are wanted; all rows looked at, or some."""
    rows = rows_of(TABLES[name])
    classes = np.where(np.arange(N) < 4, 2, RNG.integers(0, 2, N))
    options = {"engine": Memory(), "first": first}
    kept = [relief(rows, classes, k, sample=m, **options) for m in (None, 90)]
    monkeypatch.setattr(RoughRows, "of", classmethod(lambda cls, rows: None))
    for got, m in zip(kept, (None, 90), strict=True):
        wanted = relief(rows, classes, k, sample=m, **options)
        assert np.abs(got.scores - wanted.scores).max() < 1e-12
        assert np.abs(got.errors - wanted.errors).max() < 1e-12


def test_where_too_many_seem_near_distances_are_measured(monkeypatch):
    rows, classes = rows_of(TABLES["normal"]), RNG.integers(0, 2, N)
    kept = relief(rows, classes, 3, engine=Memory()).scores
    monkeypatch.setattr(module, "MOST_TERMS", 0)
    assert np.abs(relief(rows, classes, 3, engine=Memory()).scores - kept).max() < 1e-12
