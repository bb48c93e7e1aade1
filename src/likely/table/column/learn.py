"""What a raw column tells of itself: its kind, and its levels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.table.column.distinct import is_missing
from likely.table.column.kinds import Kind
from likely.table.column.levels import whole_levels
from likely.table.column.raw import UNITS, Raw, Type

LONG_TEXT = 50  # characters: distinct values longer than this on average are read as free text


def kind_of(raw: Raw) -> Kind:
    """The kind that the type means; values decide between levels and free text, and tell 0/1 from amounts."""
    if zero_or_one(raw):
        return Kind.BOOLEAN
    match raw.type:
        case Type.BOOLEAN:
            return Kind.BOOLEAN
        case Type.CATEGORY:
            return Kind.ORDINAL if raw.ordered else Kind.CATEGORICAL
        case Type.STRING:
            texts = raw.found or ()
            return Kind.TEXT if sum(map(len, texts)) > LONG_TEXT * len(texts) else Kind.CATEGORICAL
        case Type.EMPTY:
            return Kind.CATEGORICAL  # without a level: whatever comes adds no evidence
        case Type.MIXED:
            raise LikelyError(
                f"column {raw.name!r} {raw.complaint}: convert it to numbers, text or times, or declare "
                f"kinds={{{raw.name!r}: 'categorical'}} to take each value as text."
            )
    return Kind.QUANTITATIVE


def zero_or_one(raw: Raw) -> bool:
    """Whether a column of whole numbers holds 0 and 1 alone; with gaps they may be floats."""
    whole = raw.type is Type.INTEGER or (raw.type is Type.FLOAT and bool(np.isnan(raw.values).any()))
    if not whole or raw.found is not None or not len(raw.values):
        return False
    values = raw.values
    zero, one = values == 0, values == 1
    return bool(zero.any() and one.any() and (zero | one | (values != values)).all())


def why(raw: Raw, declared: Any = None) -> str:
    """The reason for the kind of a column, in a few words.

    >>> from likely.table.column.as_raw import as_raw
    >>> why(as_raw("sex", ["m", "f"])), why(as_raw("age", [31, 4])), why(as_raw("age", [31, 4]), "count")
    ('text, taken as levels', 'whole numbers, taken as amounts', 'declared')
    """
    if declared is not None:
        return "declared"
    if zero_or_one(raw):
        return "0 and 1, taken as false and true"
    match raw.type:
        case Type.STRING:
            free = kind_of(raw) is Kind.TEXT
            return f"longer than {LONG_TEXT} characters on average" if free else "text, taken as levels"
        case Type.CATEGORY:
            return f"categories {'in' if raw.ordered else 'without an'} order"
        case Type.INTEGER:
            return "whole numbers, taken as amounts"
        case Type.MIXED:
            return "values of several types, each taken as text"
    unit = f", in {UNITS[raw.type][2]}" if raw.type in UNITS else ""
    return f"{raw.type.value}{unit}"


def levels_of(raw: Raw) -> list[Any]:
    """The levels that the type lists, observed or not; else the values that occur, in order."""
    if raw.levels is not None:
        return list(raw.levels)
    if raw.found is None and raw.type not in UNITS:
        whole = whole_levels(raw.values[:, None])
        if whole is not None:
            return [raw.typed(number) for number in whole[0]]
    return in_order(raw.distinct()[1])


def in_order(levels: Sequence[Any]) -> list[Any]:
    """Sorted as values are, or by type and name if they are of several types.

    >>> in_order([10, 9, 2]), in_order(["b", 1, "a"])
    ([2, 9, 10], [1, 'a', 'b'])
    """
    try:
        return sorted(levels)
    except TypeError:
        return sorted(levels, key=lambda level: (type(level).__name__, str(level)))


def listed_levels(name: str, declared: Any) -> list[Any]:
    """The levels that a user lists for a column, lowest first."""
    if not isinstance(declared, Iterable):
        raise LikelyError(f"kinds[{name!r}] = {declared!r}: give the name of a kind, or a list of levels.")
    levels = [level.item() if isinstance(level, np.generic) else level for level in declared]
    if not levels:
        raise LikelyError(f"kinds[{name!r}] is an empty list: name the levels of the column in order.")
    if any(is_missing(level) for level in levels):
        raise LikelyError(f"kinds[{name!r}] lists a missing value among the levels: leave it out.")
    for level in levels:
        if levels.count(level) > 1:
            raise LikelyError(f"kinds[{name!r}] lists the level {level!r} twice: list each level once.")
    return levels
