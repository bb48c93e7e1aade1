"""The nearest rows without looking at all in order: against sorting everything, ties and all."""

from __future__ import annotations

import numpy as np
import pytest

from likely.engine import Chunk, Memory
from likely.infer import relief as module
from likely.infer.mixed_rows import LevelCells, MixedRows, NumberCells
from likely.infer.nearest import HEAPS, AmongTask, reach, shares_of_nearest
from likely.infer.relief import relief

RNG = np.random.default_rng(3)


def tables(k):
    """Distances of rows long enough for heaps, and one cell too short for them."""
    for m in (2 * HEAPS * k - 1, 2 * HEAPS * k, 2 * HEAPS * k + 3, 500):
        yield RNG.normal(size=(7, m)) ** 2
        yield RNG.integers(0, 4, (7, m)).astype(float)  # many are equally far
        yield np.where(RNG.random((7, m)) < 0.97, np.inf, 1.0)  # few can be reached
        yield np.zeros((7, m))


@pytest.mark.parametrize("k", [1, 3, 10])
def test_the_kth_is_that_of_sorting(k):
    for sums in tables(k):
        assert np.array_equal(reach(sums, k), np.sort(sums, axis=1)[:, k - 1])


@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("first", [True, False])
def test_shares_are_those_of_a_loop(k, first):
    for sums in tables(k):
        found = np.zeros(sums.shape)
        rows, places, share = shares_of_nearest(sums, k, first=first)
        found[rows, places] = share
        for row, got in zip(sums, found, strict=True):
            order = [i for i in np.argsort(row, kind="stable") if row[i] < np.inf]
            wanted, slots = np.zeros(len(row)), min(k, len(order))
            if first:
                wanted[order[:slots]] = 1 / max(slots, 1)
            elif order:
                last = row[order[slots - 1]]
                nearer, tied = np.flatnonzero(row < last), np.flatnonzero(row == last)
                wanted[nearer] = 1 / slots
                wanted[tied] = (slots - len(nearer)) / len(tied) / slots
            assert np.abs(got - wanted).max() < 1e-12


@pytest.mark.parametrize("power", [1, 2])
def test_distances_of_all_rows_are_those_of_each(power, monkeypatch):
    """Every two rows are measured once where all are; what Relief says is the same."""
    n = 150  # more than are measured at a time
    numbers = [np.where(RNG.random(n) < gap, np.nan, RNG.normal(size=n)) for gap in (0, 0.2)]
    levels = [np.where(RNG.random(n) < gap, -1, RNG.integers(0, 3, n)) for gap in (0, 0.2)]
    columns = [*(NumberCells(z, 2.0) for z in numbers), *(LevelCells(code) for code in levels)]
    rows, classes = MixedRows.of(columns, power), RNG.integers(0, 3, n)
    each = rows.sums(slice(None), rows)
    among = np.empty((n, n))
    Memory(2).map(Chunk((rows, among), n, 3 << 17), AmongTask(1 << 17))  # in several blocks
    assert np.abs(among - each).max() < 1e-12
    mine, theirs = np.divmod(np.arange(n * n), n)
    assert np.abs(rows.terms(mine, theirs).sum(axis=1) - each.ravel()).max() < 1e-12
    kept = relief(rows, classes, 3, engine=Memory()).scores
    monkeypatch.setattr(module, "FEW_ROWS", 0)
    monkeypatch.setattr(module, "TERMS", 7)
    assert np.abs(relief(rows, classes, 3, engine=Memory()).scores - kept).max() < 1e-12
