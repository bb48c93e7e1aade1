"""Numbers in few letters: the same numbers, and functions that are the same between their edges."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from page_cases import data_of

import likely
from likely.dist.numeric.pieces import Pieces
from likely.page.packed import packed, pieces_data


def lines(seed: int, shift: float = 0.0, unit: float = 1.0) -> Pieces:
    """Slopes that change at some edges and heights that change at others, level at both ends."""
    rng = np.random.default_rng(seed)
    edges = shift + unit * np.sort(rng.normal(size=40))
    slope = rng.normal(size=(41, 3)) / unit
    slope[0] = slope[-1] = 0
    jump = np.where(rng.random(40) < 0.3, 1.0, 0.0)[:, None] * rng.normal(size=(40, 3))
    slope[:, 1] = jump[:, 1] = 0  # a group that says nothing
    for i in np.flatnonzero(jump[:-1, 0]):
        slope[i + 1] = slope[i]
    powers = np.zeros((41, 3, 3))
    height = np.array([0.3, 0.0, -1.0])
    powers[0, :, 0] = height
    for i, edge in enumerate(edges):
        height = height + slope[i] * (edge - edges[max(i - 1, 0)]) + jump[i]
        powers[i + 1, :, 0], powers[i + 1, :, 1] = height, slope[i + 1]
    centre = np.repeat(np.append(edges[:1], edges)[:, None], 3, axis=1)
    return Pieces(edges, centre, powers)


def numbers(coded) -> np.ndarray:
    if isinstance(coded, list):
        return np.array(coded)
    return np.frombuffer(base64.b64decode(coded["f64"]), "<f8").reshape(coded["shape"])


def worked_out(data: dict, x: float) -> np.ndarray:
    """Lines by their definition: every change before a number counts as far as the number is from it."""
    edges, jumps, slopes = (numbers(data[name]) for name in ("edges", "jumps", "slopes"))
    if data["shapes"] is not None:
        slopes = slopes @ numbers(data["shapes"])
    out, slope, last = np.array(data["first"]), np.zeros(len(data["groups"])), edges[0]
    jumped = bent = 0
    for edge, mark in zip(edges, data["marks"], strict=True):
        if edge >= x:
            break
        out = out + slope * (edge - last)
        last = edge
        if mark in "|+":
            out, jumped = out + jumps[jumped], jumped + 1
        if mark in "/+":
            slope, bent = slopes[bent], bent + 1
    whole = np.zeros(data["of"])
    whole[data["groups"]] = out + slope * (x - last)
    return whole


@pytest.mark.parametrize(("shift", "unit"), [(0.0, 1.0), (1e9, 1e5), (-3.0, 1e-6)])
def test_lines_are_the_function_they_were(shift, unit):
    for seed in range(5):
        pieces = lines(seed, shift, unit)
        data = pieces_data(pieces)
        assert data["kind"] == "lines"
        assert data["groups"] == [0, 2]
        x = shift + unit * np.random.default_rng(seed + 100).normal(size=50)
        assert np.allclose([worked_out(data, one) for one in x], pieces(x), rtol=0, atol=1e-11)


def test_what_is_no_line_is_written_out():
    assert pieces_data(Pieces.quadratic([0.0], [1.0], [2.0]))["kind"] == "pieces"
    assert pieces_data(Pieces.steps([0.0], [[1.0], [2.0]]))["values"] == [[1.0], [2.0]]


def test_packed_numbers_are_exact():
    array = np.random.default_rng(0).normal(size=(7, 3)) * 1e-300
    assert (numbers(packed(array)) == array).all()


def test_slopes_of_few_shapes_are_mixed_of_them():
    """Eight groups that share two shapes, on pieces of very different widths: as exact, in fewer letters."""
    rng = np.random.default_rng(3)
    edges = np.sort(np.concatenate([rng.normal(size=30), 1e6 + 1e-3 * rng.normal(size=30)]))
    width = np.diff(edges)
    slope = (rng.normal(size=(59, 2)) / width[:, None]) @ rng.normal(size=(2, 8))  # one rise or so a piece
    powers = np.zeros((61, 8, 3))
    powers[1:-1, :, 1] = slope
    powers[2:, :, 0] = np.cumsum(slope * width[:, None], axis=0)
    pieces = Pieces(edges, np.repeat(np.append(edges[:1], edges)[:, None], 8, axis=1), powers)
    data = pieces_data(pieces)
    assert numbers(data["slopes"]).shape[1] == 2
    x = np.concatenate([edges, rng.uniform(-3, 3, 50), rng.uniform(1, 1e6, 50), [2e6]])
    assert np.allclose([worked_out(data, one) for one in x], pieces(x), rtol=0, atol=1e-10)


@pytest.mark.parametrize("classes", ["abcd", "abcdefgh"])
def test_a_page_of_fifty_columns_and_many_classes_is_small(classes):
    """Fifty columns of numbers, of which the default learner draws curves of eighty pieces each."""
    rng = np.random.default_rng(0)
    y = rng.integers(len(classes), size=150 * len(classes))
    table = {f"column {i}": rng.normal(y * rng.normal(0, 0.4), 1) for i in range(50)}
    table["y"] = np.array(list(classes))[y]
    page = likely.Classifier("additive").fit(table, "y").report(table, folds=0)
    assert len(page.html.encode()) < 500_000
    assert len(data_of(page.html)["model"]["terms"]) == 50
