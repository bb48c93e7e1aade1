"""A counted column -> its profile."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.report.profile.bars import TOP, Level, histogram, most_frequent
from likely.report.profile.column_counts import Seen
from likely.report.profile.column_profile import ColumnProfile
from likely.report.profile.moments import statistics_of
from likely.report.profile.target_counts import Target
from likely.report.profile.units import place
from likely.report.profile.warnings import Caution
from likely.report.profile.warnings_disguise import about_disguise
from likely.report.profile.warnings_target import about_gaps, about_target
from likely.report.profile.warnings_texts import about_texts
from likely.report.profile.warnings_values import about_values
from likely.stats.groups import Ints
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.raw import Type

PERCENTS = np.arange(101) / 100


def summed_up(seen: Seen, target: Target | None, is_target: bool) -> ColumnProfile:
    """The profile of a column."""
    tally, column = seen.tally, seen.looked.column
    content: dict[str, Any]
    if tally is None:
        assert seen.counts is not None
        content = _of_levels(column.kind, seen.looked.levels, seen.counts)
    else:
        numbers = statistics_of(tally)
        if column.type in (Type.DATE, Type.DATETIME, Type.TIME):  # where zero is no more than a convention
            for name in ("geometric_mean", "harmonic_mean", "geometric_midrange"):
                numbers.pop(name, None)
        whole = column.type is Type.INTEGER or column.kind is Kind.COUNT
        content = {
            "levels": _frequent_numbers(seen, column, whole),
            "numbers": numbers,
            "hundredths": tuple(tally.quantiles(PERCENTS).tolist()) if numbers else (),
            "bars": histogram(tally, whole),
        }
    return ColumnProfile(
        column=column,
        why=seen.looked.why,
        n=seen.looked.n,
        missing=seen.missing,
        infinite=0 if tally is None else tally.infinite,
        distinct=seen.distinct,
        association=seen.association,
        warnings=_cautions(seen, target, is_target),
        is_target=is_target,
        **content,
    )


def _of_levels(kind: Kind, levels: Any, counts: Ints) -> dict[str, Any]:
    top = most_frequent(levels, counts)
    numbers = {"mode": top[0].value} if top else {}
    hundredths: tuple[Any, ...] = ()
    if kind is Kind.ORDINAL and top:
        ends = np.cumsum(counts)
        # Exactly reached is reached: 0.29 * 100 is a little less than 29.
        reached = np.maximum(np.ceil(PERCENTS * ends[-1] - 1e-9), 1)
        hundredths = tuple(levels[place] for place in np.searchsorted(ends, reached))
        numbers |= {"min": hundredths[0], "median": hundredths[50], "max": hundredths[100]}
        if len(levels) <= TOP:
            top = tuple(Level(*pair) for pair in zip(levels, counts.tolist(), strict=True))
    return {"levels": top, "numbers": numbers, "hundredths": hundredths, "bars": ()}


def _frequent_numbers(seen: Seen, column: Column, whole: bool) -> tuple[Level, ...]:
    """Numbers that repeat, most frequent first and the smaller first among equals; none if none does."""
    tally = seen.tally
    if tally is None or seen.highest < 2:
        return ()
    often = np.flatnonzero(tally.counts >= np.sort(tally.counts)[-TOP:][0])
    first = often[np.argsort(-tally.counts[often], kind="stable")][:TOP]
    numbers = tally.values[first].tolist()
    values = [int(number) if whole else place(column, number) for number in numbers]
    return tuple(Level(*pair) for pair in zip(values, tally.counts[first].tolist(), strict=True))


def _cautions(seen: Seen, target: Target | None, is_target: bool) -> tuple[Caution, ...]:
    found, disguised = list(about_values(seen)), list(about_disguise(seen))
    if disguised:  # -999 among ages is no outlier
        found = [caution for caution in found if caution.what != "outliers"]
    found += [*disguised, *about_texts(seen)]
    if is_target:
        found += about_gaps(seen)
    elif target is not None:
        found += about_target(seen, target)
    return tuple(found)
