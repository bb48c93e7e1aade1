"""Numbers over plain axes: histograms, percentile plots, and lines through numbers one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from likely.draw.axes import LETTER, TITLE, Margins, literal, need_matplotlib, new_axes
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WIDTH, HEIGHT = 5.5, 2.6  # inches of the axes


def histogram(
    edges: Sequence[float],
    counts: Sequence[float],
    *,
    title: str,
    xlabel: str,
    words: Callable[[float], str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A bar between every two edges, as high as its count; `words` write the numbers along the axis.

    >>> ax = histogram([0.0, 1.0, 3.0], [5, 2], title="", xlabel="age")
    >>> [(float(bar.get_width()), float(bar.get_height())) for bar in ax.patches]
    [(1.0, 5.0), (2.0, 2.0)]
    """
    ax = plain_axes(title, xlabel, "rows", ax)
    if len(counts):
        widths = [high - low or 1.0 for low, high in pairwise(edges)]  # a single value has width 1
        ax.bar(edges[:-1], counts, widths, align="edge", color=BLUE, edgecolor="white", linewidth=0.5)
    if words is not None:
        label_axis(ax.xaxis, words)
    return ax


def plain_axes(title: str, xlabel: str, ylabel: str, ax: Axes | None) -> Axes:
    """Axes (the given ones, or new ones) with words and without a frame.

    >>> plain_axes("a", "b", "c", None).get_ylabel()
    'c'
    """
    need_matplotlib()
    if ax is None:
        ax = new_axes(WIDTH, HEIGHT, Margins(0.8, 0.3, 0.4, 0.6))
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    ax.set_xlabel(literal(xlabel), fontsize=LETTER)
    ax.set_ylabel(literal(ylabel), fontsize=LETTER)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.tick_params(labelsize=LETTER, colors=DARK)
    ax.ticklabel_format(useOffset=False, scilimits=(-5, 9))  # 10000000 rather than 1.0 and 1e7 in a corner
    return ax


def label_axis(axis: object, words: Callable[[float], str]) -> None:
    """Write other words than numbers along an axis, and fewer of them, for they may be long."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(4))  # type: ignore[attr-defined]
    axis.set_major_formatter(FuncFormatter(lambda value, _: literal(words(value))))  # type: ignore[attr-defined]


def percentiles(
    values: Sequence[float],
    *,
    title: str,
    xlabel: str,
    mean: tuple[float, float, str] | None = None,
    words: Callable[[float], str] | None = None,
    steps: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How many percent lie up to each value, P(X <= x): values at equal distances from 0 to 100 percent.

    The quartiles are marked, and the mean: where it is, how many percent lie up to it, and words for it.

    `words` write the values along the axis. If values are places among levels, `steps` are the names of
    these, and the line goes in steps.

    >>> ax = percentiles([1.0, 2.0, 5.0], title="", xlabel="age")
    >>> [line.get_ydata().tolist() for line in ax.lines[-1:]]
    [[0.0, 50.0, 100.0]]
    """
    ax = plain_axes(title, xlabel, "percent of the rows with a value", ax)
    for quarter in (25, 50, 75):
        ax.axhline(quarter, color=FAINT, linewidth=0.8, zorder=0)
    if mean is not None:
        place, below, said = mean
        ax.plot([place], [below], "o", color=ORANGE, markersize=6, label=literal(said))
        ax.legend(loc="lower right", fontsize=LETTER, frameon=False)
    if len(values):
        percent = np.linspace(0, 100, len(values))
        quarters = [round(q * (len(values) - 1)) for q in (0.25, 0.5, 0.75)]
        style = "default" if steps is None else "steps-post"
        ax.plot([values[i] for i in quarters], percent[quarters], "o", color=BLUE, markersize=4)
        ax.plot(values, percent, color=BLUE, linewidth=1.8, drawstyle=style)
    if steps is not None:
        ax.set_xticks(range(len(steps)), list(steps))
    elif words is not None:
        label_axis(ax.xaxis, words)
    ax.set_ylim(0, 100)
    return ax


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
