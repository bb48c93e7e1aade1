"""Quantiles -> a percentile plot: each value over the share of rows that lie below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from likely.draw.histogram import label_axis, plain_axes
from likely.format.svg import BLUE, FAINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def percentiles(
    values: Sequence[float],
    *,
    title: str,
    ylabel: str,
    words: Callable[[float], str] | None = None,
    steps: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Values at equal distances from 0 to 100 percent; the quartiles are marked.

    `words` write the values along the axis. If values are places among levels, `steps` are the names of
    these, and the line goes in steps.

    >>> ax = percentiles([1.0, 2.0, 5.0], title="", ylabel="age")
    >>> [line.get_xdata().tolist() for line in ax.lines[-1:]]
    [[0.0, 50.0, 100.0]]
    """
    ax = plain_axes(title, "percent of the rows with a value", ylabel, ax)
    for quarter in (25, 50, 75):
        ax.axvline(quarter, color=FAINT, linewidth=0.8, zorder=0)
    if len(values):
        style = "default" if steps is None else "steps-pre"
        ax.plot(np.linspace(0, 100, len(values)), values, color=BLUE, linewidth=1.8, drawstyle=style)
    if steps is not None:
        ax.set_yticks(range(len(steps)), list(steps))
    elif words is not None:
        label_axis(ax.yaxis, words)
    ax.set_xlim(0, 100)
    return ax
