"""Warnings about disguise: missing cells as values, numbers or dates as text, a level spelt several ways."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from likely.format.words import many, shown
from likely.report.profile.bars import most_frequent
from likely.report.profile.column_counts import ColumnCounts
from likely.report.profile.value_counts import ValueCounts
from likely.report.profile.warnings import ColumnWarning, listed
from likely.table.column.kinds import UNITS, Kind, Type
from likely.table.read.gap_words import WORDS as GAP_WORDS
from likely.table.read.text_files import PATTERNS

_SIGNS = "? ?? - * # xxx nan none nil void tbd tba"
_PHRASES = (
    ["blank", "empty", "unk", "unspecified", "undefined", "undisclosed", "unavailable"],
    ("not known", "not specified", "not given", "no answer", "no data"),
    ("don't know", "prefer not to say"),
)
_BARE = frozenset(word for phrases in (_SIGNS.split(), *_PHRASES, GAP_WORDS) for word in phrases)
WORDS = _BARE | {f"({word})" for word in _BARE} | {f"[{word}]" for word in _BARE} | {""}
_ODD_ENDS = (-32768.0, -2147483648.0, 32767.0, 2147483647.0)  # of whole numbers in 16 and 32 bits
_LOOKED_AT = 1000  # levels, the most frequent ones
_SEVERAL = 5  # different values besides: fewer are codes, of which none is odd
_ODD_ONES = 2  # words among numbers, that may stand for a missing value
LOOKED_AT = 20_000  # levels: as many as are worth the time
_CLOCK = r"([ T]\d{1,2}:\d{2}(:\d{2}([.]\d+)?)?(Z| ?[+-]\d{2}:?\d{2})?)?"
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.]?"
_DATE = re.compile(
    rf"(\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.](\d{{4}}|\d{{2}})"
    rf"|\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}|{_MONTH} \d{{1,2}},? \d{{4}}){_CLOCK}",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"{PATTERNS['BIGINT']}|{PATTERNS['DOUBLE']}|[+-]?\d{{1,3}}(,\d{{3}})+([.]\d+)?")


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
        f"example {_marking(marks)}.",
    )


def _marking(marks: Sequence[object]) -> str:
    """How values are marked as missing."""
    return (
        f"with likely.read(..., missing={list(marks[:6])!r}), on the command line with "
        f"{' '.join(f'--na {shlex.quote(str(mark))}' for mark in marks[:6])}"
    )


def about_texts(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    """What the spelling of levels tells."""
    texts = _levels(counted)
    if not texts or counted.column.kind is not Kind.CATEGORICAL:
        return
    values = [text for text in texts if not is_mark(text)]
    if len(values) > 2 and _all_match(_NUMBER, values):
        yield ColumnWarning(
            counted.name,
            "numbers as text",
            f"All its values are numbers, such as {values[0]!r}{_besides(texts, values)}: if they are "
            "amounts, convert the column to numbers; as text, each is a level without an order.",
        )
    elif odd := _odd_ones(counted, values):
        yield ColumnWarning(
            counted.name,
            "numbers as text",
            f"All its values but {listed(sorted(odd))} are numbers, such as "
            f"{next(text for text in values if text not in odd)!r}: if the rest stands for a missing value, "
            f"mark it as missing, {_marking(sorted(odd))}; as text, each number is a level without an order.",
        )
    elif len(values) > 1 and _all_match(_DATE, values):
        yield ColumnWarning(
            counted.name,
            "dates as text",
            f"All its values are dates, such as {values[0]!r}{_besides(texts, values)}: convert the column "
            "to dates; as text, each is a level without an order.",
        )
    yield from _spellings(counted.name, texts)


def _levels(counted: ColumnCounts) -> list[str]:
    if counted.column.type not in (Type.STRING, Type.CATEGORY) or counted.level_counts is None:
        return []
    pairs = zip(counted.levels[:LOOKED_AT], counted.level_counts[:LOOKED_AT].tolist(), strict=True)
    return [level for level, count in pairs if count and isinstance(level, str)]


def _odd_ones(counted: ColumnCounts, values: Sequence[str]) -> set[str]:
    """The one or two words in a column of numbers otherwise, such as 'k.A.'; none if numbers are few."""
    odd = [text for text in values if not _NUMBER.fullmatch(text.strip())]
    if not 0 < len(odd) <= _ODD_ONES or len(values) - len(odd) <= _SEVERAL or counted.level_counts is None:
        return set()
    count = dict(zip(counted.levels, counted.level_counts.tolist(), strict=True))
    return set(odd) if sum(count[text] for text in odd) < sum(count[text] for text in values) / 2 else set()


def _all_match(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    return all(pattern.fullmatch(text.strip()) for text in texts)


def _besides(texts: Sequence[str], values: Sequence[str]) -> str:
    others = set(texts) - set(values)
    return f" (besides {listed(sorted(others))})" if others else ""


def _spellings(name: str, texts: Sequence[str]) -> Iterator[ColumnWarning]:
    """Levels that differ in capitals and spaces alone."""
    alike: dict[str, list[str]] = {}
    for text in texts:
        alike.setdefault(" ".join(text.split()).casefold(), []).append(text)
    several = [sorted(group) for group in alike.values() if len(group) > 1]
    if several:
        others = f", and {many(len(several) - 1, 'other group')} too" if len(several) > 1 else ""
        message = f"{listed(several[0])} differ only in capitals or spaces{others}: write each level one way."
        yield ColumnWarning(name, "spellings", message)
