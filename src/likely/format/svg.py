"""Small pictures as inline SVG: they need no script, no file, and take the colours of the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from likely.format.colours import BLUE

ACROSS, DOWN = 176, 44  # pixels


def bars_svg(counts: Sequence[int], words: Sequence[str], *, gap: float = 0.5) -> str:
    """Upright bars, each with words that show up when it is pointed at.

    >>> bars_svg([1, 2], ["a: 1", "b: 2"]).count("<rect")
    2
    """
    if not counts:
        return ""
    most, width = max(counts) or 1, ACROSS / len(counts)
    drawn = []
    for i, (count, word) in enumerate(zip(counts, words, strict=True)):
        height = (DOWN - 2) * count / most
        height = max(height, 1.0) if count else 0.0  # a bar of few rows is still to be seen
        drawn.append(
            f'<rect x="{i * width + gap / 2:.2f}" y="{DOWN - 1 - height:.2f}" width="{width - gap:.2f}" '
            f'height="{height:.2f}" fill="{BLUE}"><title>{escape(word)}</title></rect>'
        )
    return _frame(f"{''.join(drawn)}{_line(0, DOWN - 0.5, ACROSS, DOWN - 0.5)}", "histogram")


def percentiles_svg(values: Sequence[float], words: str) -> str:
    """A rising line from the least to the greatest value, and thin ones at the quartiles."""
    if not values or values[0] == values[-1]:
        return ""
    low, high = values[0] / 2, values[-1] / 2  # halves: a range may be beyond all numbers
    step, rise = ACROSS / (len(values) - 1), (DOWN - 3) / (high - low)
    points = [f"{step * i:.1f},{DOWN - 1.5 - rise * (value / 2 - low):.1f}" for i, value in enumerate(values)]
    quarters = "".join(_line(ACROSS * q / 4, 0, ACROSS * q / 4, DOWN) for q in (1, 2, 3))
    line = f'<polyline points="{" ".join(points)}" fill="none" stroke="{BLUE}" stroke-width="1.6"/>'
    return _frame(f"<title>{escape(words)}</title>{quarters}{line}", "percentile plot")


def share_svg(part: float, colour: str = BLUE) -> str:
    """A share from 0 to 1 as a bar in a frame."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="64" height="6" role="img" aria-label="{part:.0%}">'
        '<rect width="64" height="6" rx="3" fill="currentColor" fill-opacity="0.14"/>'
        f'<rect width="{64 * min(max(part, 0.0), 1.0):.1f}" height="6" rx="3" fill="{colour}"/></svg>'
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
    return f'<line {ends} stroke="currentColor" stroke-opacity="0.25" stroke-width="1"/>'


def _frame(content: str, name: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{ACROSS}" height="{DOWN}" '
        f'viewBox="0 0 {ACROSS} {DOWN}" role="img" aria-label="{name}">{content}</svg>'
    )
