"""What a column is made of (its type) and what it means (its kind): read off its values, and which fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.column.levels import whole_levels

if TYPE_CHECKING:
    from likely.table.column.raw import Raw

LONG_TEXT = 50  # characters: distinct values longer than this on average are read as free text


class Type(StrEnum):
    """What a column is made of, before anyone asks what it means."""

    BOOLEAN = "true/false values"
    INTEGER = "whole numbers"
    FLOAT = "numbers"
    STRING = "text"
    CATEGORY = "categories"
    DATE = "dates"
    DATETIME = "times"
    DURATION = "durations"
    TIME = "times of day"
    EMPTY = "nothing but missing values"
    MIXED = "values of several or other types"

    @property
    def numeric(self) -> bool:
        """Whether the column can be read as numbers."""
        return self not in (Type.STRING, Type.CATEGORY, Type.MIXED)

    def typed(self, value: Any) -> Any:
        """A number of such a column as what it was: gaps make floats of whole numbers and truth values."""
        made = {Type.BOOLEAN: bool, Type.INTEGER: int, Type.FLOAT: float}.get(self)
        return value if made is None else made(value)


# How times become numbers: NumPy's unit to count in, how many make one of ours, and ours in words.
UNITS = {
    Type.DATE: ("datetime64[D]", 1, "days since 1970-01-01"),
    Type.DATETIME: ("datetime64[us]", 1_000_000, "seconds since 1970-01-01"),
    Type.DURATION: ("timedelta64[us]", 1_000_000, "seconds"),
    Type.TIME: ("timedelta64[us]", 1_000_000, "seconds since midnight"),
}


class Kind(StrEnum):
    """What the values of a column are.

    >>> Kind.of("ordinal")
    <Kind.ORDINAL: 'ordinal'>
    """

    BOOLEAN = "boolean"  # true or false
    CATEGORICAL = "categorical"  # levels without an order
    ORDINAL = "ordinal"  # levels with an order and no scale
    QUANTITATIVE = "quantitative"  # numbers on a scale
    COUNT = "count"  # whole numbers from 0: how many times
    TEXT = "text"  # free text

    @classmethod
    def of(cls, word: object, column: str | None = None) -> Kind:
        """The kind that a user's word means; `column` is named if it means none."""
        asked = str(word).lower()
        try:
            return cls(asked)
        except ValueError:
            where = "" if column is None else f" for column {column!r}"
            near = get_close_matches(asked, list(cls), 1)
            hint = f"did you mean {str(near[0])!r}?" if near else f"use one of {', '.join(cls)}."
            raise LikelyError(f"kind {word!r}{where} is unknown: {hint}") from None

    @property
    def coded(self) -> bool:
        """Whether values are kept as codes of named levels."""
        return self in (Kind.CATEGORICAL, Kind.ORDINAL)


def kind_of(raw: Raw) -> Kind:
    """The kind that the type means; values tell levels from free text, and truth from amounts and levels."""
    if zero_or_one(raw) or says_truth(raw):
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


def says_truth(raw: Raw) -> bool:
    """Whether a column of text says true or false in one pair of words alone: Yes and No, T and F."""
    return raw.type is Type.STRING and raw.levels is None and are_truths(raw.found or ())


def are_truths(levels: Sequence[Any]) -> bool:
    """Whether two levels are words for false and true.

    >>> are_truths(["Yes", "No"]), are_truths(["yes", "false"]), are_truths(["yes"])
    (True, False, False)
    """
    return len(levels) == 2 and tuple(sorted(str(level).strip().lower() for level in levels)) in _PAIRS


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
    if says_truth(raw):
        return f"{' and '.join(levels_of(raw))}, taken as false and true"
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
    if says_truth(raw):
        return sorted(raw.found or (), key=lambda word: truth_of(word) or 0.0)
    if raw.found is None and raw.type not in UNITS:
        whole = whole_levels(raw.values[:, None])
        if whole is not None:
            return [raw.type.typed(number) for number in whole[0]]
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


def is_missing(value: object) -> bool:
    """Whether a Python value stands for nothing: None, NaN, NaT, pandas.NA.

    >>> is_missing(float("nan")), is_missing(None), is_missing("")
    (True, True, False)
    """
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError, ArithmeticError):
        # pandas.NA compares to NA, which is neither true nor false; a signalling Decimal refuses
        return type(value).__name__ == "NAType" or str(value) == "sNaN"


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


TRUE, FALSE = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")
_TRUTH = dict.fromkeys(TRUE, 1.0) | dict.fromkeys(FALSE, 0.0)
_PAIRS = set(zip(FALSE[:-1], TRUE[:-1], strict=True))  # in the order of the alphabet, and false first
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
    meaning = [truth_of(value) for value in raw.found]
    return np.array([*(2.0 if truth is None else truth for truth in meaning), np.nan])[raw.values]


def truth_of(value: object) -> float | None:
    """1 for true, 0 for false, also as words or numbers; None if a value says neither.

    >>> truth_of("Yes"), truth_of(0.0), truth_of("maybe")
    (1.0, 0.0, None)
    """
    if isinstance(value, int | float):
        return float(value) if value in (0, 1) else None
    return _TRUTH.get(str(value).strip().lower())


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
