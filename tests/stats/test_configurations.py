"""Counts of combinations against counting one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from likely.errors import LikelyError
from likely.stats import configurations
from likely.stats.configurations import Configurations

LEVELS = (2, 3, 4, 5, 7)


def codes_of(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(0, k, n) for k in LEVELS], axis=1)


@pytest.mark.parametrize("dense", [1 << 16, 1])  # tables laid out in full, and numbered by sorting
@pytest.mark.parametrize("places", [(), (2,), (3, 1), (0, 4, 2), (4, 3, 2, 1, 0)])
def test_codes_tell_combinations_apart(monkeypatch: pytest.MonkeyPatch, dense: int, places: tuple[int, ...]):
    monkeypatch.setattr(configurations, "DENSE", dense)
    codes = codes_of(60)
    rows = Configurations.of(codes, LEVELS)
    code, size = rows.code(places)
    seen = Counter(map(tuple, codes[:, places].tolist()))
    assert sorted(rows.count(code, size)[np.unique(code)]) == sorted(seen.values())
    pairs = set(zip(code.tolist(), map(tuple, codes[:, places].tolist()), strict=True))
    assert len(pairs) == len(seen) == len(set(code.tolist()))


@pytest.mark.parametrize("places", [(1,), (3, 1), (4, 3, 2, 1, 0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_distinct_rows_have_the_counts_of_all(weighted: bool, places: tuple[int, ...]):
    codes = codes_of(300)
    weight = np.random.default_rng(1).random(300) if weighted else None
    few = Configurations.of(codes, LEVELS, weight).distinct(places)
    seen: Counter[tuple[int, ...]] = Counter()
    for row, w in zip(codes[:, places].tolist(), np.ones(300) if weight is None else weight, strict=True):
        seen[tuple(row)] += w
    assert few.weight is not None
    told = dict(zip(zip(*(few.columns[j].tolist() for j in places), strict=True), few.weight, strict=True))
    assert told.keys() == seen.keys()
    assert all(told[key] == pytest.approx(seen[key], abs=1e-12) for key in seen)
    assert few.m == len(seen)


def test_a_table_is_laid_out_by_column():
    rows = Configurations.of(np.array([[0, 2, 0, 0, 0], [1, 2, 0, 0, 0], [1, 0, 0, 0, 0]]), LEVELS)
    assert rows.table((1, 0)).tolist() == [[0, 1], [0, 0], [1, 1]]


@pytest.mark.parametrize("weighted", [False, True])
def test_tables_counted_together_are_those_counted_one_by_one(weighted: bool):
    weight = np.random.default_rng(1).random(80) if weighted else None
    rows = Configurations.of(codes_of(80), LEVELS, weight)
    columns = (2, 0, 4, 1)
    within = np.array([[i >> place & 1 for place in range(4)] for i in range(16)], bool)
    cells, firsts, sizes = rows.tables(columns, within)
    assert sizes.sum() == len(cells)
    for has, first, size in zip(within, firsts, sizes, strict=True):
        alone = rows.table([j for j, there in zip(columns, has, strict=True) if there])
        assert cells[first : first + size] == pytest.approx(alone.ravel(), abs=1e-12)


def test_codes_that_do_not_fit_32_bits_are_wide():
    codes = np.stack([np.arange(40_000), np.full(40_000, 70_000)], axis=1)
    code, size = Configurations.of(codes, (40_000, 70_001)).code((0, 1))
    assert code.tolist() == [row * 70_001 + 70_000 for row in range(40_000)]
    assert size == 40_000 * 70_001


def test_a_row_of_weight_two_is_the_row_twice_and_of_weight_zero_is_none():
    codes = codes_of(50)
    weight = np.random.default_rng(2).integers(0, 3, 50)
    told = Configurations.of(codes, LEVELS, weight)
    again = Configurations.of(np.repeat(codes, weight, axis=0), LEVELS)
    assert told.n == again.n
    assert np.array_equal(told.table((0, 1, 3)), again.table((0, 1, 3)))


@pytest.mark.parametrize(
    ("codes", "weight", "said"),
    [
        ([[0, 0], [0, -1]], None, "column 1, row 1: code -1"),
        ([[0, 0], [2, 0]], None, "column 0, row 1: code 2 is none of its 2 levels"),
        ([[0, 0, 0]], None, "shape"),
        ([[0, 0]], [np.nan], "weights are numbers"),
        ([[0, 0]], [-1.0], "weights are numbers"),
        ([[0, 0]], [1.0, 2.0], "weights are numbers"),
        ([[0, 0]], [0.0], "no rows"),
        (np.zeros((0, 2), int), None, "no rows"),
    ],
)
def test_what_cannot_be_counted_is_refused(codes: list, weight: list | None, said: str):
    with pytest.raises(LikelyError, match=said):
        Configurations.of(np.array(codes), (2, 2), weight)
