"""A column in a few words, and in a line of small bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from likely.format.words import many, shown
from likely.report.profile.units import figure, unit_value
from likely.report.profile.warnings import share
from likely.report.profile.warnings_values import NAMES_ROWS
from likely.table.column.kinds import UNITS, Kind, Type

if TYPE_CHECKING:
    from likely.report.profile.column_profile import ColumnProfile
    from likely.report.profile.table_profile import Profile

_BLOCKS = "▁▂▃▄▅▆▇█"
WIDE = 8  # characters of a line of bars


def in_words(profile: ColumnProfile) -> str:
    """Mean ± sd of numbers and their ends, the first and last time, or the most frequent levels."""
    statistics = profile.statistics
    if profile.kind in (Kind.QUANTITATIVE, Kind.COUNT):
        if not statistics:
            return ""
        ends = f"{figure(statistics['min'])} to {figure(statistics['max'])}"
        if profile.distinct == 1:
            return figure(statistics["min"])
        if profile.column.type in UNITS:
            return " to ".join(time_words(profile, profile.numbers[end]) for end in ("min", "max"))
        return f"{figure(statistics['mean'])} ± {figure(statistics['sd'])}, {ends}"
    if profile.kind is Kind.TEXT or names_rows(profile):
        return f"such as {shown(profile.levels[0].value)!r}" if profile.levels else ""
    said = [f"{shown(level.value, 20)} {share(level.count, profile.known)}" for level in profile.levels[:6]]
    return ", ".join(said) + (", ..." if profile.distinct > len(said) else "")


def time_words(profile: ColumnProfile, number: float) -> str:
    """A time of a column in no more words than tell it from the others: days, if there are some between."""
    words = figure(unit_value(profile.column, number))
    days = profile.column.type is Type.DATETIME and profile.numbers["range"] > 3 * 86400
    return words[:10] if days else words


def names_rows(profile: ColumnProfile) -> bool:
    """Whether nearly every row has a value of its own."""
    return profile.known > 2 and profile.distinct >= NAMES_ROWS * profile.known


def heights(profile: ColumnProfile) -> list[int]:
    """The counts behind the bars: of the histogram, or of the levels that are shown."""
    if profile.kind is Kind.TEXT or (names_rows(profile) and not profile.bars):
        return []
    return [bar.count for bar in profile.bars] or [level.count for level in profile.levels[:WIDE]]


def spark(counts: Sequence[int]) -> str:
    """Counts as a line of blocks; neighbours are put together if they are many.

    >>> spark([1, 4, 8, 0])
    '▁▄█ '
    """
    step = -(-len(counts) // WIDE) or 1
    sums = [sum(counts[i : i + step]) for i in range(0, len(counts), step)]
    most = max(sums, default=0)
    return "".join(" " if not c else _BLOCKS[-(-8 * c // most) - 1] for c in sums)


def heading(profile: Profile) -> list[str]:
    """What is to be said of the table as a whole."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in profile.kinds.items())
    cells = profile.n * len(profile)
    gaps = f"{profile.missing} of {cells} cells missing ({share(profile.missing, cells)})"
    twins = f"{many(profile.duplicates, 'row')} like an earlier one" if profile.duplicates else "no row twice"
    lines = [
        f"{many(profile.n, 'row')}, {many(len(profile), 'column')}{f': {kinds}' if kinds else ''}",
        f"{gaps if profile.missing else 'no cell missing'}; {twins}",
    ]
    if profile.target is not None:
        told = "" if profile.entropy is None else f": {float(profile.entropy):.2f} bits to tell"
        lines.append(f"target {shown(profile.target.name)}{told}")
    return lines
