"""Two classes as scales of points: the points of a row's values and the base rate add up to its log-odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likely import draw
from likely.errors import LikelyError
from likely.evidence.nomogram_axis import Axis
from likely.evidence.render import TOP, title
from likely.evidence.strength import first, shares, strongest
from likely.format import words
from likely.format.html_table import html_bar, html_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
