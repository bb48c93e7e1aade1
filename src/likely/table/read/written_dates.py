"""Dates as people write them: 31.12.2024, 12/31/2024 8:05, 2024/12/31."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from likely.errors import notice
from likely.table.read.duck import quoted

DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "dmy", "mdy", "ymd"
ORDERS = {DAY_FIRST: "the day first", MONTH_FIRST: "the month first", YEAR_FIRST: "the year first"}


@dataclass(frozen=True)
class DateStyle:
    """The order of day, month and year, what stands between them, and whether a time of day follows."""

    order: str
    mark: str
    clock: bool = False

    @property
    def type(self) -> str:
        """What its texts are in SQL."""
        return "TIMESTAMP" if self.clock else "DATE"

    @property
    def pattern(self) -> str:
        """What a date of this style looks like, as a regular expression."""
        parts = ("[0-9]{4}" if part == "y" else "[0-9]{1,2}" for part in self.order)
        clock = " [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?" if self.clock else ""
        return f"[{self.mark}]".join(parts) + clock

    def plain(self, text: str) -> str:
        """The SQL for such a text as an ISO date, or an ISO date and a time."""
        day = f"split_part({text}, ' ', 1)" if self.clock else text
        at = {part: f"split_part({day}, {quoted(self.mark)}, {i})" for i, part in enumerate(self.order, 1)}
        iso = f"{at['y']} || '-' || lpad({at['m']}, 2, '0') || '-' || lpad({at['d']}, 2, '0')"
        if not self.clock:
            return iso
        return f"{iso} || ' ' || regexp_replace(split_part({text}, ' ', 2), '^([0-9]):', '0\\1:')"


# With points between them the day is first wherever dates are written so; with others, either may be.
STYLES = tuple(
    DateStyle(order, mark, clock)
    for mark in "./-"
    for order in (DAY_FIRST, MONTH_FIRST, YEAR_FIRST)
    if (order, mark) not in ((MONTH_FIRST, "."), (YEAR_FIRST, "-"))  # the latter is ISO
    for clock in (False, True)
)


def date_styles(
    places: Sequence[int], aggregates: Callable[[Sequence[str]], list[Any]], all_cells: bool
) -> tuple[dict[int, DateStyle], dict[int, str]]:
    """Which columns c<place> hold dates of one style, and examples of those that may have two.

    A column in which no day is above 12 says nothing of the order, and holds no dates. Without `all_cells`
    the style is the one that most of the cells have: of a column that is known to hold dates.
    """
    examples = aggregates([f"any_value(trim(c{place}))" for place in places]) if places else []
    known = {place: example for place, example in zip(places, examples, strict=True) if example is not None}
    tried = [(p, style) for p, text in known.items() for style in STYLES if re.fullmatch(style.pattern, text)]
    if not tried:
        return {}, {}
    counts = aggregates([_count(place, style) for place, style in tried])
    wanted = dict(zip(known, aggregates([f"count(c{place})" for place in known]), strict=True))
    if not all_cells:
        wanted = {p: max(n for (q, _), n in zip(tried, counts, strict=True) if q == p) for p, _ in tried}
    held: dict[int, list[DateStyle]] = {}
    for (place, style), n in zip(tried, counts, strict=True):
        if n and n == wanted[place]:
            held.setdefault(place, []).append(style)
    return (
        {place: styles[0] for place, styles in held.items() if len(styles) == 1},
        {place: known[place] for place, styles in held.items() if len(styles) > 1},
    )


def _count(place: int, style: DateStyle) -> str:
    """How many cells are a day that there is: 31.02. is none."""
    text = f"trim(c{place})"
    fits = f"regexp_full_match({text}, {quoted(style.pattern)})"
    return f"count(*) FILTER (WHERE {fits} AND TRY_CAST({style.plain(text)} AS {style.type}) IS NOT NULL)"


def say_dates(read: Mapping[str, tuple[str, str]], doubtful: Mapping[str, str]) -> None:
    """A notice of the columns read as dates, by an example and its order; one of those that may be either."""
    if read:
        (name, (example, order)), more = next(iter(read.items())), len(read) - 1
        notice(
            f"column {name!r} is written as {example!r} and read as dates, {ORDERS[order]}{_and(more)}.",
        )
    if doubtful:
        (name, example), more = next(iter(doubtful.items())), len(doubtful) - 1
        notice(
            f"column {name!r} is written as {example!r}{_and(more)}: no value tells whether the day or the "
            "month is first, so its values stay texts; write dates as 2024-12-31.",
        )


def _and(more: int) -> str:
    """As " (and 2 more columns)", if there are any.

    >>> _and(1), _and(0)
    (' (and 1 more column)', '')
    """
    return f" (and {more} more column{'s' * (more > 1)})" if more else ""
