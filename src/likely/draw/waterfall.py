"""Amounts one after another -> a waterfall that ends in their sum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.draw.rows import draw_bar, row_axes
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class WaterfallStep:
    """One bar of a waterfall: what it is called, how far it goes, and the words at its end."""

    label: str
    amount: float
    words: str


def waterfall(
    steps: Sequence[WaterfallStep], total: WaterfallStep, *, title: str, xlabel: str, ax: Axes | None = None
) -> Axes:
    """Steps from the top down, each beginning where the one before ended; then their total, from zero.

    The first step is where things start from, drawn in grey like the total. Past an infinite step, an
    arrow to the edge, the others go on from where it began.

    >>> steps = [WaterfallStep("start", 1.0, "+1"), WaterfallStep("a", -3.0, "-3")]
    >>> ax = waterfall(steps, WaterfallStep("total", -2.0, "-2"), title="", xlabel="log-odds")
    >>> [(float(bar.get_x()), float(bar.get_width())) for bar in ax.patches]
    [(0.0, 1.0), (1.0, -3.0), (0.0, -2.0)]
    """
    starts = [0.0]
    for step in steps:
        starts.append(starts[-1] + (step.amount if math.isfinite(step.amount) else 0.0))
    ax = row_axes([step.label for step in (*steps, total)], title, xlabel, ax)
    low, high = min(starts), max(starts)
    reach = (high - low) or 1.0
    ax.set_xlim(low - 0.15 * reach, high + 0.15 * reach)
    ax.axvline(0, color=DARK, linewidth=0.8, zorder=0)
    for y, step in enumerate(steps):
        colour = DARK if y == 0 else (ORANGE if step.amount < 0 else BLUE)
        draw_bar(ax, y, starts[y], step.amount, colour, step.words)
        ax.plot([starts[y + 1]] * 2, [y, y + 1], color=FAINT, linewidth=0.8, zorder=0)
    draw_bar(ax, len(steps), 0.0, total.amount, DARK, total.words)
    return ax
