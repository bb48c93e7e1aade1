"""Numbers of a column -> what they stand for: dates and times where the column holds such."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from likely.format.words import shown
from likely.table.build import values_of
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Type

SPREADS = ("sd", "range", "iqr")  # distances; the others of a column's own unit are places
BARE = ("variance", "skewness", "excess_kurtosis")  # in squared units, or in none


def in_unit(column: Column, name: str, number: float) -> Any:
    """A statistic of times as a date, a time or a duration; of anything else the number itself.

    >>> from likely.table.column.kinds import Kind
    >>> in_unit(Column("day", Kind.QUANTITATIVE, Type.DATE), "mean", 18262.2)
    datetime.date(2020, 1, 1)
    >>> in_unit(Column("day", Kind.QUANTITATIVE, Type.DATE), "sd", 1.5)
    datetime.timedelta(days=1, seconds=43200)
    """
    if column.type not in UNITS or name in BARE:
        return number
    try:
        if name in SPREADS or column.type is Type.DURATION:
            return timedelta(days=number) if column.type is Type.DATE else timedelta(seconds=number)
        return unit_value(column, number)
    except OverflowError:  # beyond what Python's times reach
        return number


def unit_value(column: Column, number: float) -> Any:
    """The value of a column that a number stands for."""
    if column.type not in UNITS:
        return number
    cell = values_of(column, [number], "numpy")[0]
    value = cell.item() if isinstance(cell, np.generic) else cell
    if isinstance(value, datetime) and column.zone is not None:
        return _in_zone(value, column.zone)
    return str(cell) if isinstance(value, int) else value  # NumPy's times reach further than Python's


def _in_zone(value: datetime, zone: str) -> datetime:
    """The time in the zone that it came in, or in UTC if this computer does not know the zone."""
    try:
        return value.astimezone(ZoneInfo(zone))
    except (ValueError, OSError, LookupError, OverflowError):
        return value


def figure(value: object) -> str:
    """A number to four figures, with all its digits before the point; a time without needless zeros.

    >>> figure(datetime(2020, 1, 1)), figure(datetime(2020, 1, 1, 12))
    ('2020-01-01', '2020-01-01 12:00')
    >>> figure(32.20421), figure(189778.37), figure(1.5e-7), figure(1e300), figure(2)
    ('32.2', '189778', '1.5e-07', '1e+300', '2')
    """
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(value, datetime):
        return str(value.replace(tzinfo=None, microsecond=0)).removesuffix(":00").removesuffix(" 00:00")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return shown(value)
    return f"{value:.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.4g}"


def _duration(value: timedelta) -> str:
    seconds = value.total_seconds()
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if abs(seconds) >= size:
            return f"{figure(seconds / size)} {unit if seconds != 86400 else 'day'}"
    return f"{figure(seconds)} s"
