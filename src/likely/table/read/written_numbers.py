"""Numbers as people write them: $1,752, 16.5 %, 1.002,06, 12 500 €, (1,234)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from likely.errors import LikelyError, notice
from likely.table.read.duck import quoted

_SPACE = "[ \u00a0\u2009\u202f]"  # also those that do not break, and thin ones
_MONEY, _SIGN, _MINUS = "[$€£¥]", "[+\u2212-]", "[\u2212-]"


@dataclass(frozen=True)
class Style:
    """How whole and fraction are parted, and thousands."""

    point: str
    thousands: str

    @property
    def pattern(self) -> str:
        """What a number of this style looks like, as a regular expression. Leading zeros make codes."""
        apart = f"[{self.thousands}'’ \u00a0\u2009\u202f]"
        whole = f"(0|[1-9][0-9]{{0,17}}|[1-9][0-9]{{0,2}}({apart}[0-9]{{3}})+)"
        number = f"({whole}([{self.point}][0-9]*)?|[{self.point}][0-9]+)"
        bare = f"({_MONEY}{_SPACE}*)?{_SIGN}?{number}({_SPACE}*(%|{_MONEY}))?"
        return f"{_SIGN}?{bare}|[(]{bare}[)]"

    def plain(self, text: str) -> str:
        """The SQL for such a text as a plain number: a point before the fraction, and nothing else."""
        kept = f"regexp_replace({text}, {quoted(f'[^0-9{self.point}]')}, '', 'g')"
        sign = f"CASE WHEN regexp_matches({text}, {quoted(f'^[(]|{_MINUS}')}) THEN '-' ELSE '' END"
        return f"{sign} || replace({kept}, {quoted(self.point)}, '.')"


POINT, COMMA = Style(".", ","), Style(",", ".")


def decimal_styles(decimal: str | None) -> tuple[Style, ...]:
    """The styles that a column may have: by default either, the point first."""
    known = {None: (POINT, COMMA), ".": (POINT,), ",": (COMMA,)}
    if decimal not in known:
        raise LikelyError(f"decimal={decimal!r}: give '.' or ',', which comes before a fraction.")
    return known[decimal]


def written_styles(
    places: Sequence[int], styles: Sequence[Style], aggregates: Callable[[Sequence[str]], list[Any]]
) -> dict[int, Style]:
    """Which columns c<place> hold nothing but numbers of a style, and of which: the first that holds.

    Where every value stands in brackets, these are no negative numbers.
    """
    held: dict[int, Style] = {}
    for style in styles:
        open_places = [place for place in places if place not in held]
        asked = [_all(place, style) for place in open_places]
        answers = aggregates(asked) if asked else []
        held |= {place: style for place, holds in zip(open_places, answers, strict=True) if holds}
    return held


def most_written(
    places: Sequence[int], styles: Sequence[Style], aggregates: Callable[[Sequence[str]], list[Any]]
) -> dict[int, Style]:
    """The style that most cells of each column c<place> have, where more than half of them have one."""
    tried = [(place, style) for place in places for style in styles]
    fits = [f"regexp_full_match(trim(c{place}), {quoted(style.pattern)})" for place, style in tried]
    asked = [
        f"2 * count(*) FILTER (WHERE {fit}) > count(c{place})"
        for fit, (place, _) in zip(fits, tried, strict=True)
    ]
    answers = aggregates(asked) if asked else []
    holding = [pair for pair, holds in zip(tried, answers, strict=True) if holds]
    return dict(reversed(holding))  # the first style of each


def _all(place: int, style: Style) -> str:
    text, known = f"trim(c{place})", f"FILTER (WHERE c{place} IS NOT NULL)"
    holds = f"bool_and(regexp_full_match({text}, {quoted(style.pattern)})) {known}"
    return f"{holds} AND NOT bool_and(starts_with({text}, '(')) {known}"


def say_written(examples: Mapping[str, str]) -> None:
    """One notice of the columns that were read as numbers though they are written otherwise."""
    if not examples:
        return
    (name, example), more = next(iter(examples.items())), len(examples) - 1
    beside = f" (and {more} more column{'s' if more > 1 else ''})" if more else ""
    notice(
        f"column {name!r} is written as {example!r} and read as numbers{beside}; "
        "decimal= says which mark comes before a fraction.",
    )
