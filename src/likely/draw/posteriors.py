"""Curves of one quantity, from faint to dark: how a belief comes about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw.axes import LETTER, TITLE, Margins, literal, new_axes
from likely.draw.densities import HEIGHT, WIDTH, DensityCurve
from likely.format.colours import BLUE, DARK, FAINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FAINTEST = 0.25  # opacity of the first curve; the last has 1


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
