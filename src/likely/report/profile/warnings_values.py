"""Warnings from how often values occur (nothing there, varies, repeats), alone and beside the target."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from likely.format.words import many, shown
from likely.report.profile.association import TargetGroups
from likely.report.profile.bars import most_frequent
from likely.report.profile.column_counts import ColumnCounts
from likely.report.profile.units import figure, in_unit, unit_value
from likely.report.profile.value_counts import ValueCounts
from likely.report.profile.warnings import ColumnWarning, share
from likely.stats.groups import Floats
from likely.table.column.block import LIMIT
from likely.table.column.kinds import UNITS, Kind, Type

MANY_MISSING = 0.5  # share of the rows
NEARLY_ALL = 0.99  # share of the known rows that hold one value, from FEW_ROWS on
FEW_ROWS = 100
NAMES_ROWS = 0.95  # distinct values over known rows, from ENOUGH rows on
ENOUGH = 20
MANY_LEVELS, ROWS_A_LEVEL, VERY_MANY = 50, 10, 1000
FAR = 10  # interquartile ranges beyond a quartile
GIVES_AWAY = 0.8  # share of what it takes to tell the target, in rows left out
ENOUGH_TO_TELL = 30  # rows where it is known
BY_CHANCE = 1e-9  # probability below which a column that is known in one class alone is no accident


def about_values(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    """All that the counts of values tell."""
    if not counted.n:
        return
    if not counted.known:
        yield ColumnWarning(counted.name, "all missing", "No row has a value: leave the column out.")
        return
    yield from _gaps(counted)
    if counted.inspected.complaint:
        remedy = "Each was taken as text: convert the column to numbers, text or times."
        yield ColumnWarning(counted.name, "mixed types", f"It {counted.inspected.complaint}. {remedy}")
    yield from _sameness(counted)
    yield from _difference(counted)
    if counted.numbers is not None:
        yield from _extremes(counted)


def _gaps(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    if counted.missing >= MANY_MISSING * counted.n:
        yield ColumnWarning(
            counted.name,
            "many missing",
            f"{counted.missing} of {counted.n} cells ({share(counted.missing, counted.n)}): ask why. "
            'Missing cells add no evidence; if the gap itself tells something, fit with missing="level".',
        )


def _sameness(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    if counted.n < 2 or (counted.numbers is not None and (counted.numbers.infinite or not counted.numbers.n)):
        return
    if counted.distinct == 1:
        message = f"It is {_most_frequent(counted)} in every row, so it tells nothing: leave it out."
        if counted.missing:
            message = (
                f"It is {_most_frequent(counted)} wherever it is known, so at most the gaps tell something: "
                "leave it out, or say true and false."
            )
        yield ColumnWarning(counted.name, "constant", message)
    elif (
        counted.known >= FEW_ROWS
        and counted.highest >= NEARLY_ALL * counted.known
        and counted.inspected.rows is None
    ):
        message = (
            f"{share(counted.highest, counted.known)} of the values are {_most_frequent(counted)} "
            f"({counted.known - counted.highest} are not): leave it out unless those rare rows matter."
        )
        yield ColumnWarning(counted.name, "nearly constant", message)


def _most_frequent(counted: ColumnCounts) -> str:
    if counted.numbers is not None:
        return shown(
            unit_value(counted.column, float(counted.numbers.values[np.argmax(counted.numbers.counts)]))
        )
    assert counted.level_counts is not None
    return repr(most_frequent(counted.levels, counted.level_counts, 1)[0].value)


def _difference(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    kind = counted.column.kind
    if kind is Kind.TEXT or counted.known < ENOUGH:
        return
    once = f"{counted.distinct} different values in {counted.known} rows"
    remedy = "It names or numbers the row and tells nothing about a new one: leave it out of the features."
    if kind is Kind.CATEGORICAL and counted.distinct >= NAMES_ROWS * counted.known:
        yield ColumnWarning(counted.name, "identifier", f"{once}. {remedy}")
    elif counted.numbers is not None and _numbers_rows(counted):
        yield ColumnWarning(
            counted.name, "identifier", f"{once}, whole numbers that look like codes. {remedy}"
        )
    elif kind is Kind.CATEGORICAL and _too_many_levels(counted):
        yield ColumnWarning(
            counted.name,
            "many levels",
            f"{counted.distinct} levels in {counted.known} rows, {counted.known / counted.distinct:.3g} rows "
            "a level: put rare levels together, or split off the part that tells (a prefix, a region).",
        )


def _too_many_levels(counted: ColumnCounts) -> bool:
    thin = counted.distinct >= MANY_LEVELS and counted.known < ROWS_A_LEVEL * counted.distinct
    return thin or counted.distinct > VERY_MANY


def _numbers_rows(counted: ColumnCounts) -> bool:
    """Whole numbers, no two alike, that follow each other nearly without gaps or have as many digits."""
    numbers = counted.numbers
    assert numbers is not None
    whole = counted.column.type is Type.INTEGER and counted.column.kind is Kind.QUANTITATIVE
    if not whole or counted.distinct < counted.known or numbers.infinite:
        return False
    low, high = float(numbers.values[0]), float(numbers.values[-1])
    return high - low < 2 * counted.known or (low >= 1e5 and len(f"{low:.0f}") == len(f"{high:.0f}"))


def _extremes(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    numbers, column = counted.numbers, counted.column
    assert numbers is not None
    if numbers.infinite:
        remedy = "Models refuse them: correct them or mark them as missing. Statistics leave them out."
        yield ColumnWarning(counted.name, "infinite", f"{numbers.infinite} cells are infinite. {remedy}")
    if not len(numbers.values):
        return
    low, high = float(numbers.values[0]), float(numbers.values[-1])
    largest = high if high >= -low else low
    if abs(largest) > LIMIT:
        message = f"{largest:g} cannot be squared, so models refuse it: correct it, or rescale the column."
        yield ColumnWarning(counted.name, "too large", message)
        return
    far, q1, q3 = _far_out(numbers.values, numbers)
    if not far:
        return
    ends = [figure(in_unit(column, "min", end)) for end in (q1, q3, low if q1 - low > high - q3 else high)]
    tamed = low > 0 and column.type not in UNITS and not _far_out(np.log(numbers.values), numbers)[0]
    yield ColumnWarning(
        counted.name,
        "outliers",
        f"{many(far, 'value')} more than {FAR} interquartile ranges beyond the quartiles ({ends[0]} and "
        f"{ends[1]}), such as {ends[2]}: check whether that is right, for mean and variance follow such "
        f"values.{' Logarithms would bring them closer.' if tamed else ''}",
    )


def _far_out(values: Floats, numbers: ValueCounts) -> tuple[int, float, float]:
    """How many numbers lie far beyond the quartiles, and these; none if the quartiles are equal."""
    q1, q3 = replace(numbers, values=values).quantiles([0.25, 0.75]).tolist()
    reach = FAR * (q3 - q1)
    return int(numbers.counts[(values < q1 - reach) | (values > q3 + reach)].sum()) if reach else 0, q1, q3


def about_target(counted: ColumnCounts, target: TargetGroups) -> Iterator[ColumnWarning]:
    """Whether a column, or whether it is known at all, nearly settles the target."""
    association = counted.association
    if association is None:
        return
    remedy = "Leave it out if it is known only once the target is, or was made from it."
    if association.share >= GIVES_AWAY and association.n >= ENOUGH_TO_TELL:
        yield ColumnWarning(
            counted.name,
            "gives the target away",
            f"Learnt from the other rows, it tells {share(association.share, 1)} of what there is to know "
            f"about {target.name!r}. {remedy}",
        )
    if association.missing_share >= GIVES_AWAY and counted.n >= ENOUGH_TO_TELL:
        yield ColumnWarning(
            counted.name,
            "gives the target away",
            f"Whether it is missing tells {share(association.missing_share, 1)} of what there is to know "
            f"about {target.name!r}. {remedy}",
        )
    elif association.where_known is not None and association.n:
        base = int(target.totals[association.where_known]) / int(target.totals.sum())
        if association.n * math.log(base) < math.log(BY_CHANCE):
            yield ColumnWarning(
                counted.name,
                "gives the target away",
                f"In all {association.n} rows where it is known, {target.name!r} is the same. {remedy}",
            )


def about_gaps(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    """A target that is missing here and there."""
    if counted.missing and counted.known:
        message = f"{many(counted.missing, 'row')} without it: leave such rows out before a model is fitted."
        yield ColumnWarning(counted.name, "target missing", message)
