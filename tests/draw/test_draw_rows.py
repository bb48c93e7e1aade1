"""Waterfalls and bars: where they stand, that nothing is cut off, and what is said without matplotlib."""

from __future__ import annotations

import io
import math
import sys
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from likely.draw import WaterfallStep, bars, nomogram, waterfall
from likely.errors import LikelyError
from likely.format.svg import BLUE, ORANGE

INF = math.inf


def steps(*amounts: float) -> list[WaterfallStep]:
    return [WaterfallStep(f"step {i}", amount, f"{amount:+.2f}") for i, amount in enumerate(amounts)]


def fall(*amounts: float, **options: object) -> Axes:
    return waterfall(
        steps(*amounts),
        WaterfallStep("total", sum(amounts), "sum"),
        **{"title": "title", "xlabel": "x"} | options,
    )


def spans(ax: Axes) -> list[tuple[float, float]]:
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches]


def assert_nothing_is_cut(ax: Axes) -> None:
    """Every word within the figure, drawn as a file would be."""
    ax.figure.savefig(io.BytesIO(), format="png")
    page = ax.figure.bbox
    low, high = ax.get_xlim()
    ticks = [label for label in ax.get_xticklabels() if low <= label.get_position()[0] <= high]
    for words in (*ax.texts, *ax.get_yticklabels(), *ticks, ax._left_title, ax.xaxis.label):
        box = words.get_window_extent()
        assert page.x0 <= box.x0, words
        assert page.y0 <= box.y0, words
        assert box.x1 <= page.x1, words
        assert box.y1 <= page.y1, words


def test_waterfall_bars_follow_each_other():
    ax = fall(-0.5, 2.0, -0.25)
    np.testing.assert_allclose(spans(ax), [(0, -0.5), (-0.5, 1.5), (1.5, 1.25), (0, 1.25)], atol=1e-15)
    assert [round(bar.get_y() + bar.get_height() / 2, 9) for bar in ax.patches] == [0, 1, 2, 3]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["step 0", "step 1", "step 2", "total"]
    assert ax.yaxis_inverted()
    assert [text.get_text() for text in ax.texts] == ["-0.50", "+2.00", "-0.25", "sum"]


def test_waterfall_colours_tell_for_from_against():
    from matplotlib.colors import to_rgba

    colours = [bar.get_facecolor() for bar in fall(-0.5, 2.0, -0.25).patches]
    assert colours[1] == to_rgba(BLUE)
    assert colours[2] == to_rgba(ORANGE)
    assert colours[0] == colours[3]
    assert colours[0] not in colours[1:3]
    grey = [0.299 * r + 0.587 * g + 0.114 * b for r, g, b, _ in colours[1:3]]
    assert grey[1] - grey[0] > 0.25


@pytest.mark.parametrize("sign", [1, -1])
def test_infinite_steps_are_arrows_within_the_limits(sign: int):
    ax = fall(0.5, sign * INF, 1.0)
    low, high = ax.get_xlim()
    assert math.isfinite(low)
    assert math.isfinite(high)
    found = spans(ax)
    assert found[0] == (0.0, 0.5)
    assert found[2] == (0.5, 1.5)  # goes on from where the arrow began
    assert found[1][0] == 0.5
    assert found[3][0] == 0.0
    edge = high if sign > 0 else low
    for _, end in (found[1], found[3]):
        assert 0 < sign * (edge - end) < 0.05 * (high - low)
    arrows = [line.get_marker() for line in ax.lines if line.get_marker() in "<>"]
    assert arrows == [">" if sign > 0 else "<"] * 2
    assert_nothing_is_cut(ax)


def test_undefined_steps_are_only_words():
    ax = fall(0.5, math.nan, 1.0)
    assert spans(ax) == [(0.0, 0.5), (0.5, 1.5)]
    assert len(ax.texts) == 4


def test_nothing_but_zeros():
    low, high = fall(0.0, 0.0).get_xlim()
    assert low < 0 < high


@pytest.mark.parametrize("count", [1, 3, 20])
def test_nothing_is_cut_off(count: int):
    rng = np.random.default_rng(count)
    ax = fall(*rng.normal(size=count), title="a long title of many words " * 5, xlabel="and a long axis " * 9)
    assert_nothing_is_cut(ax)
    assert 1 < ax.figure.get_figheight() < 10
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(boxes))


def test_bars_begin_at_zero_and_leave_room_for_words():
    ax = bars(["a", "b", "c"], [2.0, INF, 0.5], ["2.0 and many words", "inf", "0.5"], title="t", xlabel="x")
    found = spans(ax)
    assert found[0] == (0.0, 2.0)
    assert found[2] == (0.0, 0.5)
    assert 2.0 < found[1][1] < ax.get_xlim()[1]
    assert ax.get_xlim()[0] == 0
    assert_nothing_is_cut(ax)


def test_bars_of_nothing():
    assert len(bars([], [], [], title="t", xlabel="x").patches) == 0


def test_dollars_are_no_mathematics():
    ax = waterfall(
        [WaterfallStep("US$ to AU$", 1.0, "+1")], WaterfallStep("x", 1.0, "+1"), title="$a$", xlabel="$"
    )
    ax.figure.savefig(io.BytesIO())
    assert ax.get_yticklabels()[0].get_text() == r"US\$ to AU\$"


def test_axes_of_the_user_are_drawn_on():
    mine = Figure().subplots()
    assert fall(1.0, ax=mine) is mine
    assert bars(["a"], [1.0], ["1"], title="", xlabel="", ax=mine) is mine
    assert nomogram([], 0.5, title="", xlabel="", outcome="P", ax=mine) is mine


@pytest.mark.parametrize(
    "draw",
    [
        lambda: fall(1.0),
        lambda: bars(["a"], [1.0], ["1"], title="", xlabel=""),
        lambda: nomogram([], 0.5, title="", xlabel="", outcome="P"),
    ],
)
def test_without_matplotlib_the_remedy_is_said(draw, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(LikelyError, match=r'pip install "likely\[plot\]"'):
        draw()


def test_no_window_is_opened():
    # In a fresh interpreter, for other tests may have imported pyplot themselves.
    import subprocess

    code = (
        "import sys, likely.evidence\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from likely.draw import bars\n"
        "bars(['a'], [1.0], ['1'], title='', xlabel='')\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
