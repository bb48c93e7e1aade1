"""Means and spreads of a column in words: of times as a date, and as so many days, hours or minutes."""

from __future__ import annotations

import math

from likely.ask.resolve import as_value
from likely.dist.distribution import short
from likely.format import words
from likely.table.column.column import Column
from likely.table.column.kinds import Type

_STEPS = ("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)


def mean_words(column: Column, mean: float) -> str:
    """A number on the scale of a column, for people.

    >>> from datetime import date
    >>> from likely.table.column.as_raw import as_raw
    >>> day = Column.learn(as_raw("day", [date(2026, 5, 1)]))
    >>> mean_words(day, 19809.7), spread_words(day, 58.24)
    ('2024-03-28', '58.2 days')
    """
    if column.unit is None or not math.isfinite(mean):
        return short(mean)
    return words.shown(as_value(column, float(round(mean))))


def spread_words(column: Column, sd: float) -> str:
    """A distance on the scale of a column, for people.

    >>> spread_words(Column.of_numbers("at", Type.DATETIME), 7500.0)
    '2.08 hours'
    """
    if column.unit is None or not math.isfinite(sd):
        return short(sd)
    if column.type is Type.DATE:
        return f"{short(sd)} days"
    name, size = next((step for step in _STEPS if sd >= 2 * step[1]), ("seconds", 1.0))
    return f"{short(sd / size)} {name}"
