"""Small pictures as inline SVG, which need no script and no file; and the colours of every picture."""

from __future__ import annotations

from collections.abc import Sequence

from likely.format.markup import Markup, element

# Blue and orange are told apart by the colour-blind, and in grey print.
BLUE, ORANGE, DARK, FAINT = "#0072B2", "#E69F00", "#4D4D4D", "#B0B0B0"


ACROSS, DOWN = 176, 44  # pixels
_NONE = Markup("")


def bars_svg(counts: Sequence[int], words: Sequence[str], *, gap: float = 0.5) -> Markup:
    """Upright bars, each with words that show up when it is pointed at.

    >>> bars_svg([1, 2], ["a: 1", "b: 2"]).count("<rect")
    2
    """
    if not counts:
        return _NONE
    most, width = max(counts) or 1, ACROSS / len(counts)
    drawn = []
    for i, (count, word) in enumerate(zip(counts, words, strict=True)):
        height = (DOWN - 2) * count / most
        height = max(height, 1.0) if count else 0.0  # a bar of few rows is still to be seen
        drawn.append(
            element(
                "rect",
                element("title", word),
                x=f"{i * width + gap / 2:.2f}",
                y=f"{DOWN - 1 - height:.2f}",
                width=f"{width - gap:.2f}",
                height=f"{height:.2f}",
                fill=BLUE,
            )
        )
    return _picture("histogram", *drawn, _line(0, DOWN - 0.5, ACROSS, DOWN - 0.5))


def percentiles_svg(values: Sequence[float], words: str) -> Markup:
    """A rising line from the least to the greatest value, and thin ones at the quartiles."""
    if not values or values[0] == values[-1]:
        return _NONE
    low, high = values[0] / 2, values[-1] / 2  # halves: a range may be beyond all numbers
    step, rise = ACROSS / (len(values) - 1), (DOWN - 3) / (high - low)
    points = [f"{step * i:.1f},{DOWN - 1.5 - rise * (value / 2 - low):.1f}" for i, value in enumerate(values)]
    quarters = (_line(ACROSS * q / 4, 0, ACROSS * q / 4, DOWN) for q in (1, 2, 3))
    curve = element("polyline", points=" ".join(points), fill="none", stroke=BLUE, stroke_width=1.6)
    return _picture("percentile plot", element("title", words), *quarters, curve)


def share_svg(part: float, colour: str = BLUE) -> Markup:
    """A share from 0 to 1 as a bar in a frame."""
    filled = f"{64 * min(max(part, 0.0), 1.0):.1f}"
    return svg_picture(
        64,
        6,
        f"{part:.0%}",
        None,
        element("rect", width=64, height=6, rx=3, fill="currentColor", fill_opacity=0.14),
        element("rect", width=filled, height=6, rx=3, fill=colour),
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> Markup:
    ends = {"x1": f"{x1:g}", "y1": f"{y1:g}", "x2": f"{x2:g}", "y2": f"{y2:g}"}
    return element("line", **ends, stroke="currentColor", stroke_opacity=0.25, stroke_width=1)


def _picture(name: str, *content: Markup) -> Markup:
    return svg_picture(ACROSS, DOWN, name, f"0 0 {ACROSS} {DOWN}", *content)


def svg_picture(width: int, height: int, name: str, view: str | None, *content: Markup) -> Markup:
    """A picture of so many pixels, and its name for those who do not see it."""
    return element(
        "svg",
        *content,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=view,
        role="img",
        aria_label=name,
    )
