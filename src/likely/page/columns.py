"""The columns of a model as controls: levels to choose from, or a number between round ends."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.draw import nice_values
from likely.page.rare import LEAST_ROWS, Rarity, together
from likely.stats.bins import bin_codes
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

POINTS = 24  # along a number, about
LONGEST = 200  # letters of a level
TAIL = 0.025  # share of the rows beyond either end of the points


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """A column on the page. A cell of it is the place of an option among those of the model, or a number."""

    column: Column
    labels: tuple[str, ...] = ()  # of options
    levels: tuple[tuple[int, ...], ...] = ()  # the model's levels behind each option: more than one if rare
    points: Floats = field(default_factory=lambda: np.zeros(0))
    rows: Floats | None = None  # of each option, or nearest to each point; None where nobody knows
    level_rows: Floats | None = None  # of each level of the model
    middle: float = 0.0  # of numbers: what is taken for one that is not known
    ends: tuple[float, float] = (-math.inf, math.inf)  # of numbers: with ten rows and more at or beyond each
    why: str = ""  # it has no control
    words: tuple[str, ...] = ()  # of texts: those that are shown
    reader: Mapping[str, Any] | None = None  # and how they are found

    @property
    def is_number(self) -> bool:
        """Whether it is a number along a line."""
        return not self.labels and not self.why and not self.words

    @property
    def values(self) -> Floats:
        """The cells that are looked at in turn."""
        return np.arange(len(self.labels), dtype=np.float64) if self.labels else self.points

    def to_dict(self, rarity: Rarity) -> dict[str, Any]:
        """In plain Python, as the script reads it."""
        kind = {"name": text_of(self.column.name), "kind": str(self.column.kind)}
        if self.why:
            return {**kind, "control": "none", "why": self.why}
        if self.words:
            return {**kind, "control": "text", "words": list(self.words), "reader": self.reader}
        shares = _shares(self, rarity)
        if self.labels:
            options = [{"label": label, "cell": place} for place, label in enumerate(self.labels)]
            return {**kind, "control": "levels", "options": options, "shares": shares}
        span = self.column.span
        whole = self.column.kind is Kind.COUNT
        decimals = 0 if whole else None if span is None else span.decimals
        time = {"time": self.column.type.name.lower()} if self.column.unit else {}
        return {
            **kind,
            "control": "number",
            "points": self.points.tolist(),
            "shares": shares,
            "step": 0 if decimals is None else 10.0**-decimals,
            **time,
        }


def text_of(value: object) -> str:
    """A name or level as text, cut where it is very long; a missing one by its word.

    >>> text_of(3), text_of(None), len(text_of("x" * 9999))
    ('3', 'missing', 200)
    """
    if value is None:
        return "missing"
    text = str(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _shares(shown: ShownColumn, rarity: Rarity) -> list[float]:
    """The share of the rows of each value, as far as it may be shown; alike for all if nobody knows."""
    rows = shown.rows
    if rows is None or not rows.sum() > 0:
        return [round(1 / max(len(shown.values), 1), 6)] * len(shown.values)
    rows = rows if shown.labels else rarity.smoothed(rows)
    return [round(float(share), 6) for share in rows / rows.sum()]


def of_levels(column: Column, levels: Sequence[object], rows: Floats | None, rarity: Rarity) -> ShownColumn:
    """A column of levels; those that few rows have are one option, the last, if together they are not few."""
    names = [text_of(level) for level in levels]
    kept = np.ones(len(names), bool) if rows is None else rarity.kept(rows)
    if (~kept).sum() == 0:
        each = tuple((i,) for i in range(len(names)))
        return ShownColumn(column, tuple(names), each, rows=rows, level_rows=rows)
    assert rows is not None
    rare = np.flatnonzero(~kept).tolist()
    options: list[tuple[tuple[int, ...], str]] = [((i,), names[i]) for i in np.flatnonzero(kept).tolist()]
    if rows[rare].sum() >= rarity.least:
        options.append((tuple(rare), together([names[i] for i in rare])))
    if not options:
        return ShownColumn(column, why=f"none of its values has {rarity.least:g} rows", level_rows=rows)
    levels_of, labels = zip(*options, strict=True)
    counted = np.array([rows[list(own)].sum() for own in levels_of])
    return ShownColumn(column, labels, levels_of, rows=counted, level_rows=rows)


def named_apart(column: Column, levels: Sequence[object], rows: Floats | None, rarity: Rarity) -> ShownColumn:
    """A column whose levels stay apart, as tables of other columns go by them: rare ones lose their names."""
    rare = np.zeros(len(levels), bool) if rows is None else ~rarity.kept(rows)
    names = (f"a rare value ({i})" if rare[i] else text_of(level) for i, level in enumerate(levels))
    each = tuple((place,) for place in range(len(levels)))
    return ShownColumn(column, tuple(names), each, rows=rows)


def of_numbers(column: Column, numbers: Floats) -> ShownColumn:
    """A column of numbers, as the rows of a table have them: round points between all but the outermost."""
    known = np.sort(numbers[np.isfinite(numbers)])
    if not len(known):
        return along(column, 0.0, 1.0)
    beyond = int(min(max(TAIL * len(known), 10), (len(known) - 1) / 2))
    shown = between(column, float(known[beyond]), float(known[-1 - beyond]))
    rows = np.bincount(nearest(shown.points, known), minlength=len(shown.points)).astype(np.float64)
    few = int(min(LEAST_ROWS, (len(known) + 1) // 2)) - 1
    ends = float(known[few]), float(known[-1 - few])
    return replace(shown, rows=rows, middle=float(known.mean()), ends=ends)


def along(column: Column, mean: float, sd: float) -> ShownColumn:
    """A column of numbers of which mean and standard deviation are known: points as far as two of these."""
    low, high = mean - 2 * sd, mean + 2 * sd
    if column.span is not None and column.span.low >= 0:
        low = max(low, 0.0)
    shown = between(column, low, high)
    rows = np.exp(-0.5 * np.square((shown.points - mean) / (sd or 1.0)))
    return replace(shown, rows=rows, middle=mean)


def between(column: Column, low: float, high: float) -> ShownColumn:
    """Round numbers between two ends, whole ones if the column has no others."""
    if not low < high:
        half = abs(low) * 0.1 or 1.0
        low, high = low - half, high + half
    points = np.array(nice_values(low, high, POINTS))
    span = column.span
    if column.kind is Kind.COUNT or (span is not None and span.decimals == 0):
        points = np.unique(np.round(points))
    if len(points) < 2:
        points = np.array([low, high])
    return ShownColumn(column, points=points)


def nearest(points: Floats, numbers: Floats) -> Ints:
    """The place of the point nearest to each number."""
    return bin_codes((points[1:] + points[:-1]) / 2, numbers)


def cells_of(schema: Schema, frame: Frame, j: int) -> Floats:
    """The cells of a column of a table as numbers, codes of levels too, (n,): NaN where missing or unseen."""
    if schema.columns[j].has_levels:
        codes = np.array(schema.codes(frame, [j]).rows(0, frame.n))[:, 0].astype(np.float64)
        return np.where((codes < 0) | (codes >= len(schema.columns[j].known)), np.nan, codes)  # or missing
    rows: Any = schema.numbers(frame, [j]).rows(0, frame.n)
    return np.array(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)[:, 0]


def level_rows(codes: Floats, k: int) -> Floats:
    """How many rows each of k levels has."""
    known = codes[~np.isnan(codes)].astype(np.intp)
    return np.bincount(known, minlength=k).astype(np.float64)


def shown_levels(column: Column) -> tuple[Any, ...] | None:
    """The levels that can be chosen: of true and false written as numbers, these; None of numbers."""
    if column.has_levels:
        return tuple(column.known)
    return (False, True) if column.kind is Kind.BOOLEAN else None
