"""Values and curves over them -> densities of the same values in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw.axes import LETTER, TITLE, Margins, literal, new_axes
from likely.draw.thin import thinned
from likely.format.colours import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 4.2, 2.6  # inches of the axes
# Told apart by lightness and dashes too, for the colour-blind and in grey print.
STYLES: tuple[dict[str, Any], ...] = (
    {"color": BLUE, "linestyle": "--"},
    {"color": DARK, "linestyle": "-", "linewidth": 1.0},
    {"color": ORANGE, "linestyle": "-", "linewidth": 2.0},
    {"color": BLUE, "linestyle": ":"},
)


@dataclass(frozen=True)
class DensityCurve:
    """A density at some places of the line: what it is called, where, and how high it is.

    Without a colour of its own it gets one by its place.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str = ""


def densities(
    points: Sequence[float],
    curves: Sequence[DensityCurve],
    *,
    truth: DensityCurve | None = None,
    title: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """The values as marks on the line, the truth (if it is known) as a grey area, and a line for each curve.

    >>> two = [DensityCurve("flat", [0, 1], [1, 1]), DensityCurve("rising", [0, 1], [0, 2])]
    >>> ax = densities([0.2, 0.7], two, title="", xlabel="x")
    >>> [(line.get_label(), float(line.get_ydata()[1])) for line in ax.lines]
    [('flat', 1.0), ('rising', 2.0)]
    """
    if ax is None:
        ax = new_axes(WIDTH, HEIGHT, Margins(0.6, 0.2, 0.4, 0.6))
    if truth is not None:
        ax.fill_between(truth.x, truth.y, color=FAINT, alpha=0.4, linewidth=0, label=literal(truth.label))
    for place, curve in enumerate(curves):
        style = STYLES[place % len(STYLES)]
        if curve.colour:
            style = {"color": curve.colour}
        ax.plot(curve.x, curve.y, label=literal(curve.label), **style)
    highest = max((max(c.y) for c in [*curves, *([truth] if truth else [])]), default=1.0)
    ax.set_ylim(0, 1.05 * highest)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    # In units of the axes' height, so that no curve makes them longer or shorter.
    across = ax.get_xaxis_transform()
    marks = np.asarray(points, np.float64)
    marks = marks[thinned(marks, np.zeros(len(marks)))]
    ax.vlines(marks, 0, 0.04, transform=across, color="black", linewidth=1)
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    ax.set_xlabel(literal(xlabel), fontsize=LETTER)
    ax.set_ylabel("density", fontsize=LETTER)
    ax.tick_params(labelsize=LETTER, colors=DARK)
    ax.legend(frameon=False, fontsize=LETTER)
    return ax
