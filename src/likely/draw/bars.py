"""Named amounts -> horizontal bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from likely.draw.axes import room, width_of
from likely.draw.rows import draw_bar, row_axes
from likely.format.svg import BLUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def bars(
    labels: Sequence[str],
    amounts: Sequence[float],
    words: Sequence[str],
    *,
    title: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """A bar for each amount, zero or more, from the top down; infinite ones are arrows to the edge.

    >>> ax = bars(["a", "b"], [2.0, 1.0], ["2.0", "1.0"], title="", xlabel="evidence")
    >>> [float(bar.get_width()) for bar in ax.patches]
    [2.0, 1.0]
    """
    ax = row_axes(labels, title, xlabel, ax)
    longest_bar = max((amount for amount in amounts if math.isfinite(amount)), default=0.0) or 1.0
    longest_words = max((room(word) for word in words), default=0.0)
    share = max(1 - (longest_words + 0.15) / width_of(ax), 0.3)  # of the axes, so that the words fit too
    ax.set_xlim(0, longest_bar / share)
    for y, (amount, word) in enumerate(zip(amounts, words, strict=True)):
        draw_bar(ax, y, 0.0, amount, BLUE, word)
    return ax
