"""Answers, which say what they answer: a number, a level, a table of levels, the curve of a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.ask.resolve import as_value
from likely.ask.truncated_mixture import TruncatedMixture
from likely.draw import DensityCurve, bars
from likely.draw.densities import Band, posteriors
from likely.draw.histogram import histogram, label_axis
from likely.errors import LikelyError
from likely.format import words
from likely.format.html_table import html_right_bar, html_table
from likely.table.build import to_table
from likely.table.column.column import Column
from likely.table.frame import free_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
TOP = 20  # rows that a table shows
POINTS = 401  # of a curve
BARS = 60  # whole numbers of which each has a bar
EDGE = 1e-3  # of the probability is not drawn on either side
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # the quantiles that are shown


class Number(float):
    """A number that answers a question: a float that prints with the question. Arithmetic gives plain floats.

    >>> Number(0.20851, "P(sick = yes | test = +)", "0.21")
    P(sick = yes | test = +) = 0.21
    >>> Number(0.25, "P(a = 1)", "0.25") * 2
    0.5
    """

    question: str
    shown: str  # the number in words, with its unit
    unit: str | None

    def __new__(cls, number: float, question: str, shown: str, unit: str | None = None) -> Number:
        """The answer to a question."""
        made = super().__new__(cls, number)
        made.question, made.shown, made.unit = question, shown, unit
        return made

    def __repr__(self) -> str:
        return f"{self.question} = {self.shown}"

    __str__ = __repr__

    def to_dict(self) -> dict[str, Any]:
        """Question, answer and unit, ready for JSON."""
        return {"question": self.question, "answer": words.json_ready(float(self)), "unit": self.unit}

    def __reduce__(self) -> tuple[Any, ...]:
        return Number, (float(self), self.question, self.shown, self.unit)


@dataclass(frozen=True, repr=False)
class Choice:
    """A level that answers a question, and how probable it is.

    >>> Choice("argmax(play)", "yes", 0.75)
    argmax(play) = yes (probability 0.75)
    """

    question: str
    value: Any  # a tuple, if several variables were asked for
    probability: float

    def __repr__(self) -> str:
        values = self.value if isinstance(self.value, tuple) else (self.value,)
        certainty = chance(self.probability, 1 - self.probability)
        return f"{self.question} = {', '.join(map(level_words, values))} (probability {certainty})"

    def to_dict(self) -> dict[str, Any]:
        """Question, answer and its probability, ready for JSON."""
        single = not isinstance(self.value, tuple)
        answer = words.json_ready(self.value) if single else [words.json_ready(v) for v in self.value]
        return {"question": self.question, "answer": answer, "probability": self.probability}


def chance(p: float, others: float) -> str:
    """A probability to four digits that never rounds to certainty; `others` is what is left.

    >>> chance(0.20851, 0.79149), chance(0.9, 0.1), chance(0.99982, 0.00018), chance(1.0, 3e-14)
    ('0.2085', '0.9', '0.99982', '1 - 3e-14')
    """
    return f"{p:.4g}" if others >= 1e-3 else words.probability(p, others)


def level_words(level: object) -> str:
    """A level for people; None stands for a missing cell."""
    return "missing" if level is None else words.shown(level)


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


@dataclass(frozen=True, eq=False, repr=False)
class NumberAnswer:
    """The distribution of a number: mean, sd and quantiles, cdf and density."""

    question: str
    column: Column
    mixture: TruncatedMixture

    @property
    def mean(self) -> float:
        """The expectation."""
        return self.mixture.mean

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return self.mixture.sd

    def quantile(self, share: float) -> float:
        """The least value that this share of the values does not exceed."""
        return self.mixture.quantile(share)

    def cdf(self, x: float) -> float:
        """P(X <= x)."""
        return float(self.mixture.cdf(x))

    def density(self, x: ArrayLike) -> Floats:
        """The density at x, or the probability of a whole number."""
        values = np.asarray(x, np.float64)
        return self.mixture.density(values.ravel()).reshape(values.shape)

    def to_dict(self) -> dict[str, Any]:
        """Question, mean, sd and quantiles, ready for JSON."""
        quantiles = {f"{share:g}": words.json_ready(value) for share, value in self._quantiles.items()}
        said = {"mean": self._or_none("mean"), "sd": self._or_none("sd"), "quantiles": quantiles}
        return {"question": self.question, "answer": said, "unit": self.column.unit}

    @cached_property
    def _quantiles(self) -> dict[float, float]:
        return dict(zip(SHARES, self.mixture.quantiles(np.array(SHARES)).tolist(), strict=True))

    def _or_none(self, what: str) -> float | None:
        """The mean or sd; None where the tails are too heavy to have one."""
        try:
            return float(getattr(self.mixture, what))
        except LikelyError:
            return None

    def _rows(self) -> list[list[str]]:
        mean, sd = self._or_none("mean"), self._or_none("sd")
        rows = [["mean", "none" if mean is None else self._value(mean)]]
        rows.append(["sd", "none" if sd is None else words.shown(sd)])
        return [*rows, *([f"{share:.0%}", self._value(value)] for share, value in self._quantiles.items())]

    def _value(self, number: float) -> str:
        return words.shown(as_value(self.column, number))

    def __repr__(self) -> str:
        unit = f" ({self.column.unit})" if self.column.unit else ""
        return "\n".join([f"{self.question}{unit}", "", words.table(self._rows(), "<>")])

    def plot(self, ax: Axes | None = None) -> Axes:
        """The density, shaded where 90 % of the values lie; or a bar for each whole number.

        >>> import likely
        >>> model = likely.NaiveBayes().fit({"x": [1.0, 2.0, 4.0], "y": ["a", "a", "b"]}, "y")
        >>> model.ask("P(x)").plot().get_title(loc="left")
        'P(x)'
        """
        low, high = (float(end) for end in self.mixture.quantiles(np.array([EDGE, 1 - EDGE])))
        lower, upper = self._quantiles[SHARES[0]], self._quantiles[SHARES[-1]]
        xlabel = f"{words.shown(self.column.name)}; 90 % from {self._short(lower)} to {self._short(upper)}"
        if self.mixture.whole and high - low < BARS:
            x = np.arange(low, high + 1)
            edges = np.append(x - 0.5, high + 0.5).tolist()
            ax = histogram(edges, self.density(x).tolist(), title=self.question, xlabel=xlabel, ax=ax)
        else:
            x = np.linspace(low, high, POINTS) if low < high else np.array([low - 1, low, low + 1])
            x = np.unique(np.round(x)) if self.mixture.whole else x
            curve = DensityCurve("", x.tolist(), self.density(x).tolist())
            band = Band(lower, upper)
            ax = posteriors([curve], [lower], band=band, title=self.question, xlabel=xlabel, ax=ax)
        ax.set_ylabel("probability" if self.mixture.whole else "density")
        if self.column.unit is not None:
            label_axis(ax.xaxis, self._value)
        return ax

    def _short(self, number: float) -> str:
        return self._value(number if self.column.unit else float(f"{number:.4g}"))

    def _repr_html_(self) -> str:
        return html_table(self.question, (), self._rows(), (), "<>")
