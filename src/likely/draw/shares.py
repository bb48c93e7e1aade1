"""The shares of groups in rows along a line -> a bar for each row, split between the groups."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from likely.draw.axes import LETTER, literal
from likely.draw.histogram import plain_axes
from likely.draw.regions import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FULL = 0.8  # a bar's width, in distances between the nearest two rows


def shares(
    x: Sequence[float],
    parts: Sequence[Sequence[float]],
    labels: Sequence[str],
    *,
    title: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """A bar of height 1 at each x; `parts` has the share of every group in every row, group after group.

    >>> ax = shares([0.0, 2.0], [[0.9, 0.2], [0.1, 0.8]], ["low", "high"], title="", xlabel="x")
    >>> [round(float(bar.get_height()), 1) for bar in ax.patches]
    [0.9, 0.2, 0.1, 0.8]
    """
    ax = plain_axes(title, xlabel, "share", ax)
    places = sorted(set(x))
    gaps = [after - before for before, after in pairwise(places)]
    below = [0.0] * len(x)
    for number, (part, label) in enumerate(zip(parts, labels, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        ax.bar(x, part, FULL * min(gaps, default=1.0), below, color=colour, label=literal(label))
        below = [low + more for low, more in zip(below, part, strict=True)]
    ax.set_ylim(0, 1)
    ax.legend(frameon=False, fontsize=LETTER, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(labels))
    return ax
