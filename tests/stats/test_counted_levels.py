"""Columns counted together are counted as each by itself."""

from __future__ import annotations

import numpy as np
import pytest

from likely.stats import Counts, Groups
from likely.stats.counted_levels import MOST_TOGETHER, CountedLevels

RNG = np.random.default_rng(7)
N = 5000
SIZES = (2, 3, 12, 1, 40, MOST_TOGETHER + 1, 5, 0, 4)
COLUMNS = [RNG.integers(-2, max(size, 1), N) if size else np.full(N, -1) for size in SIZES]
CODES = RNG.integers(0, 3, N)
GROUPS = {
    "hard": Groups.hard(CODES, 4),
    "weighed": Groups.hard(CODES, 4, RNG.integers(0, 4, N)),
    "soft": Groups.softly(RNG.dirichlet(np.ones(3), N)),
    "few rows": Groups.hard(CODES[:3], 4),
    "no rows": Groups.hard(CODES[:0], 4),
}


@pytest.mark.parametrize("groups", GROUPS.values(), ids=list(GROUPS))
def test_together_as_apart(groups):
    seen = CountedLevels(groups)
    apart = []
    for codes, size in zip(COLUMNS, SIZES, strict=True):
        mine = codes[: len(groups)]
        seen.add(mine, size)
        apart.append(Counts.collect(mine[:, None], groups, (size,)).table)
    together = seen.settled()
    assert together.sizes == SIZES
    np.testing.assert_array_equal(together.table, np.concatenate(apart, axis=1))


def test_no_columns():
    nothing = CountedLevels(Groups.hard([0, 1], 2)).settled()
    assert nothing.table.shape == (2, 0)
    assert nothing.sizes == ()
