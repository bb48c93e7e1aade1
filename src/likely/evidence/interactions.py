"""What pairs of columns say only together, strongest first: data first, a picture second."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.draw.effects import heat
from likely.errors import LikelyError
from likely.format import words
from likely.format.html_table import html_table
from likely.table.build import to_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Interaction:
    """What two columns add together, beyond what each adds alone, by the ranges or levels of both."""

    names: tuple[str, str]
    values: tuple[tuple[str, ...], tuple[str, ...]]  # in words, (a,) and (b,)
    effect: Floats  # (a, b)
    rows: Floats  # (a, b)
    share: float  # of the variance of all that columns say only together

    @property
    def strength(self) -> float:
        """The root of the mean squared effect over the rows."""
        return float(np.sqrt((self.rows * self.effect**2).sum() / max(float(self.rows.sum()), 1.0)))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Squares from blue (less) to orange (more), with their numbers."""
        title = f"{words.shown(self.names[0])} and {words.shown(self.names[1])}"
        return heat(
            self.effect.tolist(), *self.values, title=title, ylabel=self.names[0], xlabel=self.names[1], ax=ax
        )


@dataclass(frozen=True, eq=False)
class Interactions:
    """The strongest pairs; prints itself.

    >>> one = Interaction(("a", "b"), (("u", "v"), ("w",)), np.array([[1.0], [-1.0]]), np.ones((2, 1)), 0.25)
    >>> Interactions("yes against no", "log-odds", 0.1, (one,))
    what columns say only together (log-odds), yes against no: 10 % of the variance
    <BLANKLINE>
    columns  strength  share
    a, b            1   25 %
    """

    of: str  # what is added to, in words
    unit: str
    together: float  # the share of the variance of what is said that single columns do not tell
    pairs: tuple[Interaction, ...]
    library: str = "numpy"

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.pairs)

    def __iter__(self) -> Iterator[Interaction]:
        return iter(self.pairs)

    def __getitem__(self, place: int | tuple[str, str]) -> Interaction:
        """The pair at a place, strongest first; or of these two columns."""
        if isinstance(place, int):
            return self.pairs[place]
        for pair in self.pairs:
            if set(pair.names) == set(place):
                return pair
        raise LikelyError(f"{place[0]!r} and {place[1]!r} are not among the {len(self)} strongest pairs.")

    def to_frame(self) -> Any:
        """One line for each pair of columns and of values."""
        every = [(p, i, j) for p in self.pairs for i, j in np.ndindex(*p.effect.shape)]
        return to_table(
            {
                "first": np.array([p.names[0] for p, _, _ in every], object),
                "second": np.array([p.names[1] for p, _, _ in every], object),
                "first value": np.array([p.values[0][i] for p, i, _ in every], object),
                "second value": np.array([p.values[1][j] for p, _, j in every], object),
                "adds": np.array([float(p.effect[i, j]) for p, i, j in every]),
                "rows": np.array([float(p.rows[i, j]) for p, i, j in every]),
            },
            self.library,
        )

    def _lines(self) -> tuple[str, list[list[str]], list[str]]:
        """The title, the head and the lines of the table, and what stands below."""
        lines = [["columns", "strength", "share"]]
        lines += [
            [", ".join(map(words.shown, pair.names)), f"{pair.strength:.3g}", f"{100 * pair.share:.0f} %"]
            for pair in self.pairs
        ]
        title = (
            f"what columns say only together ({self.unit}), {self.of}: {100 * self.together:.0f} % "
            "of the variance"
        )
        return title, lines, [] if self.pairs else ["no pair stands out"]

    def __str__(self) -> str:
        title, lines, notes = self._lines()
        return "\n".join([title, "", *([words.table(lines, "<>>")] if self.pairs else []), *notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        title, (head, *body), notes = self._lines()
        return html_table(title, head if body else (), body, notes, "<>>")

    def plot(self, ax: Axes | None = None) -> Axes:
        """The strongest pair."""
        if not self.pairs:
            raise LikelyError("no pair of columns stands out: there is nothing to draw.")
        return self.pairs[0].plot(ax)
