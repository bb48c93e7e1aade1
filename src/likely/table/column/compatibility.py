"""Whether values can be of a kind, and new values those of a column learnt before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.table.column.kinds import Kind
from likely.table.column.raw import UNITS, Raw, Type

TRUE, FALSE = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")
WANTED = {Kind.BOOLEAN: "true or false (1 or 0)", Kind.COUNT: "counts (whole numbers from 0)"}


def misfits(values: NDArray[Any], kind: Kind) -> NDArray[np.bool_] | None:
    """Which numbers a kind does not allow; None if it allows all of them.

    >>> misfits(np.array([0.0, 1.5, np.nan, -1.0]), Kind.COUNT)
    array([False,  True, False,  True])
    """
    if kind not in WANTED or values.dtype.kind == "b" or _all_counts(values, kind):
        return None
    wrong: NDArray[np.bool_]
    if kind is Kind.BOOLEAN:
        wrong = (values != 0) & (values != 1) & (values == values)
        return wrong
    wrong = values < 0
    if values.dtype.kind == "f":
        wrong |= (np.floor(values) != values) & (values == values)
    return wrong


def _all_counts(values: NDArray[Any], kind: Kind) -> bool:
    """Whether all are counts and none is missing, as is usual and quickest to tell."""
    if kind is not Kind.COUNT or not values.min(initial=0) >= 0:
        return False
    return values.dtype.kind != "f" or bool((np.floor(values) == values).all())


def truths(raw: Raw) -> NDArray[Any]:
    """True as 1 and false as 0, also from words; anything else as a number that is neither."""
    if raw.found is None:
        return raw.numbers()
    words = dict.fromkeys(TRUE, 1.0) | dict.fromkeys(FALSE, 0.0)
    meaning = np.array([*(words.get(str(value).strip().lower(), 2.0) for value in raw.found), np.nan])
    return meaning[raw.values]


def are_numbers(levels: Sequence[Any]) -> bool:
    """Whether all levels are numbers (or truth values, which compare with them)."""
    return all(isinstance(level, int | float) for level in levels)


def levels_fit(levels: Sequence[Any], made_of: Type) -> bool:
    """Whether a column of this type may hold such levels."""
    texts = any(isinstance(level, str) for level in levels)
    match made_of:
        case Type.CATEGORY | Type.MIXED | Type.EMPTY:
            return True
        case Type.STRING:
            return texts
        case Type.INTEGER | Type.FLOAT:
            return are_numbers(levels)
        case Type.BOOLEAN:
            return all(isinstance(level, bool) for level in levels)
    return not texts and not are_numbers(levels)  # times


def numbers_fit(kind: Kind, learnt: Type, made_of: Type) -> bool:
    """Whether a column of this type may hold what was learnt as numbers."""
    if kind is Kind.BOOLEAN:  # also 0 and 1, "true" and "false": they are looked at one by one
        return made_of not in UNITS
    if learnt in UNITS or made_of in UNITS:
        return made_of is learnt
    return made_of in (learnt, Type.INTEGER, Type.FLOAT, Type.EMPTY)
