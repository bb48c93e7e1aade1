"""A labelled row for each amount: horizontal bars, and waterfalls that end in the sum of all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.draw.axes import (
    LETTER,
    TITLE,
    Margins,
    literal,
    need_matplotlib,
    new_axes,
    room,
    width_of,
    wrapped,
)
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

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


def bars(
    labels: Sequence[str],
    amounts: Sequence[float],
    words: Sequence[str],
    *,
    title: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """A bar for each amount, from the top down; infinite ones are arrows to the edge.

    >>> ax = bars(["a", "b"], [2.0, 1.0], ["2.0", "1.0"], title="", xlabel="evidence")
    >>> [float(bar.get_width()) for bar in ax.patches]
    [2.0, 1.0]
    """
    ax = row_axes(labels, title, xlabel, ax)
    longest_bar = max((amount for amount in amounts if math.isfinite(amount)), default=0.0) or 1.0
    longest_words = max((room(word) for word in words), default=0.0)
    lowest_bar = min((amount for amount in amounts if amount < 0 and math.isfinite(amount)), default=0.0)
    pad = (longest_words + 0.15) / width_of(ax)  # as a share of the axes, so that the words fit too
    reach = (longest_bar - lowest_bar) / max(1 - pad * (1 + (lowest_bar < 0)), 0.3)
    ax.set_xlim(lowest_bar - pad * reach if lowest_bar < 0 else 0, longest_bar + pad * reach)
    for y, (amount, word) in enumerate(zip(amounts, words, strict=True)):
        draw_bar(ax, y, 0.0, amount, ORANGE if amount < 0 else BLUE, word)
    return ax


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
