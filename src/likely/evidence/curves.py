"""What each column adds, as a function of its value, with an interval: data first, a picture second."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.draw.effects import EffectPanel, effect_panels
from likely.draw.picture import Panels
from likely.errors import LikelyError
from likely.evidence.render import TOP, first, strongest
from likely.format import words
from likely.format.html_table import html_table
from likely.table.build import to_table

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EffectCurve:
    """What one column adds at some of its values.

    >>> EffectCurve("age", (20.0, 60.0), np.array([-1.0, 1.0]), np.zeros(2), np.ones(2), np.ones(2)).span
    2.0
    """

    name: str
    values: tuple[Any, ...]  # (k,), in order; None, at the end, where the cell is missing
    effect: Floats  # (k,)
    lower: Floats  # (k,)
    upper: Floats  # (k,)
    rows: Floats  # (k,), how many rows lie nearest to each value

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers along a line."""
        return all(isinstance(value, float) for value in self.values if value is not None)

    @property
    def span(self) -> float:
        """From the lowest effect to the highest."""
        return float(np.ptp(self.effect)) if len(self.effect) else 0.0

    @property
    def strength(self) -> float:
        """The mean absolute effect over the rows."""
        total = float(self.rows.sum())
        return float(np.abs(self.effect) @ self.rows) / total if total else 0.0


@dataclass(frozen=True, eq=False)
class EffectCurves:
    """The curves of all columns; prints itself, and draws itself.

    >>> EffectCurves("yes against no", "log-odds", 0.9, (EffectCurve("sex", ("f", "m"), np.array([0.5, -0.5]),
    ...     np.array([0.2, -0.8]), np.array([0.8, -0.2]), np.ones(2)),))
    what each column adds (log-odds), yes against no, with 90 % intervals
    <BLANKLINE>
    column  value  adds  lower  upper  rows
    sex         f   0.5    0.2    0.8     1
                m  -0.5   -0.8   -0.2     1
    """

    of: str  # what is added to, in words
    unit: str
    level: float
    curves: tuple[EffectCurve, ...]
    library: str = "numpy"

    def __len__(self) -> int:
        """The number of columns."""
        return len(self.curves)

    def __iter__(self) -> Iterator[EffectCurve]:
        return iter(self.curves)

    def __getitem__(self, name: str) -> EffectCurve:
        """The curve of a column."""
        for curve in self.curves:
            if curve.name == name:
                return curve
        raise LikelyError(
            f"there is no curve of {name!r}: there are {', '.join(repr(c.name) for c in self.curves)}."
        )

    def to_frame(self) -> Any:
        """One line for each value of each column."""
        names = [curve.name for curve in self.curves for _ in curve.values]
        values = [_value(value) for curve in self.curves for value in curve.values]
        effects = [
            (float(effect), float(lower), float(upper), float(rows))
            for curve in self.curves
            for effect, lower, upper, rows in zip(
                curve.effect, curve.lower, curve.upper, curve.rows, strict=True
            )
        ]
        columns = np.array(effects).reshape(len(names), 4).T
        told = {"column": np.array(names, object), "value": np.array(values, object)}
        return to_table(
            told | dict(zip(("adds", "lower", "upper", "rows"), columns, strict=True)), self.library
        )

    def _lines(self, top: int | None, values: int) -> tuple[str, list[list[str]], list[str]]:
        """The title, the head and the lines of the table, and what stands below."""
        ranked = first(top, strongest([curve.strength for curve in self.curves]))
        lines = [["column", "value", "adds", "lower", "upper", "rows"]]
        for curve in (self.curves[j] for j in ranked):
            k = len(curve.values)
            for place, i in enumerate(np.unique(np.linspace(0, k - 1, min(k, values)).round()).astype(int)):
                ends = (f"{float(part[i]):.3g}" for part in (curve.effect, curve.lower, curve.upper))
                name = words.shown(curve.name) if place == 0 else ""
                lines.append([name, _value(curve.values[i]), *ends, f"{float(curve.rows[i]):g}"])
        title = f"what each column adds ({self.unit}), {self.of}, with {100 * self.level:g} % intervals"
        rest = len(self) - len(ranked)
        return title, lines, [f"and {words.many(rest, 'other column')}, each with less"] if rest else []

    def text(self, top: int | None = None, values: int = 6) -> str:
        """A table in plain text, strongest columns first; of each, so many values at most."""
        title, lines, more = self._lines(top, values)
        return "\n".join([title, "", words.table(lines, "<>>>>>"), *more])

    def __str__(self) -> str:
        return self.text(top=TOP)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        title, (head, *body), more = self._lines(TOP, 6)
        return html_table(title, head, body, more, "<>>>>>")

    def plot(self, top: int | None = 6) -> Panels:
        """A panel for each of the strongest columns: the curve, and its interval as a band or bars."""
        ranked = first(top, strongest([curve.strength for curve in self.curves]))
        return effect_panels([self._panel(self.curves[j]) for j in ranked], f"adds ({self.unit})", self.of)

    def _panel(self, curve: EffectCurve) -> EffectPanel:
        number = curve.is_number
        at = [float(v) for v in curve.values if v is not None] if number else None
        names = [_value(value) for value in curve.values]
        return EffectPanel(
            curve.name, at, names, curve.effect.tolist(), curve.lower.tolist(), curve.upper.tolist()
        )


def _value(value: object) -> str:
    return "missing" if value is None else words.shown(value)
