"""Nomograms: marks at their places, and words that do not cover each other."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes

from likely.draw import Mark, Scale, nice_values, nomogram
from likely.draw.nomogram import stagger
from likely.evidence import CurveAxis, LevelAxis, Nomogram


def draw(*scales: Scale, base: float = -0.5) -> Axes:
    return nomogram(scales, base, title="title", xlabel="points", outcome="P(yes)")


def levels(name: str, **points: float) -> Scale:
    marks = tuple(Mark(label, at) for label, at in sorted(points.items(), key=lambda item: item[1]))
    return Scale(name, min(points.values()), max(points.values()), marks)


def words_on(ax: Axes, row: str) -> dict[str, float]:
    """Words and places of the marks that stand nearest to the line of a row."""
    rows = {label.get_text(): y for label, y in zip(ax.get_yticklabels(), ax.get_yticks(), strict=True)}
    nearest = {t: min(rows, key=lambda r: abs(rows[r] - t.get_position()[1])) for t in ax.texts}
    return {t.get_text(): t.get_position()[0] for t, name in nearest.items() if name == row}


def test_levels_stand_at_their_points():
    ax = draw(levels("sex", male=-1.0, female=1.5), levels("class", first=1.0, second=0.25, third=-0.5))
    assert words_on(ax, "sex") == {"male": -1.0, "female": 1.5}
    assert words_on(ax, "class") == {"first": 1.0, "second": 0.25, "third": -0.5}
    assert words_on(ax, "base rate") == {"-0.50": -0.5}
    ticks = {float(line.get_xdata()[0]) for line in ax.lines if line.get_xdata()[0] == line.get_xdata()[1]}
    assert {-1.0, 1.5, 1.0, 0.25, -0.5} <= ticks


def test_total_and_probability_axes():
    # The total goes from -0.5 - 1 - 0.5 to -0.5 + 1.5 + 1, on the page from -1 to 1.5.
    ax = draw(levels("sex", male=-1.0, female=1.5), levels("class", first=1.0, third=-0.5))

    def place(log_odds: float) -> float:
        return -1.0 + (log_odds + 2.0) / 4.0 * 2.5

    total = words_on(ax, "total")
    assert {"-2", "-1", "0", "1", "2"} <= set(total)
    for label, x in total.items():
        assert x == pytest.approx(place(float(label)), abs=1e-12)
    chance = words_on(ax, "P(yes)")
    assert {"0.5", "0.2", "0.8"} <= set(chance)
    for label, x in chance.items():
        p = float(label)
        assert x == pytest.approx(place(math.log(p / (1 - p))), abs=1e-12)


def test_a_very_wide_total_keeps_the_probabilities_apart():
    ax = draw(levels("a", x=-60.0, y=60.0))
    assert {"0.01", "0.5", "0.99"} <= set(words_on(ax, "P(yes)"))
    far = draw(levels("a", x=20.0, y=60.0), base=30.0)
    assert set(words_on(far, "total")) >= {"30", "60", "90"}


def overlapping(ax: Axes) -> list[tuple[str, str]]:
    ax.figure.savefig(io.BytesIO(), format="png")
    texts = [*ax.texts, *ax.get_yticklabels()]
    boxes = [text.get_window_extent() for text in texts]
    pairs = [(i, j) for i in range(len(texts)) for j in range(i)]
    return [
        (texts[i].get_text(), texts[j].get_text())
        for i, j in pairs
        if min(boxes[i].x1, boxes[j].x1) - max(boxes[i].x0, boxes[j].x0) > 0.5
        and min(boxes[i].y1, boxes[j].y1) - max(boxes[i].y0, boxes[j].y0) > 0.5
    ]


def titanic() -> Nomogram:
    ages = np.linspace(0.4, 80, 60)
    return Nomogram(
        ("survived", "died"),
        -0.48,
        (
            LevelAxis("class", ("first", "second", "third"), np.array([0.95, 0.35, -0.65])),
            LevelAxis("sex", ("male", "female"), np.array([-0.98, 1.53])),
            CurveAxis("age", ages, 1.2 * np.exp(-ages / 6) - 0.1 + 0.2 * np.sin(ages / 12)),
        ),
    )


def ten(seed: int) -> Nomogram:
    rng = np.random.default_rng(seed)
    axes: list[LevelAxis | CurveAxis] = []
    for j in range(7):
        k = int(rng.integers(2, 9))
        names = tuple("level " + "long " * int(rng.integers(0, 4)) + str(i) for i in range(k))
        axes.append(LevelAxis(f"feature {j}", names, rng.normal(size=k) * rng.uniform(0.1, 2)))
    for j in range(3):
        x = np.linspace(-3, 10**j, 50)
        axes.append(CurveAxis(f"number {j}", x, np.cumsum(rng.normal(size=50)) / 5))
    return Nomogram(("yes", "no"), rng.normal(), tuple(axes))


@pytest.mark.parametrize("case", [titanic(), *(ten(seed) for seed in range(5))])
def test_no_words_cover_others_and_none_leave_the_page(case: Nomogram):
    ax = case.plot()
    assert overlapping(ax) == []
    page = ax.figure.bbox
    for text in (*ax.texts, *ax.get_yticklabels()):
        box = text.get_window_extent()
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1
        assert page.y0 <= box.y0
    assert ax.figure.get_figwidth() < 12


def test_every_level_of_the_titanic_is_named():
    shown = {text.get_text() for text in titanic().plot().texts}
    assert {"first", "second", "third", "male", "female", "0.4", "80", "10"} <= shown


def test_finite_levels_beside_infinite_ones_keep_their_places():
    ax = draw(levels("a", never=-math.inf, low=-4.0, high=3.0, always=math.inf), base=0.0)
    assert words_on(ax, "a") == {"never": -4.0, "low": -4.0, "high": 3.0, "always": 3.0}
    assert sorted(line.get_marker() for line in ax.lines if line.get_marker() in "<>") == ["<", ">"]
    assert {"-4", "3"} <= set(words_on(ax, "total"))
    assert overlapping(ax) == []


def test_levels_at_one_place_are_stacked():
    ax = draw(levels("a", one=0.5, two=0.5, three=0.5, four=1.0))
    ys = [t.get_position()[1] for t in ax.texts if t.get_text() in ("one", "two", "three")]
    assert len(set(ys)) == 3
    assert overlapping(ax) == []


def test_long_words_at_the_edge_stay_on_the_page_while_the_tick_stays_at_its_place():
    label = "a level with a very long name"
    ax = draw(Scale("a", -1.0, 1.0, (Mark(label, -1.0), Mark("b", 1.0))))
    at = words_on(ax, "a")[label]
    assert at > -1.0
    assert any(list(line.get_xdata()) == [-1.0, -1.0] for line in ax.lines)
    assert overlapping(ax) == []


def test_marks_without_room_are_left_out_unless_needed():
    crowd = [
        Mark("needed", 0.0, (1,)),
        Mark("tick stays", 0.01, (1,)),
        Mark("gone", 0.02, (1,), needed=False),
    ]
    ax = draw(Scale("a", -1.0, 1.0, tuple(crowd)))
    assert words_on(ax, "a") == {"needed": 0.0}
    ticks = {float(line.get_xdata()[0]) for line in ax.lines}
    assert 0.01 in ticks
    assert 0.02 not in ticks


@given(
    st.lists(st.tuples(st.floats(-5, 5), st.floats(0.01, 3)), max_size=12),
)
def test_staggered_words_in_one_lane_never_overlap(cases: list[tuple[float, float]]):
    marks = [Mark("", at) for at, _ in cases]
    lanes = stagger(marks, [at for at, _ in cases], [width for _, width in cases])
    for i, (a, v) in enumerate(cases):
        for j, (b, w) in enumerate(cases[:i]):
            assert lanes[i] == 0 or lanes[i] != lanes[j] or abs(a - b) >= (v + w) / 2 - 1e-9


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(4, 40))
def test_nice_values_are_within_and_about_so_many(low: float, span: float, about: int):
    values = nice_values(low, low + span, about)
    assert all(low - 1e-9 * span <= v <= low + span * (1 + 1e-9) for v in values)
    assert about / 2.5 - 1 <= len(values) <= about + 1
    assert len({f"{v:.12g}" for v in values}) == len(values)


def test_nice_values_are_exact():
    assert nice_values(0, 1) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert nice_values(0, 0.6, 6) == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert nice_values(3, 3) == [3]
