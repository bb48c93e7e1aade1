"""Some rows of whatever a user calls a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from likely.table.frame import take, without

ROWS = np.array([2, 0])
MATRIX = np.arange(6.0).reshape(3, 2)


class NotAnArray:
    """Something that can only be made into an array."""

    def __array__(self, dtype=None, copy=None):
        return MATRIX


@pytest.mark.parametrize(
    "table",
    [
        MATRIX,
        pd.DataFrame(MATRIX),
        pl.DataFrame(MATRIX),
        sparse.csr_array(MATRIX),
        sparse.coo_matrix(MATRIX),
        sparse.dok_matrix(MATRIX),
        NotAnArray(),
    ],
    ids=lambda table: type(table).__name__,
)
def test_the_rows_in_their_order(table):
    found = take(table, ROWS)
    dense = found.toarray() if sparse.issparse(found) else np.asarray(found)
    assert (dense == MATRIX[ROWS]).all()


def test_lists_keep_the_types_of_their_values():
    assert take([1, "a", None], ROWS) == [None, 1]


@pytest.mark.parametrize("made", [dict, pd.DataFrame, pl.DataFrame])
def test_without_a_column(made):
    found = without(made({"a": [1], "b": [2]}), "b")
    assert list(getattr(found, "columns", found)) == ["a"]
