"""Pictures of networks: boxes apart, arcs downwards and between them, everything inside, in good time."""

from __future__ import annotations

import re
import time
from xml.etree import ElementTree

import numpy as np
import pytest

from likely.draw.graph import MOST_BOXES_WITH_BARS, GraphArc, GraphNode, graph
from likely.draw.layers import GAP, Size, place
from likely.errors import LikelyError


def random_graph(seed: int, n: int) -> tuple[dict[str, Size], list[tuple[str, str]]]:
    rng = np.random.default_rng(seed)
    sizes = {f"v{i}": Size(*rng.uniform(20, 140, 2)) for i in range(n)}
    arcs = [(f"v{j}", f"v{i}") for i in range(n) for j in rng.permutation(i)[: rng.integers(0, 4)]]
    return sizes, arcs


@pytest.mark.parametrize(("seed", "n"), [(0, 1), (1, 2), (2, 5), (3, 12), (4, 30), (5, 60), (6, 200)])
def test_boxes_are_apart_and_arcs_run_downwards_between_them(seed: int, n: int):
    sizes, arcs = random_graph(seed, n)
    placed = place(sizes, arcs)
    middle = np.array([placed.middles[name] for name in sizes])
    half = np.array(list(sizes.values())) / 2
    assert (middle - half > -1e-6).all()
    assert (middle + half < np.array(placed.size) + 1e-6).all()
    apart = np.abs(middle[:, None] - middle[None]) - half[:, None] - half[None]
    apart[np.arange(n), np.arange(n)] = np.inf
    assert apart.max(axis=2).min() >= GAP - 1e-6
    assert placed.routes.keys() == set(arcs)
    for (start, end), points in placed.routes.items():
        heights = [point.y for point in points]
        assert heights == sorted(heights)
        assert points[0].x == placed.middles[start].x
        assert points[-1].x == placed.middles[end].x
        for point in points[1:-1]:
            inside = (np.abs(np.array(point) - middle) < half - 1e-6).all(axis=1)
            assert not inside.any()


def test_a_tree_has_no_crossings():
    """Each child is right of the children of parents further left."""
    arcs = [(f"{i}", f"{2 * i + k}") for i in range(1, 16) for k in (0, 1)]
    placed = place({f"{i}": Size(30, 20) for i in range(1, 32)}, arcs)
    for depth in range(4):
        parents = sorted(range(2**depth, 2 ** (depth + 1)), key=lambda i: placed.middles[f"{i}"].x)
        children = [placed.middles[f"{2 * i + k}"].x for i in parents for k in (0, 1)]
        pairs = np.sort(np.reshape(children, (-1, 2)), axis=1)
        assert pairs.ravel().tolist() == sorted(children)


def test_a_star_of_many_children_is_not_one_long_row():
    names = ["root", *(f"leaf{i}" for i in range(60))]
    placed = place({name: Size(100, 60) for name in names}, [("root", name) for name in names[1:]])
    assert placed.size.width < 30 * (100 + GAP)


def test_every_box_bar_and_name_is_in_the_picture():
    nodes = [
        GraphNode("rain <today>", [("no", 0.8), ("yes", 0.2)], known="yes"),
        GraphNode("wet", [(f"s{i}", 1 / 8) for i in range(8)]),
        GraphNode("alone"),
    ]
    picture = graph(nodes, [GraphArc("rain <today>", "wet", 0.25, "0.25 bits")], title="a lawn")
    root = ElementTree.fromstring(picture.svg)
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"rain <today>", "wet", "alone", "no", "0.80", "yes", "0.20", "s0", "3 others", "0.38"} <= set(
        words
    )
    titles = [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "0.25 bits" in titles
    assert "rain <today> = yes\nno: 0.80\nyes: 0.20" in titles
    assert root.get("aria-label") == "a lawn"
    assert picture._repr_svg_() == picture.svg
    assert picture._repr_html_().startswith("<div")


def test_bars_are_as_long_as_probabilities_and_arcs_as_wide_as_strengths():
    nodes = [GraphNode("a", [("x", 0.25), ("y", 0.75)]), GraphNode("b"), GraphNode("c")]
    picture = graph(nodes, [GraphArc("a", "b", 1.0), GraphArc("a", "c", 0.5)], title="")
    widths = re.findall(r'<rect x="[\d.]+" y="[\d.]+" width="([\d.]+)" height="10"', picture.svg)
    whole, quarter, again, three = map(float, widths)
    assert whole == again
    assert quarter / whole == pytest.approx(0.25, abs=0.01)
    assert three / whole == pytest.approx(0.75, abs=0.01)
    strokes = [float(w) for w in re.findall(r'stroke="#\w+" stroke-width="([\d.]+)"/>', picture.svg)]
    assert strokes[:2] == [5.0, pytest.approx(0.7 + 4.3 / 2, abs=0.06)]


def test_probabilities_near_certainty_are_not_shown_as_certain():
    picture = graph(
        [GraphNode("a", [("x", 0.9996), ("y", 0.0004)]), GraphNode("b", [("x", 1.0)])], [], title=""
    )
    assert "&gt;0.99" in picture.svg
    assert "&lt;0.01" in picture.svg
    assert ">1.00<" in picture.svg


def test_large_pictures_have_names_alone_and_come_in_good_time():
    sizes, arcs = random_graph(0, 1000)
    nodes = [GraphNode(name, [("x", 0.5), ("y", 0.5)]) for name in sizes]
    start = time.process_time()
    picture = graph(nodes, [GraphArc(*arc) for arc in arcs], title="")
    assert time.process_time() - start < 60  # 2 s as measured
    assert len(nodes) > MOST_BOXES_WITH_BARS
    assert 'height="10"' not in picture.svg
    assert picture.svg.count("<text") == 1000


def test_a_picture_is_saved_as_svg_alone(tmp_path):
    picture = graph([GraphNode("a")], [], title="one")
    picture.save(tmp_path / "one.svg")
    assert (tmp_path / "one.svg").read_text(encoding="utf-8") == picture.svg
    with pytest.raises(LikelyError, match=r"end the name in \.svg"):
        picture.save(tmp_path / "one.png")
