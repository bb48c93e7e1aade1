"""Values that may stand for a missing cell: known words, and numbers that stand apart from the rest."""

from __future__ import annotations

from collections.abc import Iterator

from likely.format.words import many, shown
from likely.report.profile.bars import most_frequent
from likely.report.profile.column_counts import ColumnCounts
from likely.report.profile.value_counts import ValueCounts
from likely.report.profile.warnings import ColumnWarning, listed
from likely.table.column.kinds import UNITS, Type

_SIGNS = "? ?? - -- --- . .. * # xxx n/a #n/a n.a. na <na> nan n/k none null #null! nil void tbd tba"
_PHRASES = (
    ["blank", "empty", "missing", "unknown", "unk", "unspecified", "undefined", "undisclosed", "unavailable"],
    ("not available", "not applicable", "not known", "not specified", "not given", "no answer", "no data"),
    ("don't know", "prefer not to say"),
)
_BARE = frozenset(word for phrases in (_SIGNS.split(), *_PHRASES) for word in phrases)
WORDS = _BARE | {f"({word})" for word in _BARE} | {f"[{word}]" for word in _BARE} | {""}
_ODD_ENDS = (-32768.0, -2147483648.0, 32767.0, 2147483647.0)  # of whole numbers in 16 and 32 bits
_LOOKED_AT = 1000  # levels, the most frequent ones
_SEVERAL = 5  # different values besides: fewer are codes, of which none is odd


def about_disguise(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    """Words and numbers that may mean that nothing is known."""
    if counted.numbers is not None:
        yield from _numbers(counted)
    elif counted.column.type in (Type.STRING, Type.CATEGORY, Type.MIXED) and counted.level_counts is not None:
        levels = most_frequent(counted.levels, counted.level_counts, _LOOKED_AT)
        marks = {level.value: level.count for level in levels if is_mark(str(level.value))}
        for word in list(marks):
            if _has_a_meaning(word.strip().casefold(), marks[word], counted):
                del marks[word]
        if marks and len(marks) < counted.distinct:
            yield _disguised(counted, listed(marks), sum(marks.values()), list(marks))


def is_mark(text: str) -> bool:
    """Whether a text is one of the words that people write for a missing value.

    >>> is_mark(" Unknown"), is_mark("(n/a)"), is_mark("nobody")
    (True, True, False)
    """
    return len(text) < 25 and text.strip().casefold() in WORDS


def _has_a_meaning(word: str, count: int, counted: ColumnCounts) -> bool:
    """'-' beside '+' is a sign, and 'none' as the most frequent level is an answer."""
    return (word == "-" and "+" in counted.levels) or (word == "none" and count > counted.known / 2)


def _numbers(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    numbers = counted.numbers
    if numbers is None or counted.column.type in UNITS:
        return
    for place in (0, len(numbers.values) - 1):
        if len(numbers.values) > _SEVERAL and _is_odd(numbers, place):
            value, count = float(numbers.values[place]), int(numbers.counts[place])
            yield _disguised(counted, shown(value), count, [int(value)])


def _is_odd(numbers: ValueCounts, place: int) -> bool:
    """Whether the least or the greatest number looks like a mark."""
    value, count = float(numbers.values[place]), int(numbers.counts[place])
    nines = abs(value) >= 9 and value.is_integer() and set(f"{abs(value):.0f}") == {"9"}
    if not (nines or value in _ODD_ENDS or (place == 0 and value in (-1, 0))):
        return False
    others, repeated = numbers.without(place), count > 1
    least, most = float(others.values[0]), float(others.values[-1])
    gap = least - value if place == 0 else value - most
    q1, q3 = others.quantiles([0.25, 0.75]).tolist()
    apart = gap > q3 - q1  # further from its neighbour than the middle half of the others is wide
    far = gap > most - least
    if value == -1:
        return repeated and least >= 0
    if value == 0:
        return repeated and apart and count < others.n and len(others.values) >= 2 * _SEVERAL
    if place == 0 and nines and value < 0:
        return far or (repeated and (apart or least >= 0))
    at_its_end = (value < 0) == (place == 0) and abs(value) >= 99
    return at_its_end and (far or (repeated and apart))


def _disguised(counted: ColumnCounts, what: str, count: int, marks: list[object]) -> ColumnWarning:
    return ColumnWarning(
        counted.name,
        "disguised missing",
        f"{what} in {many(count, 'row')} may stand for a missing value: if so, mark it as missing, for "
        f"example with likely.read(..., missing={marks[:6]!r}).",
    )
