"""Which class wins where: over a plane, with ellipses and points; or along a line, by shares."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.draw.axes import LETTER, TITLE, Margins, literal, new_axes
from likely.draw.histogram import plain_axes
from likely.draw.thin import MOST, thinned
from likely.format.svg import BLUE, DARK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SIZE = 3.6  # inches of the axes, either way
COLOURS = (BLUE, ORANGE, "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999", "#F0E442")
MARKS = "os^DvPX*"  # told apart by their form too
FULL = 0.8  # a bar's width, in distances between the nearest two rows


def regions(
    across: Sequence[float],
    up: Sequence[float],
    scores: NDArray[np.float64],
    labels: Sequence[str],
    *,
    ellipses: Sequence[Any] = (),
    points: Sequence[tuple[Any, Any]] = (),
    title: str,
    xlabel: str,
    ylabel: str,
    ax: Axes | None = None,
) -> Axes:
    """The part of the plane where each class has the highest score, (up, across, g), in its colour.

    Of very many points some are drawn, fewer where they are dense, and the picture says so. An ellipse has
    its centre x, y, its half axes first, second, and the angle of the first in radians.

    >>> scores = np.stack([np.zeros((3, 4)), np.tile([-1.0, -0.5, 0.5, 1.0], (3, 1))], axis=2)
    >>> ax = regions(range(4), range(3), scores, ["left", "right"], title="", xlabel="x", ylabel="y")
    >>> [words.get_text() for words in ax.get_legend().get_texts()]
    ['left', 'right']
    """
    from matplotlib.patches import Ellipse

    if ax is None:
        ax = new_axes(SIZE, SIZE, Margins(0.7, 0.2, 0.4, 0.6))
    rows = drawn = 0
    for place, label in enumerate(labels):
        colour = COLOURS[place % len(COLOURS)]
        ahead = scores[:, :, place] - np.delete(scores, place, axis=2).max(axis=2, initial=-np.inf)
        ahead = np.clip(np.nan_to_num(ahead, posinf=1e9, neginf=-1e9), -1e9, 1e9)
        if (ahead > 0).any():
            ax.contourf(across, up, ahead, levels=[0.0, 2e9], colors=[colour], alpha=0.18)
        if (ahead > 0).any() and (ahead < 0).any():
            ax.contour(across, up, ahead, levels=[0.0], colors=[DARK], linewidths=1.2)
        xs, ys = points[place] if points else ((), ())
        few = thinned(xs, ys, MOST // len(labels))
        rows, drawn = rows + len(xs), drawn + len(few)
        xs, ys = np.asarray(xs)[few], np.asarray(ys)[few]
        mark = MARKS[place % len(MARKS)]
        ax.plot(xs, ys, linestyle="none", marker=mark, color=colour, markersize=3, alpha=0.7)
        ax.plot([], [], linestyle="none", marker="s", color=colour, label=literal(label))
    for place, one in enumerate(ellipses):
        colour = COLOURS[place % len(COLOURS)]
        turned = float(np.degrees(one.angle))
        shape = Ellipse(
            (one.x, one.y), 2 * one.first, 2 * one.second, angle=turned, fill=False, color=colour, linewidth=2
        )
        ax.add_patch(shape)
        ax.plot([one.x], [one.y], marker="+", color=colour, markersize=8)
    ax.set_xlim(across[0], across[-1])
    ax.set_ylim(up[0], up[-1])
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    few_said = f"\n{drawn} of {rows} rows drawn, fewer where they are dense" if drawn < rows else ""
    ax.set_xlabel(literal(xlabel) + few_said, fontsize=LETTER)
    ax.set_ylabel(literal(ylabel), fontsize=LETTER)
    ax.tick_params(labelsize=LETTER, colors=DARK)
    ax.legend(frameon=True, fontsize=LETTER)
    return ax


def shares(
    x: Sequence[float],
    parts: Sequence[Sequence[float]],
    labels: Sequence[str],
    *,
    title: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """A bar of height 1 at each x; `parts` has the share of every group in every row, group after group.

    >>> ax = shares([0.0, 2.0], [[0.9, 0.2], [0.1, 0.8]], ["low", "high"], title="", xlabel="x")
    >>> [round(float(bar.get_height()), 1) for bar in ax.patches]
    [0.9, 0.2, 0.1, 0.8]
    """
    ax = plain_axes(title, xlabel, "share", ax)
    places = sorted(set(x))
    gaps = [after - before for before, after in pairwise(places)]
    below = [0.0] * len(x)
    for number, (part, label) in enumerate(zip(parts, labels, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        ax.bar(x, part, FULL * min(gaps, default=1.0), below, color=colour, label=literal(label))
        below = [low + more for low, more in zip(below, part, strict=True)]
    ax.set_ylim(0, 1)
    ax.legend(frameon=False, fontsize=LETTER, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(labels))
    return ax
