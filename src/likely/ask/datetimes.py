"""Words <-> the numbers of a column, also where these count days or seconds."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from likely.table.build import values_of
from likely.table.column.column import Column
from likely.table.column.kinds import Type


def as_number(column: Column, text: str) -> float | None:
    """The number that a word stands for in a column; None if it stands for none.

    >>> from likely.table.column.as_raw import as_raw
    >>> day = Column.learn(as_raw("day", [date(2026, 5, 1)]))
    >>> as_number(day, "1970-01-31"), as_number(day, "31"), as_number(day, "May")
    (30.0, None, None)
    """
    try:
        match column.type:
            case Type.DATE:
                return float((date.fromisoformat(text) - date(1970, 1, 1)).days)
            case Type.DATETIME:
                return _moment(datetime.fromisoformat(text), column.zone)
            case Type.TIME:
                return (datetime.combine(date.min, time.fromisoformat(text)) - datetime.min).total_seconds()
        number = float(text)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(number) else number


def _moment(at: datetime, zone: str | None) -> float:
    """Seconds since 1970 in UTC; a time without a zone is one of the column's own."""
    if at.tzinfo is None:
        at = at.replace(tzinfo=ZoneInfo(zone) if zone else UTC)
    return (at - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()


def as_value(column: Column, number: float) -> Any:
    """A number as the column shows it: a date for a count of days.

    >>> from likely.table.column.as_raw import as_raw
    >>> str(as_value(Column.learn(as_raw("day", [date(2026, 5, 1)])), 30.0))
    '1970-01-31'
    """
    if column.unit is None or not math.isfinite(number):
        return number
    value = values_of(column, np.array([number]), "dict")[0]
    return value.item() if isinstance(value, np.generic) else value
