"""Arrays of Python objects that stand in many rows each: the same answer as when looked at one by one."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
import pandas as pd
import pytest

from likely.errors import LikelyError
from likely.table.column.as_raw import MANY, _repeated_objects, as_raw, raw_from_cells

RNG = np.random.default_rng(0)
N = MANY + 500
WORDS = ["red", "green", "blue " * 9, "", "Größe", np.str_("red")]
CASES = {
    "texts": WORDS,
    "texts with gaps": [*WORDS, None, float("nan"), pd.NA, pd.NaT],
    "numbers": [1, 2, 300, None],
    "fractions": [1.5, 2, None, float("nan")],
    "beyond floats": [2**60 + 1, 2**60 + 3, 5],
    "truths": [True, False, None],
    "days": [date(2024, 2, 29), date(1999, 1, 1), None],
    "moments": [datetime(2024, 2, 29, 12), datetime(1999, 1, 1), None],
    "nothing": [None, float("nan")],
    "of several types": ["a", 1, None],
}


def objects(cells: list) -> np.ndarray:
    table = np.empty(len(cells), object)
    table[:] = cells
    return table[RNG.integers(0, len(cells), N)]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("step", [1, 2])
def test_the_same_as_one_by_one(case, step):
    column = np.repeat(objects(CASES[case]), step)[::step]  # every second one is not contiguous
    ours, theirs = as_raw("x", column), raw_from_cells("x", column.tolist())
    assert ours.type is theirs.type
    assert (ours.zone, ours.complaint) == (theirs.zone, theirs.complaint)
    assert [ours.item(row) for row in range(N)] == [theirs.item(row) for row in range(N)]
    assert ours.missing().tolist() == theirs.missing().tolist()


def test_addresses_are_used_where_objects_are_few_and_only_there():
    places, found = _repeated_objects(objects(WORDS))
    assert len(found) == len(WORDS)
    assert len(places) == N
    assert _repeated_objects(objects(WORDS)[:100]) is None
    apart = np.array([f"name {i}" for i in range(N)], object)
    assert _repeated_objects(apart) is None
    later = np.concatenate([objects(WORDS)[:600], apart])  # few at first, many then
    assert _repeated_objects(later) is None
    assert as_raw("x", later).item(1000) == later[1000]


def test_errors_name_the_row():
    column = objects(["a", "b"])
    column[N - 7] = ["a", "list"]
    with pytest.raises(LikelyError, match=f"in row {N - 7}"):
        as_raw("x", column)
