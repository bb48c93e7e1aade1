"""Boxes with bars, joined by arcs: a belief network as people draw it, in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from likely.draw.layers import Placed, Point, Size, place
from likely.errors import LikelyError
from likely.format.markup import Markup, element
from likely.format.svg import BLUE, DARK, FAINT, ORANGE, svg_picture
from likely.format.words import probability, text_width
from likely.table.write.whole_file import whole_file

MOST_BARS = 6  # states of a box that are drawn
MOST_BOXES_WITH_BARS = 40  # larger pictures have names alone
LETTER = 12.0  # pixels high; in large pictures less
LINE = 16.0  # pixels of a state
LONGEST, LONGEST_STATE = 24, 14  # letters of names; whole names show up when they are pointed at
WIDEST, THINNEST = 5.0, 1.2  # pixels of the strongest arc, and of one without strength
EDGE = 14.0  # pixels around the picture
INK, PAPER = "#222222", "#FFFFFF"


@dataclass(frozen=True)
class GraphNode:
    """A box: its name, the probability of each of its states, and the state that is known, if one is."""

    name: str
    bars: Sequence[tuple[str, float]] = ()
    known: str | None = None


@dataclass(frozen=True)
class GraphArc:
    """An arc from one box to another, how strong it is, and words that show up when it is pointed at."""

    start: str
    end: str
    strength: float | None = None
    words: str = ""


class GraphPicture:
    """A picture that shows itself in notebooks and can be saved."""

    def __init__(self, markup: Markup, of: str = "a network") -> None:
        self.svg = str(markup)
        self.of = of

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return element("div", Markup(self.svg), style="overflow:auto; max-width:100%")

    def save(self, path: str | Path) -> None:
        """Write the picture to a file that ends in .svg, whole or not at all."""
        if Path(path).suffix.lower() != ".svg" and str(path) != "-":
            raise LikelyError(
                f"{path} cannot be written: a picture of {self.of} is SVG; end the name in .svg"
            )
        with whole_file(path) as file:
            file.write(self.svg.encode())

    def __repr__(self) -> str:
        name = self.of.split()[-1]
        return f"<picture of {self.of}; in a notebook it shows itself, save('{name}.svg') writes it>"


def graph(nodes: Sequence[GraphNode], arcs: Sequence[GraphArc], *, title: str) -> GraphPicture:
    """A picture of boxes and arcs from the top down; arcs are as wide as they are strong.

    >>> nodes = [GraphNode("rain", [("no", 0.8), ("yes", 0.2)]), GraphNode("wet")]
    >>> picture = graph(nodes, [GraphArc("rain", "wet", 0.3)], title="lawn")
    >>> picture.svg.count("<rect"), "0.80" in picture.svg
    (7, True)
    """
    small = len(nodes) > MOST_BOXES_WITH_BARS
    letter = 10.0 if small else LETTER
    boxes = {node.name: _size(node, letter, small) for node in nodes}
    placed = place(boxes, list({(arc.start, arc.end): None for arc in arcs}))
    strongest = max((arc.strength or 0.0 for arc in arcs), default=0.0) or 1.0
    widest = WIDEST / 2 if small else WIDEST
    drawn = [_arc(arc, placed, strongest, widest) for arc in arcs]
    drawn += [_box(node, placed.middles[node.name], boxes[node.name], letter, small) for node in nodes]
    width, height = placed.size.width + 2 * EDGE, placed.size.height + 2 * EDGE
    back = element("rect", width=f"{width:.0f}", height=f"{height:.0f}", fill=PAPER, rx=6)
    inside = element("g", *drawn, transform=f"translate({EDGE:g} {EDGE:g})", font_family="sans-serif")
    view = f"0 0 {width:.0f} {height:.0f}"
    return GraphPicture(svg_picture(round(width), round(height), title, view, back, inside))


def _shown(node: GraphNode) -> list[tuple[str, float]]:
    """The bars of a box: all of its states, or the likeliest and the rest in one."""
    if len(node.bars) <= MOST_BARS:
        return list(node.bars)
    likeliest = sorted(range(len(node.bars)), key=lambda i: -node.bars[i][1])[: MOST_BARS - 1]
    shown = [node.bars[i] for i in sorted(likeliest)]
    others = len(node.bars) - len(shown)
    return [*shown, (f"{others} others", 1 - sum(share for _, share in shown))]


def _said(share: float) -> str:
    """Two digits, and no certainty where there is none."""
    if 0 < share < 0.005:
        return "<0.01"
    return ">0.99" if 0.995 <= share < 1 else f"{share:.2f}"


def _short(words: str, longest: int = LONGEST) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def _size(node: GraphNode, letter: float, small: bool) -> Size:
    name = 1.08 * text_width(_short(node.name), letter) + 14  # bold letters are wider
    if small or not node.bars:
        return Size(max(name, 40.0), letter + 12)
    states = _shown(node)
    return Size(max(name, _state_width(node, letter) + 100), letter + 14 + LINE * len(states))


def _state_width(node: GraphNode, letter: float) -> float:
    return max(text_width(_short(state, LONGEST_STATE), letter - 1) for state, _ in _shown(node)) + 14


def _box(node: GraphNode, middle: Point, size: Size, letter: float, small: bool) -> Markup:
    left, top = middle.x - size.width / 2, middle.y - size.height / 2
    bars = [] if small else _shown(node)
    known = node.known is not None
    frame = element(
        "rect",
        x=f"{left:.1f}",
        y=f"{top:.1f}",
        width=f"{size.width:.1f}",
        height=f"{size.height:.1f}",
        rx=5,
        fill="#FFF6E0" if known else PAPER,
        stroke=ORANGE if known else DARK,
        stroke_width=1.6 if known else 1,
    )
    said = node.name if not known else f"{node.name} = {node.known}"
    name = element(
        "text",
        _short(node.name),
        x=f"{middle.x:.1f}",
        y=f"{top + letter + 3:.1f}",
        font_size=f"{letter:g}",
        font_weight="normal" if small else "bold",
        text_anchor="middle",
        fill=INK,
    )
    inside = left + _state_width(node, letter) if bars else left
    room = left + size.width - inside - 40
    rows = []
    for i, (state, share) in enumerate(bars):
        y = top + letter + 10 + LINE * i
        colour = ORANGE if state == node.known else BLUE
        rows += [
            _words(_short(state, LONGEST_STATE), inside - 5, y + 11, "end", letter - 1),
            element(
                "rect", x=f"{inside:.1f}", y=f"{y + 2:.1f}", width=f"{room:.1f}", height=10, fill="#EEEEEE"
            ),
            element(
                "rect",
                x=f"{inside:.1f}",
                y=f"{y + 2:.1f}",
                width=f"{room * min(max(share, 0.0), 1.0):.1f}",
                height=10,
                fill=colour,
            ),
            _words(_said(share), left + size.width - 5, y + 11, "end", letter - 2),
        ]
    whole = "".join(f"\n{state}: {probability(share, 1 - share)}" for state, share in node.bars)
    return element("g", element("title", said + whole), frame, name, *rows)


def _bar(x: float, y: float, width: float, colour: str) -> Markup:
    at = {"x": f"{x:.1f}", "y": f"{y + 2:.1f}", "width": f"{width:.1f}"}
    return element("rect", **at, height=10, fill=colour)


def _words(words: str, x: float, y: float, anchor: str, size: float) -> Markup:
    at = {"x": f"{x:.1f}", "y": f"{y:.1f}"}
    return element("text", words, **at, text_anchor=anchor, font_size=f"{size:g}", fill=INK)


def _arc(arc: GraphArc, placed: Placed, strongest: float, widest: float) -> Markup:
    """A smooth line through the points of an arc, and its head."""
    points = placed.routes[arc.start, arc.end]
    wide = THINNEST
    if arc.strength is not None:
        wide = 0.7 + (widest - 0.7) * max(arc.strength, 0.0) / strongest
    head = 6.0 + wide
    tip = points[-1]
    points = [*points[:-1], Point(tip.x, tip.y - head + 1)]
    path = f"M{points[0].x:.1f} {points[0].y:.1f}"
    for a, b in pairwise(points):
        bend = (b.y - a.y) / 2
        path += f"C{a.x:.1f} {a.y + bend:.1f} {b.x:.1f} {b.y - bend:.1f} {b.x:.1f} {b.y:.1f}"
    side = head * 0.45
    corner = f"M{tip.x:.1f} {tip.y:.1f}L{tip.x - side:.1f} {tip.y - head:.1f}H{tip.x + side:.1f}Z"
    colour = DARK if arc.strength is None or arc.strength > 0.05 * strongest else FAINT
    return element(
        "g",
        element("title", arc.words or f"{arc.start} → {arc.end}"),
        element("path", d=path, fill="none", stroke=colour, stroke_width=f"{wide:.1f}"),
        element("path", d=corner, fill=colour),
    )
