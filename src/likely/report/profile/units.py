"""What the numbers of a column stand for, and which statistics its kind has."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from likely.format.words import figures, shown
from likely.table.build import values_of
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Kind, Type

SPREADS = ("sd", "range", "iqr")  # distances; the others of a column's own unit are places
BARE = ("variance", "skewness", "excess_kurtosis", "ratio_range", "share_up_to_mean")  # not in its unit
ALL_KINDS = ("mode",)
ORDERED = ("min", "median", "max")  # and quantiles
MEASURED = (
    "mean",
    "geometric_mean",
    "harmonic_mean",
    "variance",
    "sd",
    "range",
    "ratio_range",
    "iqr",
    "midrange",
    "geometric_midrange",
    "skewness",
    "excess_kurtosis",
    "share_up_to_mean",
)
STATISTICS = (*ALL_KINDS, *ORDERED, *MEASURED)
OF_RATIOS = ("geometric_mean", "harmonic_mean", "geometric_midrange", "ratio_range")
OF_SHAPE = ("skewness", "excess_kurtosis")
_LACKS = {
    Kind.BOOLEAN: "true and false have no order and no distance",
    Kind.CATEGORICAL: "levels have no order and no distance",
    Kind.TEXT: "texts have no order and no distance",
    Kind.ORDINAL: "levels have an order but no distance",
}


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
    return figures(value)


def _duration(value: timedelta) -> str:
    seconds = value.total_seconds()
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if abs(seconds) >= size:
            return f"{figure(seconds / size)} {unit if seconds != 86400 else 'day'}"
    return f"{figure(seconds)} s"


def allowed(kind: Kind) -> tuple[str, ...]:
    """The statistics that a kind has, apart from quantiles.

    >>> allowed(Kind.ORDINAL)
    ('mode', 'min', 'median', 'max')
    """
    if kind is Kind.ORDINAL:
        return (*ALL_KINDS, *ORDERED)
    return ALL_KINDS if kind in _LACKS else STATISTICS


def spoken(name: str) -> str:
    """The name of a statistic in words."""
    return {"iqr": "interquartile range", "sd": "standard deviation"}.get(name, name.replace("_", " "))


def not_of_this_kind(column: Column, name: str, mode: object) -> str:
    """Why the kind of a column does not allow a statistic, what it allows, and what to do."""
    kind = column.kind
    has = f"it has a mode{'' if mode is None else f' ({mode!r})'}"
    if kind is Kind.ORDINAL:
        has += ", a median, quantiles, a min and a max"
    numeric = column.type in (Type.INTEGER, Type.FLOAT)
    if kind in (Kind.CATEGORICAL, Kind.BOOLEAN) and name in (*ORDERED, "quantile") and not numeric:
        remedy = f" If its levels have an order, list them from the lowest: kinds={{{column.name!r}: [...]}}."
    elif numeric:
        remedy = f" If it is measured, declare kinds={{{column.name!r}: 'quantitative'}}."
    else:
        remedy = ""
    return f"column {column.name!r} is {kind}: {_LACKS[kind]}, so it has no {spoken(name)}; {has}.{remedy}"


def not_defined(column: Column, name: str, known: int, statistics: Mapping[str, float]) -> str:
    """Why a statistic that the kind allows is not there for these values."""
    what = f"column {column.name!r} has no {spoken(name)}"
    if not known:
        return f"{what}: no cell holds a (finite) value. Fill it, or leave the column out."
    if name in OF_RATIOS and column.type in (Type.DATE, Type.DATETIME, Type.TIME):
        return (
            f"{what}: {column.type.value} have no natural zero, so no ratios; ask for the mean or midrange."
        )
    if name in OF_RATIOS:
        return (
            f"{what}: that needs values above 0, and the smallest is {statistics['min']:g}. Ask for the "
            "mean, or leave out or shift what is not positive."
        )
    if name in OF_SHAPE:
        return f"{what}: all values are equal, and what does not vary has no shape. Its sd is 0."
    return f"{what}: each value occurs once, so none is most frequent. Look at its histogram."
