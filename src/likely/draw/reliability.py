"""Means and shares -> a reliability diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from likely.draw.axes import Margins, need_matplotlib, new_axes
from likely.draw.histogram import plain_axes
from likely.format.colours import BLUE, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE = 3.6  # inches of the axes
LARGEST = 60.0  # points squared, the mark of the heaviest bin


def reliability(
    means: Sequence[float],
    shares: Sequence[float],
    bars: tuple[Sequence[float], Sequence[float]],
    weights: Sequence[float],
    *,
    title: str,
    ax: Axes | None = None,
) -> Axes:
    """A point for each bin, as large as its weight, over the diagonal and its consistency bar.

    >>> ax = reliability([0.2, 0.8], [0.3, 0.7], ([0.1, 0.6], [0.3, 0.9]), [5.0, 5.0], title="P(rain)")
    >>> ax.collections[-1].get_offsets().tolist()
    [[0.2, 0.3], [0.8, 0.7]]
    """
    need_matplotlib()
    ax = new_axes(SIDE, SIDE, Margins(0.7, 0.3, 0.4, 0.6)) if ax is None else ax
    ax = plain_axes(title, "predicted: mean probability", "observed: share of rows", ax)
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1)
    ax.vlines(means, *bars, color=ORANGE, linewidth=4, alpha=0.5, label="consistency bar")
    ax.plot(means, shares, color=BLUE, linewidth=1)
    heaviest = max(weights, default=1.0)
    sizes = [max(LARGEST * weight / heaviest, 8.0) for weight in weights]
    ax.scatter(means, shares, s=sizes, color=BLUE, zorder=3, label="bin")
    ax.legend(frameon=False, loc="upper left")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    return ax
