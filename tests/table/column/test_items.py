"""All values of a column as Python objects are those of its rows, one by one."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import numpy as np
import pytest

from likely.table.frame import Frame

COLUMNS = {
    "numbers": np.array([1.5, np.nan, -0.0]),
    "whole": np.array([3, 2**60, -1]),
    "truth": np.array([True, False, True]),
    "texts": ["a", None, "b"],
    "large": [2**70, None, 1],
    "days": [date(2020, 1, 2), None, date(1, 1, 1)],
    "moments": np.array(["2020-01-02T03:04:05.000000006", "NaT", "1969-12-31"], "datetime64[ns]"),
    "zoned": [datetime(2020, 1, 2, 3, tzinfo=UTC), None, datetime(1900, 1, 1, tzinfo=UTC)],
    "clock": [time(1, 2, 3), None, time(23, 59)],
    "nothing": [None, None, None],
}


@pytest.mark.parametrize("name", COLUMNS)
def test_items_are_those_of_each_row(name):
    raw = Frame.of({name: COLUMNS[name]}).raw(name)
    one_by_one = [raw.item(row) for row in range(3)]
    assert raw.items() == one_by_one
    assert list(map(type, raw.items())) == list(map(type, one_by_one))
