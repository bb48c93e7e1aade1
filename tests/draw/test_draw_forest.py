"""Forest plots: every estimate where it belongs, and what is infinite or unknown."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest

from likely.draw import Estimate, forest
from likely.draw.densities import DensityCurve, densities
from likely.draw.regions import regions
from likely.draw.thin import MOST, thinned

NAN, INF = math.nan, math.inf


def lines_of(ax):
    """The ends of every interval, from the top down."""
    return [tuple(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 2]


def dots_of(ax):
    return [float(line.get_xdata()[0]) for line in ax.lines if line.get_marker() == "o"]


def test_every_estimate_has_its_dot_and_its_interval():
    rows = [Estimate("a", 1.0, 0.5, 2.0), Estimate("b", -3.0, -4.0, -2.5, beside=0.25)]
    ax = forest(rows, title="t", xlabel="x")
    assert lines_of(ax) == [(0.5, 2.0), (-4.0, -2.5)]
    assert dots_of(ax) == [1.0, -3.0]
    assert ax.collections[-1].get_offsets().tolist() == [[0.25, 1.0]]
    low, high = ax.get_xlim()
    assert low < -4.0
    assert high > 2.0
    assert ax.yaxis_inverted()


def test_infinite_ends_run_to_the_edge_and_unknown_ones_are_not_drawn():
    rows = [Estimate("a", 1.0, -INF, INF), Estimate("b", 2.0), Estimate("c", NAN, NAN, NAN)]
    ax = forest(rows, title="", xlabel="", zero=0.0)
    # The first line is the upright one at zero.
    assert lines_of(ax) == [(0.0, 0.0), ax.get_xlim()]
    assert dots_of(ax) == [1.0, 2.0]
    ax.figure.savefig(io.BytesIO())


@pytest.mark.parametrize("rows", [[], [Estimate("a", 0.0)], [Estimate("a", 5.0, 5.0, 5.0)]])
def test_nothing_to_spread_over(rows):
    low, high = forest(rows, title="", xlabel="").get_xlim()
    assert low < high


def test_few_points_are_all_drawn_in_their_order():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, MOST))
    assert thinned(x, y).tolist() == list(range(MOST))
    x[3] = NAN
    assert thinned(x, y).tolist() == [i for i in range(MOST) if i != 3]


@pytest.mark.parametrize("n", [4000, 100_000])
@pytest.mark.parametrize("most", [10, MOST])
def test_many_points_are_thinned_where_they_are_dense(n, most):
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, n))
    x[0], y[0] = 9.0, 9.0  # alone, far away
    kept = thinned(x, y, most)
    assert len(kept) <= most
    assert len(kept) >= 0.5 * most
    assert len(set(kept.tolist())) == len(kept)
    assert 0 in kept
    centre = np.hypot(x, y) < 1
    assert centre[kept].mean() < 0.75 * centre.mean()  # the crowd gives way, the others stay
    assert thinned(x, y, most).tolist() == kept.tolist()


@pytest.mark.parametrize("x", [np.zeros(5000), np.array([-1e308, 1e308] * 2500)])
def test_points_in_one_place_and_at_the_ends_of_all_numbers(x):
    kept = thinned(x, np.zeros(5000), 100)
    assert 2 <= len(kept) <= 100


def test_pictures_of_many_rows_say_how_many_they_show():
    rng = np.random.default_rng(2)
    points = [tuple(rng.normal(size=(2, 2000))) for _ in range(2)]
    scores = np.stack([np.zeros((3, 4)), np.tile([-1.0, -0.5, 0.5, 1.0], (3, 1))], axis=2)
    ax = regions(range(4), range(3), scores, ["l", "r"], points=points, title="", xlabel="x", ylabel="y")
    drawn = sum(len(line.get_xdata()) for line in ax.lines)
    assert drawn <= MOST
    assert ax.get_xlabel() == f"x\n{drawn} of 4000 rows drawn, fewer where they are dense"
    few = [(a[:10], b[:10]) for a, b in points]
    ax = regions(range(4), range(3), scores, ["l", "r"], points=few, title="", xlabel="x", ylabel="y")
    assert ax.get_xlabel() == "x"


def test_marks_on_a_line_are_thinned_too():
    values = np.random.default_rng(3).normal(size=20_000)
    ax = densities(values.tolist(), [DensityCurve("a", [0, 1], [1, 1])], title="", xlabel="x")
    assert len(ax.collections[0].get_segments()) <= MOST
