"""Scales of points -> a nomogram: read the points of each scale, add them up, read the probability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
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
from likely.format.svg import BLUE, DARK, FAINT
from likely.format.words import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, LANE, SMALL = 6.0, 0.16, 8.0  # inches of the axes, inches of a line of labels, points of a label
CERTAIN = 9.5  # log-odds; probabilities beyond it would only crowd the others


@dataclass(frozen=True)
class Mark:
    """A labelled place on a scale."""

    label: str
    position: float
    lanes: tuple[int, ...] = (1, -1, 2, -2, 3, -3)  # places for its words: above +, below -, best first
    needed: bool = True  # False: without room for its words it is left out


def nice_values(low: float, high: float, about: int = 8) -> list[float]:
    """Round numbers from low to high, about so many.

    >>> nice_values(0.4, 79.6), nice_values(-0.13, 0.12)
    ([10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0], [-0.1, -0.05, 0.0, 0.05, 0.1])
    """
    if not low < high:
        return [low]
    power = math.floor(math.log10((high - low) / about))
    steps = [(round_number, p) for p in (power, power + 1) for round_number in (1, 2, 5)]
    step, p = next((m, p) for m, p in steps if (high - low) / (m * 10.0**p) <= about + 1e-9)
    # The ends count although 0.6 / 0.1 is not quite 6; and multiples are 3 / 10 rather than 3 * 0.1.
    unit = step * 10.0**p
    whole = range(math.ceil(low / unit - 1e-9), math.floor(high / unit + 1e-9) + 1)
    return [float(k * step * 10**p) if p >= 0 else k * step / 10**-p for k in whole]


def stagger(marks: Sequence[Mark], centres: Sequence[float], widths: Sequence[float]) -> list[int]:
    """The lane of each label, in the order given: the first of its lanes with room left, or 0 for none.

    >>> marks = [Mark("a", 0.0), Mark("b", 0.5), Mark("c", 0.9), Mark("d", 2.0)]
    >>> stagger(marks, [mark.position for mark in marks], [1.0] * 4)
    [1, -1, 2, 1]
    """
    taken: dict[int, list[tuple[float, float]]] = {}
    chosen = []
    for mark, centre, width in zip(marks, centres, widths, strict=True):
        left, right = centre - width / 2, centre + width / 2
        free = (lane for lane in mark.lanes if all(right <= a or b <= left for a, b in taken.get(lane, [])))
        lane = next(free, 0)
        taken.setdefault(lane, []).append((left, right))
        chosen.append(lane)
    return chosen


@dataclass(frozen=True)
class Scale:
    """A row of the nomogram: a line from low to high with marks on it."""

    label: str
    low: float
    high: float
    marks: tuple[Mark, ...]

    def finite(self) -> list[float]:
        """The ends and marks, as far as they are finite, and the zero of a value that is not known."""
        places = (self.low, self.high, 0.0, *(mark.position for mark in self.marks))
        return [place for place in places if math.isfinite(place)]


def nomogram(
    scales: Sequence[Scale],
    base: float,
    *,
    title: str,
    xlabel: str,
    outcome: str,
    ax: Axes | None = None,
) -> Axes:
    """A scale per feature over a common axis of points; below, the sum's own axis and its probability.

    Infinite marks stand at the edge, with an arrow. Labels that find no room are left out, their ticks stay.

    >>> scale = Scale("sex", -1.0, 1.0, (Mark("male", -1.0), Mark("female", 1.0)))
    >>> ax = nomogram([scale], -0.5, title="", xlabel="points", outcome="P(yes)")
    >>> [text.get_position()[0] for text in ax.texts if text.get_text() == "female"]
    [1.0]
    """
    need_matplotlib()
    start = Scale("base rate", base, base, () if math.isnan(base) else (Mark(signed(base), base),))
    places = [place for scale in (start, *scales) for place in scale.finite()]
    low, high = min(places), max(places)
    low, high = (low, high) if low < high else (-1.0, 1.0)
    rows = [start, *scales, *_sums(scales, base, low, high, outcome)]
    page = _Page(low, high, WIDTH if ax is None else width_of(ax))
    placed = [page.place(scale.marks) for scale in rows]
    above = [max([0, *(label.lane for label in labels)]) + 0.5 for labels in placed]  # in lanes
    below = [0.5 - min([0, *(label.lane for label in labels)]) for labels in placed]
    height = sum(above) + sum(below)
    if ax is None:
        left = max(room(scale.label) for scale in rows) + 0.2
        title, xlabel = wrapped(title, WIDTH, TITLE), wrapped(xlabel, WIDTH)
        top = 0.85 + 0.2 * title.count("\n") + 0.16 * xlabel.count("\n")
        ax = new_axes(WIDTH, LANE * height, Margins(left, 0.2, top, 0.1))
    ax.set_xlim(*page.limits)
    ax.set_ylim(-height, 0)
    lines = [-(over + under) for over, under in zip(accumulate(above), accumulate([0, *below]), strict=False)]
    for scale, labels, y in zip(rows, placed, lines, strict=True):
        ax.plot([page.inside(scale.low), page.inside(scale.high)], [y, y], color=DARK, linewidth=1)
        for label in labels:
            _draw_label(ax, label, y)
    ax.axhline(lines[-3] - below[-3], color=FAINT, linewidth=0.8, linestyle=":")
    ax.set_yticks(lines, [literal(scale.label) for scale in rows])
    _dress(ax, title, xlabel)
    return ax


@dataclass(frozen=True)
class _Label:
    """A mark with the place of its tick and of its words."""

    mark: Mark
    tick: float
    centre: float  # of the words, which stay on the page
    lane: int  # of the words; 0: left out


@dataclass(frozen=True)
class _Page:
    """The points from the left end to the right, on so many inches."""

    low: float
    high: float
    inches: float

    @property
    def limits(self) -> tuple[float, float]:
        margin = 0.06 * (self.high - self.low)
        return self.low - margin, self.high + margin

    def inside(self, x: float) -> float:
        return min(max(x, self.low), self.high)

    def place(self, marks: Sequence[Mark]) -> list[_Label]:
        left, right = self.limits
        widths = [(room(mark.label, SMALL) + 0.08) * (right - left) / self.inches for mark in marks]
        ticks = [self.inside(mark.position) for mark in marks]
        centres = [max(min(x, right - w / 2), left + w / 2) for x, w in zip(ticks, widths, strict=True)]
        labels = map(_Label, marks, ticks, centres, stagger(marks, centres, widths))
        return [label for label in labels if label.lane or label.mark.needed]


def _sums(scales: Sequence[Scale], base: float, low: float, high: float, outcome: str) -> list[Scale]:
    """The axes of the total and of its probability, spread over the whole width."""
    least = base + sum(min(scale.finite()) for scale in scales) if math.isfinite(base) else -CERTAIN
    most = base + sum(max(scale.finite()) for scale in scales) if math.isfinite(base) else CERTAIN
    if min(most, CERTAIN) - max(least, -CERTAIN) >= 1:
        least, most = max(least, -CERTAIN), min(most, CERTAIN)
    elif most - least < 1:
        least, most = least - 1, most + 1

    def at(log_odds: float) -> float:
        return low + (log_odds - least) / (most - least) * (high - low)

    total = [Mark(f"{value:g}", at(value), (1,)) for value in nice_values(least, most, 12)]
    # By rank, so that the plainest probabilities have their labels first where room is scarce.
    ranked = [0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6, 0.05, 0.95]
    logits = {p: math.log(p / (1 - p)) for p in (*ranked, 0.0001, 0.9999)}
    chances = [Mark(f"{p:g}", at(value), (-1,)) for p, value in logits.items() if least <= value <= most]
    return [Scale("total", low, high, tuple(total)), Scale(outcome, low, high, tuple(chances))]


def _draw_label(ax: Axes, label: _Label, y: float) -> None:
    if math.isinf(label.mark.position):
        ax.plot([label.tick], [y], marker=">" if label.mark.position > 0 else "<", color=BLUE, markersize=8)
    side = 1 if label.lane >= 0 else -1
    length = max(abs(label.lane) - 0.75, 0.25)  # as far as the words, which cover ticks that pass behind them
    ax.plot([label.tick] * 2, [y, y + side * length], color=BLUE, linewidth=1, zorder=1)
    if label.lane:
        ax.text(
            label.centre,
            y + side * (abs(label.lane) - 0.25),
            literal(label.mark.label),
            ha="center",
            va="center",
            fontsize=SMALL,
            zorder=3,
            bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.3},
        )


def _dress(ax: Axes, title: str, xlabel: str) -> None:
    ax.set_title(literal(title), fontsize=TITLE, loc="left")
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.set_xlabel(literal(xlabel), fontsize=LETTER)
    ax.tick_params(axis="x", labelsize=SMALL, colors=DARK)
    ax.tick_params(axis="y", length=0, labelsize=LETTER)
    ax.grid(axis="x", color=FAINT, linewidth=0.5, alpha=0.6)
    ax.set_axisbelow(True)
    for side in ("bottom", "right", "left"):
        ax.spines[side].set_visible(False)
