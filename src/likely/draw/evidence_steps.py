"""What each value of a column says about a class, as a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from likely.draw.axes import LETTER, literal
from likely.draw.histogram import plain_axes
from likely.draw.roc import Line
from likely.format.svg import DARK, FAINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def evidence_steps(
    lines: Mapping[str, Line],
    *,
    title: str,
    ylabel: str,
    bars: tuple[Sequence[float], Sequence[float], Sequence[float]] | None = None,
    labels: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A curve for each class; `bars` are intervals (places, low, high), and `labels` are those of levels.

    >>> ax = evidence_steps({"yes": ([0, 1, 2], [-1.0, 0.5, 2.0])}, title="age", ylabel="evidence")
    >>> len(ax.lines)
    2
    """
    ax = plain_axes(title, title, ylabel, ax)
    ax.axhline(0.0, color=FAINT, linewidth=1)
    if bars is not None:
        ax.vlines(*bars, color=FAINT, linewidth=3)
    for name, (across, up) in lines.items():
        style = {"marker": "o", "linestyle": "none"} if labels is not None else {"linewidth": 1.6}
        ax.plot(across, up, label=literal(name), **style)
    if labels is not None:
        ax.set_xticks(range(len(labels)), [literal(label) for label in labels], fontsize=LETTER, color=DARK)
    if len(lines) > 1:
        ax.legend(frameon=False, fontsize=LETTER)
    return ax
