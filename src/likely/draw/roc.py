"""Points of a curve -> a picture in ROC space, or in coverage space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from likely.draw.axes import LETTER, Margins, need_matplotlib, new_axes
from likely.draw.histogram import plain_axes
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE = 3.6  # inches of the axes
Line = tuple[Sequence[float], Sequence[float]]  # places across, and up


def roc(
    across: Sequence[float],
    up: Sequence[float],
    *,
    hull: Line | None = None,
    isometrics: Sequence[Line] = (),
    best: tuple[Line, tuple[float, float], str] | None = None,
    title: str,
    counts: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """The curve, its hull dashed, and the diagonal of chance; with `counts` the axes are numbers of rows.

    `isometrics` are lines whose points are equally good; `best` is the one through the best point of the
    curve, that point, and what the lines are of.

    >>> ax = roc([0.0, 0.0, 1.0], [0.0, 0.5, 1.0], hull=([0.0, 1.0], [0.0, 1.0]), title="spam")
    >>> [line.get_label() for line in ax.lines]
    ['chance', 'curve', 'hull']
    """
    need_matplotlib()
    ax = new_axes(SIDE, SIDE, Margins(0.7, 0.3, 0.4, 0.6)) if ax is None else ax
    what = "positives" if counts else "positive rate"
    ax = plain_axes(title, f"false {what}", f"true {what}", ax)
    for line in isometrics:
        ax.plot(*line, color=FAINT, linewidth=0.8, linestyle=":")
    ax.plot([across[0], across[-1]], [up[0], up[-1]], color=FAINT, linewidth=1, label="chance")
    ax.plot(across, up, color=BLUE, linewidth=1.8, label="curve")
    if hull is not None:
        ax.plot(*hull, color=ORANGE, linewidth=1.2, linestyle="--", label="hull")
    if best is not None:
        line, point, words = best
        ax.plot(*line, color=DARK, linewidth=1, linestyle="-.", label=words)
        ax.plot(*point, color=DARK, marker="o", markersize=6, linestyle="none", label="best")
    ax.legend(frameon=False, loc="lower right", fontsize=LETTER)
    return ax
