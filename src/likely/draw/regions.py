"""Scores over a plane, ellipses and points -> which class wins where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.draw.axes import BLUE, DARK, LETTER, ORANGE, TITLE, Margins, literal, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = 3.6  # inches of the axes, either way
COLOURS = (BLUE, ORANGE, "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999", "#F0E442")
MARKS = "os^DvPX*"  # told apart by their form too


@dataclass(frozen=True)
class Ellipse:
    """An ellipse: where its centre is, its half axes, and by how much the first is turned, in radians."""

    x: float
    y: float
    first: float
    second: float
    angle: float

    @classmethod
    def one_sd(cls, mean: Any, covariance: Any) -> Ellipse:
        """One standard deviation around a mean (2,): tan 2 angle = 2 rho s1 s2 / (s1^2 - s2^2).

        >>> round_ = Ellipse.one_sd([0, 0], [[1, 0], [0, 1]])
        >>> round_.first, round_.second
        (1.0, 1.0)
        >>> Ellipse.one_sd([0, 0], [[2, 1], [1, 2]]).angle == np.pi / 4
        True
        """
        (a, b), (_, d) = np.asarray(covariance, np.float64)
        half, spread = (a + d) / 2, np.hypot((a - d) / 2, b)
        angle = np.arctan2(2 * b, a - d) / 2
        least = np.sqrt(max(half - spread, 0.0))
        return cls(float(mean[0]), float(mean[1]), float(np.sqrt(half + spread)), float(least), float(angle))


def regions(
    across: Sequence[float],
    up: Sequence[float],
    scores: NDArray[np.float64],
    labels: Sequence[str],
    *,
    ellipses: Sequence[Ellipse] = (),
    points: Sequence[tuple[Any, Any]] = (),
    title: str,
    xlabel: str,
    ylabel: str,
    ax: Axes | None = None,
) -> Axes:
    """The part of the plane where each class has the highest score, (up, across, g), in its colour.

    >>> scores = np.stack([np.zeros((3, 4)), np.tile([-1.0, -0.5, 0.5, 1.0], (3, 1))], axis=2)
    >>> ax = regions(range(4), range(3), scores, ["left", "right"], title="", xlabel="x", ylabel="y")
    >>> [words.get_text() for words in ax.get_legend().get_texts()]
    ['left', 'right']
    """
    from matplotlib.patches import Ellipse as Patch

    if ax is None:
        ax = new_axes(SIZE, SIZE, Margins(0.7, 0.2, 0.4, 0.6))
    for place, label in enumerate(labels):
        colour = COLOURS[place % len(COLOURS)]
        ahead = scores[:, :, place] - np.delete(scores, place, axis=2).max(axis=2, initial=-np.inf)
        ahead = np.clip(np.nan_to_num(ahead, posinf=1e9, neginf=-1e9), -1e9, 1e9)
        if (ahead > 0).any():
            ax.contourf(across, up, ahead, levels=[0.0, 2e9], colors=[colour], alpha=0.18)
        if (ahead > 0).any() and (ahead < 0).any():
            ax.contour(across, up, ahead, levels=[0.0], colors=[DARK], linewidths=1.2)
        xs, ys = points[place] if points else ((), ())
        mark = MARKS[place % len(MARKS)]
        ax.plot(xs, ys, linestyle="none", marker=mark, color=colour, markersize=3, alpha=0.7)
        ax.plot([], [], linestyle="none", marker="s", color=colour, label=literal(label))
    for place, one in enumerate(ellipses):
        colour = COLOURS[place % len(COLOURS)]
        turned = float(np.degrees(one.angle))
        shape = Patch(
            (one.x, one.y), 2 * one.first, 2 * one.second, angle=turned, fill=False, color=colour, linewidth=2
        )
        ax.add_patch(shape)
        ax.plot([one.x], [one.y], marker="+", color=colour, markersize=8)
    ax.set_xlim(across[0], across[-1])
    ax.set_ylim(up[0], up[-1])
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    ax.set_xlabel(literal(xlabel), fontsize=LETTER)
    ax.set_ylabel(literal(ylabel), fontsize=LETTER)
    ax.tick_params(labelsize=LETTER, colors=DARK)
    ax.legend(frameon=True, fontsize=LETTER)
    return ax
