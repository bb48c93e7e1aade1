"""Columns of a matrix that is stored by rows are read several at a time, and are what they were."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likely
from likely.table.column.contiguous import apart, at_once, contiguous
from likely.table.frame import Frame

RNG = np.random.default_rng(3)
N = 9001  # more than a block, and no multiple of one
MATRIX = RNG.integers(-3, 9, (N, 11))
Y = RNG.integers(0, 2, N)


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.uint8, bool])
def test_the_same_numbers(dtype):
    matrix = (MATRIX > 3).astype(dtype) * (1 if dtype is bool else 2)
    moved = contiguous(list(matrix.T))
    assert moved.dtype == matrix.dtype
    assert moved.flags.c_contiguous
    np.testing.assert_array_equal(moved, matrix.T)


def test_a_frame_over_a_matrix_is_read_side_by_side():
    by_rows = pd.DataFrame(MATRIX, columns=list("abcdefghijk"), copy=False)
    by_rows.insert(3, "word", np.where(Y, "x", "y"))
    frame = Frame.of(by_rows)
    for name in frame.names:
        raw = frame.raw(name)
        assert raw.name == name
        assert not apart(raw.values)
        assert raw.items() == by_rows[name].tolist()


def test_masked_cells_stay_masked():
    matrix = np.ma.masked_array(MATRIX.astype(float), MATRIX == 0)
    frame = Frame.of({"plain": MATRIX.astype(float)[:, 0], "masked": matrix[:, 1]})
    assert not frame.raw("plain").missing().any()
    np.testing.assert_array_equal(frame.raw("masked").missing(), MATRIX[:, 1] == 0)


@pytest.mark.parametrize("kinds", [None, "categorical"])
def test_learnt_alike_however_the_table_is_stored(kinds, monkeypatch):
    monkeypatch.setattr("likely.table.column.contiguous.MOST_COPIED", 1)
    assert at_once(N) < MATRIX.shape[1]  # so that it takes two readings
    one = likely.Evidence(kinds=kinds).fit(MATRIX, Y)
    other = likely.Evidence(kinds=kinds).fit(np.asfortranarray(MATRIX), Y)
    assert one.table().to_dict() == other.table().to_dict()
    np.testing.assert_array_equal(one.transform(MATRIX), other.transform(MATRIX))
