"""The nomogram: points that sum, looked up and printed."""

from __future__ import annotations

import math

import numpy as np
import pytest

import likely
from likely.errors import LikelyError
from likely.evidence import CurveAxis, LevelAxis, Nomogram

INF = math.inf
SEX = LevelAxis("sex", ("male", "female"), np.array([-1.0, 1.5]))
CLASS = LevelAxis("class", (1, 2, 3), np.array([1.0, 0.25, -0.5]))
AGE = CurveAxis("age", np.array([0.0, 10.0, 80.0]), np.array([1.0, 0.0, -0.25]))
TITANIC = Nomogram(("yes", "no"), -0.5, (CLASS, AGE, SEX))


@pytest.mark.parametrize(
    ("values", "log_odds"),
    [
        ({}, -0.5),
        ({"sex": "female"}, 1.0),
        ({"sex": np.str_("female"), "class": np.int64(1), "age": np.float32(10)}, 2.0),
        ({"sex": "unheard of", "class": None, "age": math.nan}, -0.5),
        ({"age": 5}, 0.0),
        ({"age": 45}, -0.625),
        ({"age": -3}, 0.5),
        ({"age": 100}, -0.75),
        ({"class": [1]}, -0.5),
    ],
)
def test_score(values: dict[str, object], log_odds: float):
    assert TITANIC.score(values) == pytest.approx(log_odds, abs=1e-15)


def test_missing_as_a_level_of_its_own():
    axis = LevelAxis("deck", ("A", None), np.array([1.0, -2.0]))
    assert axis.evidence(None) == axis.evidence(math.nan) == -2.0
    assert axis.evidence("B") == 0.0
    assert "missing" in str(Nomogram(("yes", "no"), 0.0, (axis,)))


def test_errors_name_the_column_the_value_and_the_remedy():
    with pytest.raises(LikelyError, match=r"no feature 'Sex': the nomogram has 'class', 'age', 'sex'"):
        TITANIC.score({"Sex": "male"})
    with pytest.raises(LikelyError, match="column 'age' holds 'old': give a number"):
        TITANIC.score({"age": "old"})
    with pytest.raises(LikelyError, match="'sex' has 1 levels and 2 points"):
        LevelAxis("sex", ("male",), np.zeros(2))
    with pytest.raises(LikelyError, match="curve of 'age' needs rising values"):
        CurveAxis("age", np.array([1.0, 1.0]), np.zeros(2))
    with pytest.raises(LikelyError, match="curve of 'age'"):
        CurveAxis("age", np.array([1.0, 2.0]), np.zeros(3))


def test_text():
    assert str(TITANIC) == (
        "yes against no: the base rate and a line of each feature add up to the log-odds\n"
        "\n"
        "base rate          -0.50        ▐███│\n"
        "sex: range 2.50\n"
        "  male             -1.00     ▐██████│\n"
        "  female           +1.50            │██████████\n"
        "class: range 1.50\n"
        "  1                +1.00            │██████▌\n"
        "  2                +0.25            │█▌\n"
        "  3                -0.50        ▐███│\n"
        "age: range 1.25\n"
        "  0                +1.00            │██████▌\n"
        "  10                0.00            │\n"
        "  20               -0.04            │\n"
        "  30               -0.07           ▐│\n"
        "  40               -0.11           ▐│\n"
        "  50               -0.14           █│\n"
        "  60               -0.18           █│\n"
        "  70               -0.21          ▐█│\n"
        "  80               -0.25          ▐█│"
    )


def test_text_in_bits_and_its_top():
    text = TITANIC.text(bits=True, top=1)
    assert "log-odds (bits)" in text
    assert "female           +2.16" in text
    assert "male  " not in text.replace("female", "")
    assert "  and 8 others" in text
    assert "sex: range 3.61" in text


def test_infinite_points():
    found = Nomogram(
        (True, None), -0.5, (LevelAxis("a", ("x", "y", "z"), np.array([-INF, INF, math.nan])), SEX)
    )
    assert "True against all others" in str(found)
    assert "a: range inf" in str(found)
    assert found.score({"a": "x", "sex": "male"}) == -INF
    ax = found.plot()
    ticks = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert ticks["male"] == -1.0
    assert (ticks["x"], ticks["y"]) == (-1.0, 1.5)  # at the edges
    assert "z" not in ticks
    steep = CurveAxis("b", np.array([0.0, 1.0]), np.array([-INF, 0.0]))
    assert steep.evidence(0.5) == -INF
    Nomogram(("yes", "no"), -INF, (steep, LevelAxis("c", (), np.zeros(0)))).plot()
    str(Nomogram(("yes", "no"), math.nan, ()).plot())


def test_a_curve_that_turns_back_changes_side():
    up_and_down = CurveAxis("x", np.array([0.0, 4.0, 8.0]), np.array([0.0, 1.0, 0.0]))
    sides = {mark.label: mark.lanes for mark in up_and_down.marks() if mark.needed}
    assert sides == {"0": (1,), "8": (-1,)} | dict.fromkeys("1234", (1,)) | dict.fromkeys("567", (-1,))
    falling = CurveAxis("x", np.array([0.0, 8.0]), np.array([1.0, 0.0]))
    assert {mark.lanes for mark in falling.marks()} == {(1,)}


def test_plot_has_the_widest_feature_first_and_points_at_their_places():
    ax = TITANIC.plot()
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["base rate", "sex", "class", "age", "total", "P(yes)"]
    assert list(ax.get_yticks()) == sorted(ax.get_yticks(), reverse=True)
    top = TITANIC.plot(top=1)
    assert [label.get_text() for label in top.get_yticklabels()] == ["base rate", "sex", "total", "P(yes)"]
    assert top.get_xlabel().replace("\n", " ").endswith("and to those of 2 other features")


def test_curves_reach_no_further_than_the_rows():
    """Three standard deviations of skewed numbers end below 0, where there are none."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 200)
    x = rng.exponential(np.where(y == "a", 1.0, 3.0))
    for options in ({}, {"families": "normal"}):
        nomogram = likely.NaiveBayes(**options).fit({"x": x}, y).nomogram()
        (axis,) = nomogram.axes
        assert axis.values.min() >= x.min()
        assert axis.values.max() <= x.max()
