"""A counted column -> its profile."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.report.profile.association import TargetGroups
from likely.report.profile.bars import TOP, Level, histogram, most_frequent
from likely.report.profile.column_counts import ColumnCounts
from likely.report.profile.column_profile import ColumnProfile
from likely.report.profile.units import OF_RATIOS, unit_value
from likely.report.profile.value_counts import modes_of, powers_of, statistics_of
from likely.report.profile.warnings import ColumnWarning
from likely.report.profile.warnings_texts import about_disguise, about_texts
from likely.report.profile.warnings_values import about_gaps, about_target, about_values
from likely.stats.groups import Ints
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type

PERCENTS = np.arange(101) / 100


def column_profile(counted: ColumnCounts, target: TargetGroups | None, is_target: bool) -> ColumnProfile:
    """The profile of a column."""
    numbers, column = counted.numbers, counted.column
    content: dict[str, Any]
    if numbers is None:
        assert counted.level_counts is not None
        content = _of_levels(column.kind, counted.levels, counted.level_counts)
    else:
        statistics = statistics_of(numbers)
        if column.type in (Type.DATE, Type.DATETIME, Type.TIME):  # where zero is no more than a convention
            for name in OF_RATIOS:
                statistics.pop(name, None)
        whole = column.type is Type.INTEGER or column.kind is Kind.COUNT
        content = {
            "levels": _frequent_numbers(counted, column, whole),
            "numbers": statistics,
            "hundredths": tuple(numbers.quantiles(PERCENTS).tolist()) if statistics else (),
            "bars": histogram(numbers, whole),
            "modes": modes_of(numbers),
            "middle": tuple(numbers.values[_reached(numbers.ends)].tolist()),
            "powers": powers_of(numbers),
        }
    return ColumnProfile(
        column=column,
        why=counted.inspected.why,
        n=counted.n,
        missing=counted.missing,
        infinite=0 if numbers is None else numbers.infinite,
        distinct=counted.distinct,
        association=counted.association,
        warnings=_warnings(counted, target, is_target),
        is_target=is_target,
        **content,
    )


def _reached(ends: Ints) -> Ints:
    """Which values the two rows in the middle have, of an odd number the same twice; none of nothing."""
    n = int(ends[-1]) if len(ends) else 0
    return np.searchsorted(ends, [(n - 1) // 2, n // 2] if n else [], "right")


def _of_levels(kind: Kind, levels: Any, counts: Ints) -> dict[str, Any]:
    top = most_frequent(levels, counts)
    numbers = {"mode": top[0].value} if top else {}
    hundredths: tuple[Any, ...] = ()
    middle: tuple[Any, ...] = ()
    if kind is Kind.ORDINAL and top:
        ends = np.cumsum(counts)
        # Exactly reached is reached: 0.29 * 100 is a little less than 29.
        reached = np.maximum(np.ceil(PERCENTS * ends[-1] - 1e-9), 1)
        hundredths = tuple(levels[place] for place in np.searchsorted(ends, reached))
        middle = tuple(levels[at] for at in _reached(ends))
        numbers |= {"min": hundredths[0], "median": hundredths[50], "max": hundredths[100]}
        if len(levels) <= TOP:
            top = tuple(Level(*pair) for pair in zip(levels, counts.tolist(), strict=True))
    most = [levels[i] for i in np.flatnonzero(counts == counts.max())] if top else []
    modes = tuple(most if kind is Kind.ORDINAL else sorted(most, key=str))
    content = {"levels": top, "numbers": numbers, "hundredths": hundredths, "bars": ()}
    return content | {"modes": modes, "middle": middle, "powers": ()}


def _frequent_numbers(counted: ColumnCounts, column: Column, whole: bool) -> tuple[Level, ...]:
    """Numbers that repeat, most frequent first and the smaller first among equals; none if none does."""
    numbers = counted.numbers
    if numbers is None or counted.highest < 2:
        return ()
    often = np.flatnonzero(numbers.counts >= np.sort(numbers.counts)[-TOP:][0])
    first = often[np.argsort(-numbers.counts[often], kind="stable")][:TOP]
    values = [
        int(number) if whole else unit_value(column, number) for number in numbers.values[first].tolist()
    ]
    return tuple(Level(*pair) for pair in zip(values, numbers.counts[first].tolist(), strict=True))


def _warnings(
    counted: ColumnCounts, target: TargetGroups | None, is_target: bool
) -> tuple[ColumnWarning, ...]:
    warnings, disguised = list(about_values(counted)), list(about_disguise(counted))
    if disguised:  # -999 among ages is no outlier
        warnings = [warning for warning in warnings if warning.what != "outliers"]
    warnings += [*disguised, *about_texts(counted)]
    if is_target:
        warnings += about_gaps(counted)
    elif target is not None:
        warnings += about_target(counted, target)
    return tuple(warnings)
