"""What is no number of imagined rows, or no share of them, is refused when it is given."""

from __future__ import annotations

import numpy as np
import pytest

from likely import Laplace, LikelyError, MEstimate

NOT_ROWS = {"text": "x", "none": None, "huge": 10**400, "nan": float("nan"), "below": -1, "inf": float("inf")}
NOT_SHARES = {"text": "x", "in a list": [0.5, "a"], "by name": {"a": None}, "above": 2.0, "huge": 10**400}


@pytest.mark.parametrize("value", NOT_ROWS.values(), ids=NOT_ROWS)
@pytest.mark.parametrize("smoothing", [Laplace, MEstimate])
def test_a_number_of_rows_is_demanded(smoothing, value):
    with pytest.raises(LikelyError, match="a number of imagined rows is 0 or above"):
        smoothing(value)


@pytest.mark.parametrize("p", NOT_SHARES.values(), ids=NOT_SHARES)
def test_shares_are_demanded(p):
    with pytest.raises(LikelyError, match="give numbers from 0 to 1"):
        MEstimate(1, p)


def test_numbers_of_numpy_are_numbers():
    assert MEstimate(np.float32(2), np.array([0.25, 0.75])).estimate(3, 4) == 4.5 / 6
    assert Laplace(np.int64(2)).estimate(3, 4) == 5 / 8
