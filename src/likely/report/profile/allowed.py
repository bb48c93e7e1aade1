"""Which statistics a kind of column has, and why it has no others."""

from __future__ import annotations

from collections.abc import Mapping

from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type

ALL_KINDS = ("mode",)
ORDERED = ("min", "median", "max")  # and quantiles
MEASURED = (
    "mean",
    "geometric_mean",
    "harmonic_mean",
    "variance",
    "sd",
    "range",
    "iqr",
    "midrange",
    "geometric_midrange",
    "skewness",
    "excess_kurtosis",
)
STATISTICS = (*ALL_KINDS, *ORDERED, *MEASURED)
OF_RATIOS = ("geometric_mean", "harmonic_mean", "geometric_midrange")
OF_SHAPE = ("skewness", "excess_kurtosis")

_LACKS = {
    Kind.BOOLEAN: "true and false have no order and no distance",
    Kind.CATEGORICAL: "levels have no order and no distance",
    Kind.TEXT: "texts have no order and no distance",
    Kind.ORDINAL: "levels have an order but no distance",
}


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
