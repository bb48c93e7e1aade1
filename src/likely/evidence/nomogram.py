"""Two classes as scales of points: the points of a row's values and the base rate add up to its log-odds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely import draw
from likely.draw import Mark, nice_values
from likely.errors import LikelyError
from likely.evidence.render import TOP, first, shares, strongest, title
from likely.format import words
from likely.format.html_table import html_bar, html_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LevelAxis:
    """A feature of levels, and the log-odds that each adds.

    >>> axis = LevelAxis("sex", ("male", "female"), np.array([-0.5, 1.0]))
    >>> axis.evidence("female"), axis.evidence("other"), axis.evidence(None)
    (1.0, 0.0, 0.0)
    """

    name: str
    levels: tuple[Any, ...]  # (k,); None: missing, where it is a level of its own
    log_odds: Floats  # (k,)

    def __post_init__(self) -> None:
        if len(self.levels) != len(self.log_odds):
            raise LikelyError(
                f"'{self.name}' has {len(self.levels)} levels and {len(self.log_odds)} points: one point each"
            )

    def evidence(self, value: object) -> float:
        """The log-odds that a value adds; a value never seen, or a missing one, adds none."""
        value = None if _is_missing(value) else value
        matches = (p for level, p in zip(self.levels, self.log_odds, strict=True) if _same(level, value))
        return float(next(matches, 0.0))

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most points that the feature can add."""
        return _ends(self.log_odds)

    def lines(self) -> list[tuple[str, float]]:
        """Each level and its points."""
        labels = ["missing" if level is None else words.shown(level) for level in self.levels]
        return list(zip(labels, self.log_odds.tolist(), strict=True))

    def marks(self) -> tuple[Mark, ...]:
        """A mark for each level, from the least to the most points; none where these are undefined."""
        known = [line for line in self.lines() if not math.isnan(line[1])]
        return tuple(Mark(*line) for line in sorted(known, key=lambda line: line[1]))


