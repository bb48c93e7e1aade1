"""Estimates with their intervals -> a forest plot: a row for each, a dot with a line through it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.draw.bars import row_axes
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Estimate:
    """A row: what is estimated, where it lies, and from where to where it may lie; NaN is not drawn."""

    label: str
    value: float
    lower: float = math.nan
    upper: float = math.nan
    beside: float = math.nan  # something to compare it with, drawn as a hollow mark


def forest(
    rows: Sequence[Estimate],
    *,
    title: str,
    xlabel: str,
    zero: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A dot and a line for each estimate, from the top down; an end that is infinite runs to the edge.

    `zero` is where there is no effect: a thin upright line.

    >>> ax = forest([Estimate("a", 1.0, 0.5, 2.0), Estimate("b", -1.0)], title="", xlabel="", zero=0.0)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    >>> [line.get_xdata().tolist() for line in ax.lines if line.get_marker() == "o"]
    [[1.0], [-1.0]]
    """
    ax = row_axes([row.label for row in rows], title, xlabel, ax)
    known = [x for row in rows for x in (row.value, row.lower, row.upper, row.beside) if math.isfinite(x)]
    known += [] if zero is None else [zero]
    low, high = min(known, default=0.0), max(known, default=1.0)
    reach = 0.06 * (high - low) or 0.5 * abs(high) or 1.0
    ax.set_xlim(low - reach, high + reach)
    if zero is not None:
        ax.axvline(zero, color=FAINT, linewidth=1, zorder=0)
    left, right = ax.get_xlim()
    for y, row in enumerate(rows):
        if row.lower <= row.upper:  # neither is NaN
            ax.plot([max(row.lower, left), min(row.upper, right)], [y, y], color=BLUE, linewidth=1.6)
        if math.isfinite(row.beside):
            ax.scatter(
                [row.beside], [y], s=40, marker="D", facecolors="none", edgecolors=ORANGE, linewidths=1.6
            )
        if math.isfinite(row.value):
            ax.plot([row.value], [y], linestyle="none", marker="o", markersize=5.5, color=BLUE)
    ax.tick_params(axis="y", colors=DARK)
    return ax
