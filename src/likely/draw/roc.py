"""How good scores are: a picture in ROC space, or in coverage space; and the reliability diagram."""

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
LARGEST = 60.0  # points squared, the mark of the heaviest bin


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


def reliability(
    means: Sequence[float],
    shares: Sequence[float],
    bars: tuple[Sequence[float], Sequence[float]],
    weights: Sequence[float],
    *,
    title: str,
    ax: Axes | None = None,
) -> Axes:
    """A point for each bin, as large as its weight, over the diagonal and its consistency bar.

    >>> ax = reliability([0.2, 0.8], [0.3, 0.7], ([0.1, 0.6], [0.3, 0.9]), [5.0, 5.0], title="P(rain)")
    >>> ax.collections[-1].get_offsets().tolist()
    [[0.2, 0.3], [0.8, 0.7]]
    """
    need_matplotlib()
    ax = new_axes(SIDE, SIDE, Margins(0.7, 0.3, 0.4, 0.6)) if ax is None else ax
    ax = plain_axes(title, "predicted: mean probability", "observed: share of rows", ax)
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1)
    ax.vlines(means, *bars, color=ORANGE, linewidth=4, alpha=0.5, label="consistency bar")
    ax.plot(means, shares, color=BLUE, linewidth=1)
    heaviest = max(weights, default=1.0)
    sizes = [max(LARGEST * weight / heaviest, 8.0) for weight in weights]
    ax.scatter(means, shares, s=sizes, color=BLUE, zorder=3, label="bin")
    ax.legend(frameon=False, loc="upper left")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    return ax