@dataclass(frozen=True, eq=False)
class CurveAxis:
    """A feature of numbers, and the log-odds along a grid of them; between two, a straight line.

    >>> axis = CurveAxis("age", np.array([0.0, 10.0, 80.0]), np.array([1.0, 0.0, -0.7]))
    >>> axis.evidence(5), axis.evidence(90), axis.evidence(float("nan"))
    (0.5, -0.7, 0.0)
    """

    name: str
    values: Floats  # (m,), rising; a value beyond the ends has the points of the end
    log_odds: Floats  # (m,)
    written: Callable[[float], str] | None = None  # how its numbers are: dates as dates
    whole: bool = False  # whether they are whole numbers

    def __post_init__(self) -> None:
        rising = len(self.values) > 0 and bool(np.all(np.diff(self.values) > 0))
        if self.values.shape != self.log_odds.shape or not rising:
            raise LikelyError(f"the curve of '{self.name}' needs rising values and as many points")

    def evidence(self, value: object) -> float:
        """The log-odds that a number adds; a missing one adds none."""
        if _is_missing(value):
            return 0.0
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise LikelyError(f"column '{self.name}' holds {value!r}: give a number, or None") from None
        return float(np.interp(number, self.values, self.log_odds))

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most points that the feature can add."""
        return _ends(self.log_odds)

    def lines(self) -> list[tuple[str, float]]:
        """Round numbers along the curve, and its ends, with their points."""
        return [self._line(value) for value in self._values(8)]

    def marks(self) -> tuple[Mark, ...]:
        """The lines as marks, and more between them if there is room; ends first, then the roundest.

        Where the curve turns back, the words of its marks change to the other side.
        """
        plain, fine = self._values(8), self._values(40)
        lines = {value: self._line(value) for value in sorted({*plain, *fine})}
        moves = [(b > a) - (b < a) for (_, a), (_, b) in pairwise(lines.values())]
        forth = next((move for move in moves if move), 1)
        sides = dict(zip(lines, (-1 if move == -forth else 1 for move in (forth, *moves)), strict=True))
        ranked = dict.fromkeys([plain[0], plain[-1], *plain, *fine])
        return tuple(
            Mark(*lines[value], (sides[value],), needed=value in plain)
            for value in ranked
            if not math.isnan(lines[value][1])
        )

    def _line(self, value: float) -> tuple[str, float]:
        if self.written is not None:
            return self.written(value), self.evidence(value)
        return f"{value:.3g}" if abs(value) < 1000 else words.shown(value), self.evidence(value)

    def _values(self, about: int) -> list[float]:
        low, high = float(self.values[0]), float(self.values[-1])
        between = [value for value in nice_values(low, high, about) if not self.whole or value.is_integer()]
        return sorted({low, *between, high})


Axis = LevelAxis | CurveAxis


def _ends(log_odds: Floats) -> tuple[float, float]:
    known = log_odds[~np.isnan(log_odds)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and math.isnan(value))


def _same(level: object, value: object) -> bool:
    return level is value or bool(level == value)


@dataclass(frozen=True, eq=False)
class Nomogram:
    """The points of every level of every feature, and of round values along a curve; widest range first.

    >>> import numpy as np
    >>> from likely.evidence import LevelAxis
    >>> sex = LevelAxis("sex", ("male", "female"), np.array([-0.92, 1.02]))
    >>> Nomogram(("yes", "no"), -0.74, (sex,))
    yes against no: the base rate and a line of each feature add up to the log-odds
    <BLANKLINE>
    base rate        -0.74    ▐███████│
    sex: range 1.94
      male           -0.92   █████████│
      female         +1.02            │██████████
    """

    classes: tuple[Any, Any]  # the class that points speak for, and the one against; None: all others
    base: float  # log-odds of the base rate
    axes: tuple[Axis, ...]

    def score(self, values: Mapping[str, object]) -> float:
        """The log-odds of a row; what is not given, missing or never seen adds nothing.

        >>> import numpy as np
        >>> from likely.evidence import LevelAxis
        >>> sex = LevelAxis("sex", ("male", "female"), np.array([-1.0, 1.0]))
        >>> nomogram = Nomogram(("yes", "no"), -0.5, (sex,))
        >>> nomogram.score({"sex": "female"}), nomogram.score({})
        (0.5, -0.5)
        """
        axes = {axis.name: axis for axis in self.axes}
        for name in values:
            if name not in axes:
                raise LikelyError(
                    f"there is no feature {name!r}: the nomogram has {', '.join(map(repr, axes))}"
                )
        return self.base + sum(axes[name].evidence(value) for name, value in values.items())

    def text(self, *, bits: bool = False, top: int | None = None) -> str:
        """A table in plain text; with `top`, only so many of the strongest lines of each feature.

        >>> import numpy as np
        >>> from likely.evidence import CurveAxis
        >>> age = CurveAxis("age", np.array([0.0, 20.0, 80.0]), np.array([1.0, -1.0, 0.0]))
        >>> print(Nomogram(("yes", "no"), 0.0, (age,)).text(top=2))
        yes against no: the base rate and a line of each feature add up to the log-odds
        <BLANKLINE>
        base rate         0.00            │
        age: range 2.00
          0              +1.00            │██████████
          20             -1.00  ██████████│
          and 7 others
        """
        unit = words.LOG_2 if bits else 1.0
        return "\n".join([self._head(bits), "", words.table(self._cells(words.bar, unit, top), "<><")])

    def _head(self, bits: bool = False) -> str:
        head = f"{title(*self.classes)}: the base rate and a line of each feature add up to the log-odds"
        return head + (" (bits)" if bits else "")

    def _cells(self, bar: Callable[[float], str], unit: float, top: int | None) -> list[list[str]]:
        """A name, its points and a bar in every row; a feature's own row has its name alone."""
        rows: list[tuple[str, float | None]] = [("base rate", self.base)]
        for axis in self._widest_first():
            lines = axis.lines()
            kept = sorted(first(top, strongest([points for _, points in lines])))
            rows.append((f"{words.shown(axis.name)}: range {_range(axis) / unit:.2f}", None))
            rows += [(f"  {lines[i][0]}", lines[i][1]) for i in kept]
            if len(kept) < len(lines):
                rows.append((f"  and {words.many(len(lines) - len(kept), 'other')}", None))
        lengths = iter(shares([points for _, points in rows if points is not None]))
        return [
            [name, "", ""] if points is None else [name, words.signed(points / unit), bar(next(lengths))]
            for name, points in rows
        ]

    def __str__(self) -> str:
        return self.text(top=TOP)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._head(), (), self._cells(html_bar, 1.0, TOP), (), "<><")

    def plot(self, ax: Axes | None = None, *, top: int | None = TOP) -> Axes:
        """A scale of points for each feature, widest first; below, the total and its probability.

        >>> import numpy as np
        >>> from likely.evidence import LevelAxis
        >>> sex = LevelAxis("sex", ("male", "female"), np.array([-1.0, 1.0]))
        >>> ax = Nomogram(("yes", "no"), -0.5, (sex,)).plot()
        >>> [label.get_text() for label in ax.get_yticklabels()]
        ['base rate', 'sex', 'total', 'P(yes)']
        """
        favoured = words.shown(self.classes[0])
        axes = self._widest_first()
        kept = first(top, list(range(len(axes))))
        xlabel = f"points for {favoured} (nats of log-odds): add them to the base rate"
        if len(kept) < len(axes):
            xlabel += f", and to those of {words.many(len(axes) - len(kept), 'other feature')}"
        return draw.nomogram(
            [draw.Scale(words.shown(axes[i].name), *axes[i].ends, axes[i].marks()) for i in kept],
            self.base,
            title=title(*self.classes),
            xlabel=xlabel,
            outcome=f"P({favoured})",
            ax=ax,
        )

    def _widest_first(self) -> list[Axis]:
        return [self.axes[i] for i in strongest([_range(axis) for axis in self.axes])]


def _range(axis: Axis) -> float:
    low, high = axis.ends
    return high - low if low < high else 0.0  # two equal infinities would give NaN
