"""A coverage curve, and the chords of the bins that rows are put into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from likely.draw.axes import LETTER, Margins, literal, new_axes
from likely.draw.histogram import plain_axes
from likely.draw.roc import SIDE, Line
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def coverage(
    curve: Line,
    chords: Line,
    *,
    title: str,
    classes: Sequence[object],
    hulls: Sequence[Line] = (),
    marks: Mapping[str, tuple[float, float]] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Rows of the first class across and of the second up, from the highest values down.

    A chord is a bin: its slope is the odds in it. `hulls` are drawn dotted, `marks` are points with a name.

    >>> ax = coverage(([0, 1, 2], [0, 2, 2]), ([0, 2], [0, 2]), title="age", classes=("no", "yes"))
    >>> [line.get_label() for line in ax.lines]
    ['all in one', 'values', 'bins']
    """
    ax = new_axes(SIDE, SIDE, Margins(0.7, 0.3, 0.4, 0.6)) if ax is None else ax
    ax = plain_axes(title, f"rows of {classes[0]}", f"rows of {classes[1]}", ax)
    across, up = curve
    ax.plot([across[0], across[-1]], [up[0], up[-1]], color=FAINT, linewidth=1, label="all in one")
    for line in hulls:
        ax.plot(*line, color=DARK, linewidth=1, linestyle=":", label="hull")
    ax.plot(across, up, color=BLUE, linewidth=1.4, label="values")
    ax.plot(*chords, color=ORANGE, linewidth=1.4, marker="o", markersize=4, label="bins")
    for name, point in (marks or {}).items():
        ax.plot(*point, color=DARK, marker="x", markersize=6, linestyle="none")
        ax.annotate(literal(name), point, textcoords="offset points", xytext=(5, -9), fontsize=LETTER)
    ax.legend(frameon=False, loc="lower right", fontsize=LETTER)
    return ax
