"""Values that may stand for a missing cell: known words, and numbers that stand apart from the rest."""

from __future__ import annotations

from collections.abc import Iterator

from likely.format.words import many, shown
from likely.report.profile.bars import most_frequent
from likely.report.profile.column_counts import Seen
from likely.report.profile.value_counts import Tally
from likely.report.profile.warnings import Caution, listed
from likely.table.column.raw import UNITS, Type

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


def about_disguise(seen: Seen) -> Iterator[Caution]:
    """Words and numbers that may mean that nothing is known."""
    if seen.tally is not None:
        yield from _numbers(seen)
    elif seen.looked.column.type in (Type.STRING, Type.CATEGORY, Type.MIXED) and seen.counts is not None:
        levels = most_frequent(seen.looked.levels, seen.counts, _LOOKED_AT)
        found = {level.value: level.count for level in levels if is_mark(str(level.value))}
        for word in list(found):
            if _has_a_meaning(word.strip().casefold(), found[word], seen):
                del found[word]
        if found and len(found) < seen.distinct:
            yield _caution(seen, listed(found), sum(found.values()), list(found))


def is_mark(text: str) -> bool:
    """Whether a text is one of the words that people write for a missing value.

    >>> is_mark(" Unknown"), is_mark("(n/a)"), is_mark("nobody")
    (True, True, False)
    """
    return len(text) < 25 and text.strip().casefold() in WORDS


def _has_a_meaning(word: str, count: int, seen: Seen) -> bool:
    """'-' beside '+' is a sign, and 'none' as the most frequent level is an answer."""
    return (word == "-" and "+" in seen.looked.levels) or (word == "none" and count > seen.known / 2)


def _numbers(seen: Seen) -> Iterator[Caution]:
    tally = seen.tally
    if tally is None or seen.looked.column.type in UNITS:
        return
    for place in (0, len(tally.values) - 1):
        if len(tally.values) > _SEVERAL and _is_odd(tally, place):
            value, count = float(tally.values[place]), int(tally.counts[place])
            yield _caution(seen, shown(value), count, [int(value)])


def _is_odd(tally: Tally, place: int) -> bool:
    """Whether the least or the greatest number looks like a mark."""
    value, count = float(tally.values[place]), int(tally.counts[place])
    nines = abs(value) >= 9 and value.is_integer() and set(f"{abs(value):.0f}") == {"9"}
    if not (nines or value in _ODD_ENDS or (place == 0 and value in (-1, 0))):
        return False
    others, repeated = tally.without(place), count > 1
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


def _caution(seen: Seen, what: str, count: int, marks: list[object]) -> Caution:
    return Caution(
        seen.name,
        "disguised missing",
        f"{what} in {many(count, 'row')} may stand for a missing value: if so, mark it as missing, for "
        f"example with likely.read(..., missing={marks[:6]!r}).",
    )
