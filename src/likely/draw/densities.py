"""Densities in one picture, a belief that comes about, and beliefs in hypotheses step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw.axes import LETTER, TITLE, Margins, literal, need_matplotlib, new_axes, new_panels, room
from likely.draw.picture import Panels
from likely.draw.thin import thinned
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WIDTH, HEIGHT = 4.2, 2.6  # inches of the axes
# Told apart by lightness and dashes too, for the colour-blind and in grey print.
STYLES: tuple[dict[str, Any], ...] = (
    {"color": BLUE, "linestyle": "--"},
    {"color": DARK, "linestyle": "-", "linewidth": 1.0},
    {"color": ORANGE, "linestyle": "-", "linewidth": 2.0},
    {"color": BLUE, "linestyle": ":"},
)
FAINTEST = 0.25  # opacity of the first curve; the last has 1
PANEL, PANEL_HEIGHT = 2.6, 2.4  # inches of a panel
MOST_LABELS = 12  # hypotheses beyond this are not named


@dataclass(frozen=True)
class DensityCurve:
    """A density at some places of the line: what it is called, where, and how high it is.

    Without a colour of its own it gets one by its place.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str = ""


def densities(
    points: Sequence[float],
    curves: Sequence[DensityCurve],
    *,
    truth: DensityCurve | None = None,
    title: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """The values as marks on the line, the truth (if it is known) as a grey area, and a line for each curve.

    >>> two = [DensityCurve("flat", [0, 1], [1, 1]), DensityCurve("rising", [0, 1], [0, 2])]
    >>> ax = densities([0.2, 0.7], two, title="", xlabel="x")
    >>> [(line.get_label(), float(line.get_ydata()[1])) for line in ax.lines]
    [('flat', 1.0), ('rising', 2.0)]
    """
    if ax is None:
        ax = new_axes(WIDTH, HEIGHT, Margins(0.6, 0.2, 0.4, 0.6))
    if truth is not None:
        ax.fill_between(truth.x, truth.y, color=FAINT, alpha=0.4, linewidth=0, label=literal(truth.label))
    for place, curve in enumerate(curves):
        style = STYLES[place % len(STYLES)]
        if curve.colour:
            style = {"color": curve.colour}
        ax.plot(curve.x, curve.y, label=literal(curve.label), **style)
    highest = max((max(c.y) for c in [*curves, *([truth] if truth else [])]), default=1.0)
    ax.set_ylim(0, 1.05 * highest)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    # In units of the axes' height, so that no curve makes them longer or shorter.
    across = ax.get_xaxis_transform()
    marks = np.asarray(points, np.float64)
    marks = marks[thinned(marks, np.zeros(len(marks)))]
    ax.vlines(marks, 0, 0.04, transform=across, color="black", linewidth=1)
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    ax.set_xlabel(literal(xlabel), fontsize=LETTER)
    ax.set_ylabel("density", fontsize=LETTER)
    ax.tick_params(labelsize=LETTER, colors=DARK)
    ax.legend(frameon=False, fontsize=LETTER)
    return ax


@dataclass(frozen=True)
class Band:
    """A part of the line that stands out: from where to where, and what it is ("": said elsewhere)."""

    lower: float
    upper: float
    label: str = ""


def posteriors(
    curves: Sequence[DensityCurve],
    peaks: Sequence[float],
    *,
    band: Band | None = None,
    title: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """A line for each curve, the first the faintest; a dot at each peak, and the curve's label at it.

    The band, if there is one, is the area beneath the last curve from end to end.

    >>> two = [DensityCurve("0", [0, 1], [1, 1]), DensityCurve("1", [0, 1], [0, 2])]
    >>> ax = posteriors(two, [0.5, 1.0], title="", xlabel="theta")
    >>> [line.get_alpha() for line in ax.lines], [text.get_text() for text in ax.texts]
    ([0.25, 1.0], ['0', '1'])
    """
    if ax is None:
        ax = new_axes(WIDTH, HEIGHT, Margins(0.6, 0.3, 0.4, 0.6))
    strengths = np.linspace(FAINTEST, 1, len(curves)) if len(curves) > 1 else [1.0]
    highest = max((max(curve.y, default=0.0) for curve in curves), default=1.0) or 1.0
    for curve, peak, alpha in zip(curves, peaks, strengths, strict=True):
        ax.plot(curve.x, curve.y, color=BLUE, alpha=float(alpha), linewidth=1.4)
        if curve.label and curve.x:
            top = float(np.interp(peak, curve.x, curve.y))
            ax.scatter([peak], [top], s=9, color=BLUE, alpha=float(alpha))
            words: dict[str, Any] = {"fontsize": LETTER - 1.5, "color": DARK, "ha": _side(peak, curve.x)}
            ax.annotate(literal(curve.label), (peak, top), (0, 3), textcoords="offset points", **words)
    if band is not None:
        x, y = np.array(curves[-1].x), np.array(curves[-1].y)
        inside = (x >= band.lower) & (x <= band.upper)
        ax.fill_between(x[inside], y[inside], color=FAINT, alpha=0.4, linewidth=0, label=literal(band.label))
        if band.label:
            ax.legend(frameon=False, fontsize=LETTER)
    ax.set_ylim(0, 1.12 * highest)
    if curves and curves[0].x:
        ax.set_xlim(min(min(c.x) for c in curves), max(max(c.x) for c in curves))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    ax.set_xlabel(literal(xlabel), fontsize=LETTER)
    ax.set_ylabel("density", fontsize=LETTER)
    ax.tick_params(labelsize=LETTER, colors=DARK)
    return ax


def _side(peak: float, x: Sequence[float]) -> str:
    """On which side of a peak its label begins, so that it stays on the picture."""
    return "left" if peak <= x[0] else "right" if peak >= x[-1] else "center"


def evolution(names: Sequence[str], steps: Sequence[Sequence[float]], titles: Sequence[str]) -> Panels:
    """A panel for each step: the hypotheses from left to right, and how probable each is.

    >>> panels = evolution(["a", "b"], [[0.5, 0.5], [0.0, 1.0]], ["before", "after"])
    >>> [[float(bar.get_height()) for bar in ax.patches] for ax in panels]
    [[0.5, 0.5], [0.0, 1.0]]
    """
    need_matplotlib()
    named = len(names) <= MOST_LABELS
    upright = named and sum(room(name) + 0.1 for name in names) > PANEL
    below = max((room(name) for name in names), default=0.0) if upright else 0.0
    panels = Panels(new_panels(PANEL * len(steps) + 0.4, PANEL_HEIGHT + below, 1, len(steps), sharey=True)[0])
    highest = max((max(step, default=0.0) for step in steps), default=0.0) or 1.0
    places = np.arange(len(names))
    for at, (ax, step, title) in enumerate(zip(panels, steps, titles, strict=True)):
        if named:
            ax.bar(places, step, 0.7, color=BLUE)
        else:  # bars of so many would vanish, and take long to draw
            ax.vlines(places, 0, step, color=BLUE, linewidth=1)
        ax.set_ylim(0, 1.05 * highest)
        ax.set_xlim(-0.6, len(names) - 0.4)
        ax.set_xticks(places if named else [], [literal(name) for name in names] if named else [])
        ax.tick_params(labelsize=LETTER, colors=DARK)
        if upright:
            ax.tick_params(axis="x", labelrotation=90)
        ax.set_title(literal(title), fontsize=TITLE, loc="left")
        ax.set_xlabel("hypotheses" if named else f"{len(names)} hypotheses", fontsize=LETTER)
        if at == 0:
            ax.set_ylabel("probability", fontsize=LETTER)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    return panels
