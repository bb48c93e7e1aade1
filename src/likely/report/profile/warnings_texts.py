"""Warnings about levels that are text: numbers or dates in disguise, and one level spelt in several ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from likely.format.words import many
from likely.report.profile.column_counts import ColumnCounts
from likely.report.profile.warnings import ColumnWarning, listed
from likely.report.profile.warnings_disguise import is_mark
from likely.table.column.kinds import Kind, Type
from likely.table.read.text_files import PATTERNS

LOOKED_AT = 20_000  # levels: as many as are worth the time

_CLOCK = r"([ T]\d{1,2}:\d{2}(:\d{2}([.]\d+)?)?(Z| ?[+-]\d{2}:?\d{2})?)?"
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.]?"
_DATE = re.compile(
    rf"(\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.](\d{{4}}|\d{{2}})"
    rf"|\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}|{_MONTH} \d{{1,2}},? \d{{4}}){_CLOCK}",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"{PATTERNS['BIGINT']}|{PATTERNS['DOUBLE']}|[+-]?\d{{1,3}}(,\d{{3}})+([.]\d+)?")


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
