"""Importance: the mean absolute evidence over rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from ledger_cases import ledgers

from likely.errors import LikelyError
from likely.evidence import importance

INF = math.inf
TERMS = np.array([[2.0, INF, 0.0], [-1.0, -0.5, -INF], [0.0, 1.5, math.nan]])


def test_mean_over_finite_rows_and_count_of_others():
    found = importance(ledgers(terms=TERMS))
    np.testing.assert_array_equal(found.mean_absolute, [1.0, 1.0, 0.0])
    np.testing.assert_array_equal(found.infinite, [0, 1, 2])
    assert found.n == 3
    assert found.names == ("sex", "class", "age")


def test_text():
    assert str(importance(ledgers(order=("sex", "class", "age")))) == (
        "mean absolute evidence (nats), 3 rows\n"
        "\n"
        "sex    1.00  ██████████\n"
        "age    0.54  █████▌\n"
        "class  0.42  ████\n"
        "Terms depend on the order in which features were added: sex, class, age"
    )
    assert importance(ledgers()).text(top=1, bits=True) == (
        "mean absolute evidence (bits), 3 rows\n\nsex  1.44  ██████████\nand 2 other features, each with less"
    )


def test_a_feature_that_is_never_finite_comes_first():
    found = importance(ledgers(terms=np.array([[2.0, 1.0, INF]] * 3)))
    assert math.isnan(found.mean_absolute[2])
    assert str(found).splitlines()[2] == "age     inf              infinite in 3 rows"
    ax = found.plot()
    assert [label.get_text() for label in ax.get_yticklabels()] == ["age", "sex", "class"]
    widths = [float(bar.get_width()) for bar in ax.patches]
    assert widths[1:] == [2.0, 1.0]
    assert 2.0 < widths[0] < ax.get_xlim()[1]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frame(library: str):
    frame = importance(ledgers(library=library)).to_frame()
    assert list(frame["name"].to_pylist() if library == "pyarrow" else frame["name"]) == [
        "sex",
        "age",
        "class",
    ]
    np.testing.assert_allclose(
        np.asarray(frame["mean absolute evidence"]), [1.0, 1.625 / 3, 1.25 / 3], rtol=1e-15
    )
    np.testing.assert_array_equal(np.asarray(frame["infinite rows"]), [0, 0, 0])


def test_no_rows():
    found = importance(ledgers()[:0])
    assert np.isnan(found.mean_absolute).all()
    assert "0 rows" in str(found)
    assert "inf" not in str(found)
    found.plot()


def test_plot():
    ax = importance(ledgers()).plot(top=2)
    assert [float(bar.get_width()) for bar in ax.patches] == [1.0, pytest.approx(1.625 / 3)]
    assert [text.get_text() for text in ax.texts] == ["1.00", "0.54"]


def test_bad_top():
    with pytest.raises(LikelyError, match="top is -2"):
        importance(ledgers()).text(top=-2)
