"""Warnings from how often values occur: nothing there, nothing varies, nothing repeats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from likely.format.words import many, shown
from likely.report.profile.bars import most_frequent
from likely.report.profile.column_counts import Seen
from likely.report.profile.units import figure, in_unit, place
from likely.report.profile.value_counts import Tally
from likely.report.profile.warnings import Caution, share
from likely.stats.groups import Floats
from likely.table.block import LIMIT
from likely.table.column.kinds import Kind
from likely.table.column.raw import UNITS, Type

MANY_MISSING = 0.5  # share of the rows
NEARLY_ALL = 0.99  # share of the known rows that hold one value, from FEW_ROWS on
FEW_ROWS = 100
NAMES_ROWS = 0.95  # distinct values over known rows, from ENOUGH rows on
ENOUGH = 20
MANY_LEVELS, ROWS_A_LEVEL, VERY_MANY = 50, 10, 1000
FAR = 10  # interquartile ranges beyond a quartile


def about_values(seen: Seen) -> Iterator[Caution]:
    """All that the counts of values tell."""
    if not seen.looked.n:
        return
    if not seen.known:
        yield Caution(seen.name, "all missing", "No row has a value: leave the column out.")
        return
    yield from _gaps(seen)
    if seen.looked.complaint:
        remedy = "Each was taken as text: convert the column to numbers, text or times."
        yield Caution(seen.name, "mixed types", f"It {seen.looked.complaint}. {remedy}")
    yield from _sameness(seen)
    yield from _difference(seen)
    if seen.tally is not None:
        yield from _extremes(seen)


def _gaps(seen: Seen) -> Iterator[Caution]:
    if seen.missing >= MANY_MISSING * seen.looked.n:
        yield Caution(
            seen.name,
            "many missing",
            f"{seen.missing} of {seen.looked.n} cells ({share(seen.missing, seen.looked.n)}): ask why. "
            'Missing cells add no evidence; if the gap itself tells something, fit with missing="level".',
        )


def _sameness(seen: Seen) -> Iterator[Caution]:
    if seen.looked.n < 2 or (seen.tally is not None and (seen.tally.infinite or not seen.tally.n)):
        return
    if seen.distinct == 1:
        message = f"It is {_most_frequent(seen)} in every row, so it tells nothing: leave it out."
        if seen.missing:
            message = (
                f"It is {_most_frequent(seen)} wherever it is known, so at most the gaps tell something: "
                "leave it out, or say true and false."
            )
        yield Caution(seen.name, "constant", message)
    elif seen.known >= FEW_ROWS and seen.highest >= NEARLY_ALL * seen.known and seen.looked.rows is None:
        message = (
            f"{share(seen.highest, seen.known)} of the values are {_most_frequent(seen)} "
            f"({seen.known - seen.highest} are not): leave it out unless those rare rows matter."
        )
        yield Caution(seen.name, "nearly constant", message)


def _most_frequent(seen: Seen) -> str:
    if seen.tally is not None:
        return shown(place(seen.looked.column, float(seen.tally.values[np.argmax(seen.tally.counts)])))
    assert seen.counts is not None
    return repr(most_frequent(seen.looked.levels, seen.counts, 1)[0].value)


def _difference(seen: Seen) -> Iterator[Caution]:
    kind = seen.looked.column.kind
    if kind is Kind.TEXT or seen.known < ENOUGH:
        return
    once = f"{seen.distinct} different values in {seen.known} rows"
    remedy = "It names or numbers the row and tells nothing about a new one: leave it out of the features."
    if kind is Kind.CATEGORICAL and seen.distinct >= NAMES_ROWS * seen.known:
        yield Caution(seen.name, "identifier", f"{once}. {remedy}")
    elif seen.tally is not None and _numbers_rows(seen):
        yield Caution(seen.name, "identifier", f"{once}, whole numbers that look like codes. {remedy}")
    elif kind is Kind.CATEGORICAL and _too_many_levels(seen):
        yield Caution(
            seen.name,
            "many levels",
            f"{seen.distinct} levels in {seen.known} rows, {seen.known / seen.distinct:.3g} rows a level: "
            "put rare levels together, or split off the part that tells (a prefix, a region).",
        )


def _too_many_levels(seen: Seen) -> bool:
    thin = seen.distinct >= MANY_LEVELS and seen.known < ROWS_A_LEVEL * seen.distinct
    return thin or seen.distinct > VERY_MANY


def _numbers_rows(seen: Seen) -> bool:
    """Whole numbers, no two alike, that follow each other nearly without gaps or have as many digits."""
    tally = seen.tally
    assert tally is not None
    whole = seen.looked.column.type is Type.INTEGER and seen.looked.column.kind is Kind.QUANTITATIVE
    if not whole or seen.distinct < seen.known or tally.infinite:
        return False
    low, high = float(tally.values[0]), float(tally.values[-1])
    return high - low < 2 * seen.known or (low >= 1e5 and len(f"{low:.0f}") == len(f"{high:.0f}"))


def _extremes(seen: Seen) -> Iterator[Caution]:
    tally, column = seen.tally, seen.looked.column
    assert tally is not None
    if tally.infinite:
        remedy = "Models refuse them: correct them or mark them as missing. Statistics leave them out."
        yield Caution(seen.name, "infinite", f"{tally.infinite} cells are infinite. {remedy}")
    if not len(tally.values):
        return
    low, high = float(tally.values[0]), float(tally.values[-1])
    largest = high if high >= -low else low
    if abs(largest) > LIMIT:
        message = f"{largest:g} cannot be squared, so models refuse it: correct it, or rescale the column."
        yield Caution(seen.name, "too large", message)
        return
    far, q1, q3 = _far_out(tally.values, tally)
    if not far:
        return
    ends = [figure(in_unit(column, "min", end)) for end in (q1, q3, low if q1 - low > high - q3 else high)]
    tamed = low > 0 and column.type not in UNITS and not _far_out(np.log(tally.values), tally)[0]
    yield Caution(
        seen.name,
        "outliers",
        f"{many(far, 'value')} more than {FAR} interquartile ranges beyond the quartiles ({ends[0]} and "
        f"{ends[1]}), such as {ends[2]}: check whether that is right, for mean and variance follow such "
        f"values.{' Logarithms would bring them closer.' if tamed else ''}",
    )


def _far_out(values: Floats, tally: Tally) -> tuple[int, float, float]:
    """How many numbers lie far beyond the quartiles, and these; none if the quartiles are equal."""
    q1, q3 = replace(tally, values=values).quantiles([0.25, 0.75]).tolist()
    reach = FAR * (q3 - q1)
    return int(tally.counts[(values < q1 - reach) | (values > q3 + reach)].sum()) if reach else 0, q1, q3
