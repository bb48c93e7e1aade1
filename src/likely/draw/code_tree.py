"""The words of a code as a tree on its side: the root on the left, a line for each symbol, in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from likely.draw.graph import EDGE, INK, LETTER, PAPER, GraphPicture
from likely.format.markup import Markup, element
from likely.format.svg import BLUE, DARK, ORANGE, svg_picture
from likely.format.words import probability, text_width

LINE = 24.0  # pixels of a symbol
STEP = 46.0  # pixels of a bit
WIDEST = 1200.0  # pixels of the longest word: bits of longer ones are drawn shorter
KNOT = 3.0  # pixels, the radius of where a branch forks
LONGEST = 24  # letters of a symbol and bits of a word; all show up when they are pointed at


@dataclass(frozen=True)
class CodeLeaf:
    """An end of the tree: the word of bits that leads to it, its name, and its probability."""

    word: str
    name: str
    p: float


def code_tree(leaves: Sequence[CodeLeaf], *, title: str) -> GraphPicture:
    """A picture of the tree whose ends are these: 0 above, 1 below, as deep as words are long.

    >>> picture = code_tree([CodeLeaf("0", "b", 0.6), CodeLeaf("1", "a", 0.4)], title="two")
    >>> picture.svg.count("<circle"), picture.svg.count("<path")
    (1, 2)
    """
    ordered = sorted(leaves, key=lambda leaf: leaf.word)
    mass = _masses(ordered)
    longest = max(len(leaf.word) for leaf in ordered)
    step = min(STEP, WIDEST / longest)
    y = {leaf.word: LINE * (i + 0.5) for i, leaf in enumerate(ordered)}
    for stem in sorted(mass, key=len, reverse=True):
        if stem not in y:  # a fork, half way between what it leads to
            below = [y[stem + bit] for bit in "01" if stem + bit in y]
            y[stem] = sum(below) / len(below)
    drawn = [_branch(stem, y, step, mass[stem]) for stem in mass if stem]
    ends = {leaf.word for leaf in ordered}
    drawn += [_knot(stem, y[stem], step, mass[stem]) for stem in mass if stem not in ends]
    drawn += [_leaf(leaf, y[leaf.word], step) for leaf in ordered]
    room = max(text_width(_said(leaf), LETTER) + len(leaf.word) * step for leaf in ordered)
    width, height = room + 2 * EDGE + 40, LINE * len(ordered) + 2 * EDGE
    back = element("rect", width=f"{width:.0f}", height=f"{height:.0f}", fill=PAPER, rx=6)
    inside = element("g", *drawn, transform=f"translate({EDGE:g} {EDGE:g})", font_family="sans-serif")
    view = f"0 0 {width:.0f} {height:.0f}"
    return GraphPicture(svg_picture(round(width), round(height), title, view, back, inside), "a code")


def _masses(leaves: Sequence[CodeLeaf]) -> dict[str, float]:
    """The probability of everything that a branch leads to, by the bits that lead to it."""
    mass: dict[str, float] = {}
    for leaf in leaves:
        for n in range(len(leaf.word) + 1):
            mass[leaf.word[:n]] = mass.get(leaf.word[:n], 0.0) + leaf.p
    return mass


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def _said(leaf: CodeLeaf) -> str:
    return f"{_short(leaf.name)}   {leaf.p:.4g}   {_short(leaf.word)}"


def _branch(stem: str, y: dict[str, float], step: float, mass: float) -> Markup:
    """The line of a bit, with the bit on it, the wider the more probable; orange is 1."""
    x, end = (len(stem) - 1) * step, len(stem) * step
    start, to = y[stem[:-1]], y[stem]
    colour = ORANGE if stem[-1] == "1" else BLUE
    bend = x + step * 0.45
    path = f"M{x:.1f} {start:.1f}C{bend:.1f} {start:.1f} {bend:.1f} {to:.1f} {end:.1f} {to:.1f}"
    line = element("path", d=path, fill="none", stroke=colour, stroke_width=f"{1 + 4 * mass:.1f}")
    at = {"x": f"{end - step * 0.28:.1f}", "y": f"{to - 4:.1f}"}
    bit = element("text", stem[-1], **at, font_size=f"{LETTER - 2:g}", fill=INK)
    return element("g", element("title", f"{_short(stem)}: {probability(mass, 1 - mass)}"), line, bit)


def _knot(stem: str, y: float, step: float, mass: float) -> Markup:
    said = element("title", f"{_short(stem) or 'all'}: {probability(mass, 1 - mass)}")
    return element("circle", said, cx=f"{len(stem) * step:.1f}", cy=f"{y:.1f}", r=KNOT, fill=DARK)


def _leaf(leaf: CodeLeaf, y: float, step: float) -> Markup:
    at = {"x": f"{len(leaf.word) * step + 7:.1f}", "y": f"{y + 4:.1f}"}
    said = f"{leaf.name}: {probability(leaf.p, 1 - leaf.p)}, {leaf.word}"
    name = element("tspan", _short(leaf.name), font_weight="bold")
    share = element("tspan", f"{leaf.p:.4g}", dx=8)
    word = element("tspan", _short(leaf.word), dx=8, font_family="monospace", fill=DARK)
    return element("text", element("title", said), name, share, word, **at, font_size=f"{LETTER:g}", fill=INK)
