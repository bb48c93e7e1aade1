"""The probability of every level: an answer that is a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.answer import chance, level_words
from likely.draw import bars
from likely.format import words
from likely.format.html_table import html_right_bar, html_table
from likely.table.build import to_table
from likely.table.names import free_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

TOP = 20  # rows that a table shows


@dataclass(frozen=True, eq=False, repr=False)
class Chances(Mapping[Any, float]):
    """The probability of every level of a variable, or of every combination of levels of several.

    A mapping from level, or tuple of levels, to probability; a missing cell is the level None.

    >>> chances = Chances("P(play)", ("play",), (("no", "yes"),), np.array([0.25, 0.75]))
    >>> chances["yes"], max(chances, key=chances.get)
    (0.75, 'yes')
    >>> chances
    P(play)
    <BLANKLINE>
    play
    no    0.25  ███▌
    yes   0.75  ██████████
    """

    question: str
    names: tuple[str, ...]
    levels: tuple[tuple[Any, ...], ...]  # of each variable
    probabilities: Floats  # one axis for each variable
    library: str = "dict"

    def _index(self, key: Any) -> tuple[int, ...]:
        keys = (key,) if len(self.names) == 1 else key
        if not isinstance(keys, tuple) or len(keys) != len(self.names):
            raise KeyError(key)
        try:
            return tuple(own.index(one) for own, one in zip(self.levels, keys, strict=True))
        except ValueError:
            raise KeyError(key) from None

    def __getitem__(self, key: Any) -> float:
        return float(self.probabilities[self._index(key)])

    def __iter__(self) -> Iterator[Any]:
        for place in np.ndindex(*self.probabilities.shape):
            key = tuple(own[i] for own, i in zip(self.levels, place, strict=True))
            yield key[0] if len(key) == 1 else key

    def __len__(self) -> int:
        return self.probabilities.size

    def to_frame(self) -> Any:
        """A column for each variable and one of probabilities, in the library of the model."""
        places = np.indices(self.probabilities.shape).reshape(len(self.names), -1)
        columns = {}
        for name, own, place in zip(self.names, self.levels, places, strict=True):
            values = np.empty(len(own), object)
            values[:] = own
            columns[name] = values[place]
        title = free_name("probability", columns)
        return to_table({**columns, title: self.probabilities.ravel()}, self.library)

    def to_dict(self) -> dict[str, Any]:
        """Question and rows of levels and probability, ready for JSON."""
        rows = [
            {"levels": [words.json_ready(one) for one in self._key(key)], "probability": p}
            for key, p in self.items()
        ]
        return {"question": self.question, "variables": list(self.names), "answer": rows}

    def _key(self, key: Any) -> tuple[Any, ...]:
        return (key,) if len(self.names) == 1 else key

    def _shown(self) -> list[tuple[list[str], float, str]]:
        """The rows that are shown: all, or the most probable; the levels, the probability and its words."""
        flat = self.probabilities.ravel()
        order = np.arange(len(flat))
        if len(flat) > TOP:
            order = np.argsort(-flat, kind="stable")[:TOP]
        rows = []
        for i in order:
            place = np.unravel_index(i, self.probabilities.shape)
            key = [level_words(own[j]) for own, j in zip(self.levels, place, strict=True)]
            p = float(flat[i])
            rows.append((key, p, chance(p, float(np.delete(flat, i).sum()))))
        return rows

    def _rows(self, bar: Callable[[float], str]) -> list[list[str]]:
        rows = self._shown()
        largest = max((p for _, p, _ in rows), default=0.0) or 1.0
        return [[*key, said, bar(p / largest)] for key, p, said in rows]

    def __repr__(self) -> str:
        head = [*(words.shown(name) for name in self.names), "", ""]
        lines = [self.question, "", words.table([head, *self._rows(words.right_bar)], self._align)]
        return "\n".join([*lines, *self._more()])

    @property
    def _align(self) -> str:
        return "<" * len(self.names) + "><"

    def _more(self) -> list[str]:
        more = self.probabilities.size - TOP
        return [f"and {words.many(more, 'other combination')}, each less probable"] if more > 0 else []

    def plot(self, ax: Axes | None = None) -> Axes:
        """A bar for each level or combination of levels, or for the most probable of many.

        >>> ax = Chances("P(play)", ("play",), (("no", "yes"),), np.array([0.25, 0.75])).plot()
        >>> [float(bar.get_width()) for bar in ax.patches]
        [0.25, 0.75]
        """
        rows = self._shown()
        labels, amounts, said = (list(each) for each in zip(*rows, strict=True)) if rows else ([], [], [])
        xlabel = ". ".join(["probability", *self._more()])
        labels = [", ".join(key) for key in labels]
        return bars(labels, amounts, said, title=self.question, xlabel=xlabel, ax=ax)

    def _repr_html_(self) -> str:
        head = [*map(words.shown, self.names), "probability", ""]
        return html_table(self.question, head, self._rows(html_right_bar), self._more(), self._align)
