"""Numbers at the ends of what floats can hold, and tables with nothing in them."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import likely

EDGES = {
    "no rows": ({"a": [], "b": np.zeros(0)}, None),
    "no rows, target": ({"a": [], "b": np.zeros(0)}, "a"),
    "no columns": ({}, None),
    "rows without columns": (pd.DataFrame(index=range(3)), None),
    "all missing": ({"a": [None] * 3, "b": [np.nan] * 3, "c": [1, 2, 3]}, "c"),
    "target all missing": ({"a": [None] * 3, "c": [1, 2, 3]}, "a"),
    "target constant": ({"a": ["x", "y", "x"], "c": [1, 1, 1]}, "c"),
    "one row": ({"a": [1.5], "b": ["x"], "c": [True]}, "c"),
    "infinite": ({"a": [np.inf, -np.inf, 1.0, np.nan], "b": [np.inf] * 4, "c": [1, 2, 1, 2]}, "c"),
    "huge": ({"a": [1e300, -1e300, 1e308, 5.0], "b": [-1.7e308, 1.7e308, 0.0, 1.0], "c": [1e300] * 4}, "b"),
    "many huge": ({"a": [1e300, -1e300, 1e308, 5.0] * 20, "b": [-1.7e308, 1.7e308, 0.0, 1.0] * 20}, "b"),
    "tiny": ({"a": [5e-324, 1e-323, 0.0, 0.0], "b": [5e-324, 1e-323, 1e-300, 1.0]}, None),
    "neighbours": ({"a": [1.0, np.nextafter(1.0, 2), np.nextafter(1.0, 0)]}, None),
    "large whole numbers": ({"a": [2**60 + i for i in range(30)], "b": [10**400] * 30}, None),
    "unsigned": ({"a": np.array([0, 2**64 - 1], np.uint64)}, None),
    "several types": ({"a": [1, "x", None, 2.5], "b": [True, "no", 3, None]}, "a"),
    "far dates": ({"a": np.array(["-10000-01-01", "20000-01-01"], "datetime64[D]")}, None),
    "empty sparse": (sparse.csr_matrix((3, 2)), [0, 1, 0]),
    "sparse without rows": (sparse.csr_matrix((0, 3)), None),
    "matrix of objects": (np.array([["a", 1], ["b", None]], object), None),
    "unused categories": (pd.DataFrame({"a": pd.Categorical(["x", None], ["x", "y"], ordered=True)}), None),
    "text target": ({"t": ["word " * 30 + str(i) for i in range(5)], "y": [1, 0, 1, 0, 1]}, "t"),
    "odd names": ({"<b>&\"'": ["<i>", "\x00\n", "$"], "very " * 40: [1, 2, 3]}, "<b>&\"'"),
}


@pytest.mark.parametrize("case", EDGES)
def test_every_face_of_the_edges(case):
    # Warnings are errors: nothing overflows on the way.
    table, target = EDGES[case]
    found = likely.profile(table, target)
    record = found.to_dict()
    assert json.loads(found.to_json()) == record
    assert "NaN" not in found.to_json()
    assert len(record["columns"]) == len(found)
    assert max(map(len, str(found).split("\n"))) <= 100
    assert found._repr_html_().startswith("<style>")
    found.to_frame()
    for column in found:
        for value in column.numbers.values():
            assert value == value
        assert str(column)
        assert column._repr_html_()
        assert sum(bar.count for bar in column.bars) in (0, column.known - column.infinite)
        if column.association is not None:
            assert 0 <= column.association.share <= 1
            assert math.isfinite(column.association.bits)


def test_huge_numbers_keep_their_statistics():
    x = np.array([1e300, -1e300, 3e300, 5e300])
    huge, small = likely.profile({"x": x})["x"], likely.profile({"x": x / 1e300})["x"]
    for name, value in small.statistics.items():
        if name == "variance":
            assert huge.variance == math.inf
            assert (
                json.loads(likely.profile({"x": x}).to_json())["columns"][0]["statistics"]["variance"]
                == "inf"
            )
        else:
            scale = 1 if name in ("skewness", "excess_kurtosis", "share_up_to_mean") else 1e300
            assert getattr(huge, name) == pytest.approx(value * scale, rel=1e-12), name


def test_numbers_that_reach_too_far_are_not_drawn():
    column = likely.profile({"x": [1e300, -1e300]})["x"]
    for draw in (column.plot, column.plot_percentiles):
        with pytest.raises(likely.LikelyError, match="too far to be drawn"):
            draw()


def test_neighbours_beyond_the_floats_are_different_values():
    column = likely.profile({"id": [2**60 + i for i in range(30)]})["id"]
    assert column.distinct == 30
    assert [caution.what for caution in column.warnings] == ["identifier"]


def test_infinities_are_counted_and_left_out():
    column = likely.profile({"x": [np.inf, 1.0, 3.0, -np.inf, np.nan]})["x"]
    assert (column.missing, column.infinite, column.mean, column.max) == (1, 2, 2.0, 3.0)
