"""What columns add to a prediction: a panel a column, and squares of what two of them add together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.draw.axes import LETTER, TITLE, Margins, literal, need_matplotlib, new_axes, new_panels, room
from likely.draw.histogram import plain_axes
from likely.draw.picture import Panels
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL, PANEL_HEIGHT = 3.0, 2.3  # inches of a panel
ACROSS = 3  # panels side by side
MOST_NAMES = 12  # levels that are named along the axis
CELL = 0.75  # inches of a square


@dataclass(frozen=True)
class EffectPanel:
    """What one column adds: along its numbers, or level by level."""

    title: str
    at: Sequence[float] | None  # numbers, without that of missing cells; None if there are levels
    names: Sequence[str]  # of all values
    middle: Sequence[float]
    lower: Sequence[float]
    upper: Sequence[float]


def effect_panels(panels: Sequence[EffectPanel], ylabel: str, title: str) -> Panels:
    """A curve with a band for numbers, points with bars for levels; all at one height.

    >>> one = EffectPanel("sex", None, ["f", "m"], [0.5, -0.5], [0.2, -0.8], [0.8, -0.2])
    >>> [tick.get_text() for tick in effect_panels([one], "adds", "yes")[0].get_xticklabels()]
    ['f', 'm']
    """
    need_matplotlib()
    across = max(1, min(ACROSS, len(panels)))
    down = max(1, -(-len(panels) // across))
    axes = new_panels(PANEL * across, PANEL_HEIGHT * down + 0.4, down, across, sharey=True).ravel()
    for ax, panel in zip(axes, panels, strict=False):
        plain_axes(panel.title, "", ylabel if ax in axes[::across] else "", ax)
        ax.axhline(0, color=FAINT, linewidth=0.8)
        _draw(ax, panel)
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    axes[0].figure.suptitle(literal(title), fontsize=TITLE, x=0.02, ha="left")
    return Panels(axes[: max(1, len(panels))])


def _draw(ax: Axes, panel: EffectPanel) -> None:
    rest = 0 if panel.at is None else len(panel.at)
    if panel.at:
        ax.fill_between(panel.at, panel.lower[:rest], panel.upper[:rest], color=BLUE, alpha=0.25, linewidth=0)
        ax.plot(panel.at, panel.middle[:rest], color=BLUE, linewidth=1.4)
    places: Sequence[float] = range(len(panel.names))
    if panel.at is not None:  # missing cells stand beside the line
        step = (panel.at[-1] - panel.at[0]) / 10 if len(panel.at) > 1 else 1.0
        places = [*panel.at, *([panel.at[-1] + step if panel.at else 0.0] * (len(panel.names) - rest))]
    for i in range(rest, len(panel.names)):
        ax.plot([places[i]] * 2, [panel.lower[i], panel.upper[i]], color=DARK, linewidth=1)
        ax.plot([places[i]], [panel.middle[i]], color=ORANGE if panel.at is not None else BLUE, marker="o")
    if panel.at is None and len(panel.names) <= MOST_NAMES:
        turn = 0 if sum(map(len, panel.names)) < 24 else 45
        ax.set_xticks(
            list(places),
            [literal(n) for n in panel.names],
            rotation=turn,
            fontsize=LETTER,
            ha="right" if turn else "center",
        )


def heat(
    table: Sequence[Sequence[float]],
    down: Sequence[str],
    across: Sequence[str],
    *,
    title: str,
    ylabel: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """Squares from blue (below 0) over white to orange (above), each with its number.

    >>> ax = heat([[1.0, -0.5]], ["u"], ["w", "x"], title="", ylabel="a", xlabel="b")
    >>> [text.get_text() for text in ax.texts]
    ['1', '-0.5']
    """
    need_matplotlib()
    from matplotlib.colors import LinearSegmentedColormap

    if ax is None:
        left, below = (max(map(room, names)) for names in (down, across))
        margins = Margins(left + 0.5, 0.3, 0.4, 0.75 * below + 0.6)  # names below are turned by half a corner
        ax = new_axes(CELL * len(across), CELL * len(down) * 0.7, margins)
    numbers = np.asarray(table, np.float64)
    most = float(np.nanmax(np.abs(numbers), initial=0.0)) or 1.0
    shades = LinearSegmentedColormap.from_list("effect", [BLUE, "white", ORANGE])
    ax.imshow(numbers, cmap=shades, vmin=-most, vmax=most, aspect="auto")
    for (i, j), value in np.ndenumerate(numbers):
        ax.text(j, i, f"{value:.2g}", ha="center", va="center", fontsize=LETTER)
    ax.set_yticks(range(len(down)), [literal(name) for name in down], fontsize=LETTER)
    ax.set_xticks(
        range(len(across)), [literal(name) for name in across], fontsize=LETTER, rotation=45, ha="right"
    )
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    ax.set_ylabel(literal(ylabel), fontsize=LETTER)
    ax.set_xlabel(literal(xlabel), fontsize=LETTER)
    return ax
