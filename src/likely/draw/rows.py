"""Axes with a labelled row for each bar, and the bar itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from likely.draw.axes import LETTER, TITLE, Margins, literal, need_matplotlib, new_axes, room, wrapped
from likely.format.svg import DARK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 5.5  # inches of the axes


def row_axes(labels: Sequence[str], title: str, xlabel: str, ax: Axes | None) -> Axes:
    """Axes (the given ones, or new ones that are large enough) with a row for each label, from the top down.

    >>> [float(y) for y in row_axes(["a", "b"], "title", "amount", None).get_ylim()]
    [1.6, -0.6]
    """
    need_matplotlib()
    left = max((room(label) for label in labels), default=0.0) + 0.2
    if ax is None:
        title, xlabel = wrapped(title, WIDTH, TITLE), wrapped(xlabel, WIDTH)
        top, bottom = 0.2 * (title.count("\n") + 2), 0.4 + 0.16 * (xlabel.count("\n") + 1)
        ax = new_axes(WIDTH, 0.3 * max(len(labels), 1) + 0.1, Margins(left, 0.2, top, bottom))
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.set_yticks(range(len(labels)), [literal(label) for label in labels])
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    ax.set_xlabel(literal(xlabel), fontsize=LETTER)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.tick_params(axis="y", length=0, labelsize=LETTER)
    ax.tick_params(axis="x", labelsize=LETTER, colors=DARK)
    return ax


def draw_bar(ax: Axes, y: float, start: float, amount: float, colour: str, words: str) -> None:
    """A bar with words at its end, within the limits of x, which must be set before.

    An infinite amount becomes an arrow to the edge, and NaN only its words.
    """
    low, high = ax.get_xlim()
    gap = 0.008 * (high - low)
    at, side, ink = start, 1, "black"
    if math.isinf(amount):
        side = 1 if amount > 0 else -1
        edge = (high if amount > 0 else low) - 5 * side * gap
        ax.barh(y, edge - start, left=start, height=0.62, color=colour)
        ax.plot([edge + 2 * side * gap], [y], marker=">" if amount > 0 else "<", markersize=15, color=colour)
        ink = "black" if colour == ORANGE else "white"  # the words go inside: beyond the arrow is no room
    elif not math.isnan(amount):
        ax.barh(y, amount, left=start, height=0.62, color=colour)
        at, side = start + amount, -1 if amount < 0 else 1
    towards = "left" if side > 0 else "right"
    ax.text(at + side * gap, y, literal(words), ha=towards, va="center", fontsize=LETTER, color=ink)
