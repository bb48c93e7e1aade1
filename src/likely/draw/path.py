"""Numbers one after another -> a line through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from likely.draw.histogram import plain_axes
from likely.format.svg import BLUE, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def path(
    x: Sequence[float],
    y: Sequence[float],
    *,
    marked: float | None = None,
    title: str,
    xlabel: str,
    ylabel: str,
    ax: Axes | None = None,
) -> Axes:
    """A line through the points, the one at x = `marked` larger than the others.

    >>> ax = path([1, 2, 3], [9.0, 4.0, 5.0], marked=2, title="", xlabel="groups", ylabel="bits")
    >>> [line.get_xydata().tolist() for line in ax.lines]
    [[[1.0, 9.0], [2.0, 4.0], [3.0, 5.0]], [[2.0, 4.0]]]
    """
    from matplotlib.ticker import MaxNLocator

    ax = plain_axes(title, xlabel, ylabel, ax)
    ax.plot(x, y, color=BLUE, marker="o", markersize=4)
    if marked is not None:
        ax.plot([marked], [y[list(x).index(marked)]], color=ORANGE, marker="o", markersize=9)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return ax
