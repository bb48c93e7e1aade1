"""Profiles as plain text, 100 characters wide: of a table, of a column, and a line of small bars."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from likely.format.screen import screen_width
from likely.format.words import many, right_bar, shown, table
from likely.report.profile.units import figure, spoken, unit_value
from likely.report.profile.warnings import ColumnWarning, share
from likely.report.profile.warnings_values import NAMES_ROWS
from likely.table.column.kinds import UNITS, Kind, Type

if TYPE_CHECKING:
    from likely.report.profile.association import Association
    from likely.report.profile.column_profile import ColumnProfile
    from likely.report.profile.table_profile import Profile


_BLOCKS = "▁▂▃▄▅▆▇█"
WIDE = 8  # characters of a line of bars
WIDTH = 100  # characters
MOST_COLUMNS, MOST_WARNINGS = 40, 20
VALUES = 20  # characters that values have at least, before names are cut
OFTEN = 0.05  # share of the rows: numbers are listed if one is as frequent as that
_MARKS = (0, 5, 25, 50, 75, 95, 100)  # percentiles that are printed


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
    padded = np.pad(np.asarray(counts), (0, -len(counts) % step))
    sums = padded.reshape(-1, step).sum(axis=1).tolist()
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


def table_text(profile: Profile) -> str:
    """The whole: heading, a line a column, warnings."""
    # Of a terminal its own, so that lines do not break and names are not cut for nothing.
    width, lines = screen_width() or WIDTH, heading(profile)
    if profile.columns:
        lines += ["", *_body(profile, width).split("\n")]
    hidden = len(profile) - MOST_COLUMNS
    if hidden > 0:
        lines.append(f"and {many(hidden, 'other column')}: see profile[name] or profile.to_frame()")
    return "\n".join([*lines, *_warnings(profile.warnings, width)])


def _body(profile: Profile, width: int) -> str:
    """A line a column: names and values as wide as they need, as far as there is room.

    Where there is little, it is not said how many different values there are.
    """
    told = profile.target is not None
    head = ["column", "", "kind", "missing", "distinct", "values", "", *(["tells"] if told else [])]
    rows = [head, *(_row(column, told) for column in profile.columns[:MOST_COLUMNS])]
    align = "<<<>><<>" if told else "<<<>><<"
    if width < WIDTH:
        rows, align = [[*row[:4], *row[5:]] for row in rows], align[:4] + align[5:]
    at = head.index("values") - (width < WIDTH)
    others = table([["", *row[1:at], "", *row[at + 1 :]] for row in rows], align).split("\n")
    room = width - max(map(len, others))
    name = min(max(len(row[0]) for row in rows), max(room - VALUES, VALUES))
    values = max(room - name, len("values"))
    return table(
        [[shown(row[0], name), *row[1:at], _cut(row[at], values), *row[at + 1 :]] for row in rows], align
    )


def _cut(words: str, width: int) -> str:
    """What fits, cut behind a comma, so that half a number is not taken for a whole one.

    >>> _cut("55310 ± 394362, 5367 to 9900000", 25)
    '55310 ± 394362, …'
    """
    if len(words) <= width:
        return words
    comma = words.rfind(", ", 0, width - 1)
    return f"{words[:comma]}, …" if comma > 0 else shown(words, width)


def _row(column: ColumnProfile, told: bool) -> list[str]:
    association = column.association
    tells = "target" if column.is_target else "" if association is None else share(association.share, 1)
    return [
        shown(column.name, WIDTH),
        "!" if column.warnings else "",
        str(column.kind),
        share(column.missing, column.n),
        str(column.distinct),
        in_words(column),
        spark(heights(column)),
        *([tells] if told else []),
    ]


def _warnings(warnings: tuple[ColumnWarning, ...], width: int) -> list[str]:
    if not warnings:
        return []
    lines = ["", many(len(warnings), "warning")]
    for warning in warnings[:MOST_WARNINGS]:
        lines += wrap(f"! {warning}", width, subsequent_indent="  ")
    if len(warnings) > MOST_WARNINGS:
        lines.append(f"and {many(len(warnings) - MOST_WARNINGS, 'other')}: see profile.warnings")
    return lines


def column_text(profile: ColumnProfile) -> str:
    """The column from top to bottom."""
    lines = [
        f"{shown(profile.name)}: {profile.kind} ({profile.why})",
        f"{many(profile.n, 'row')}, {profile.missing} missing ({share(profile.missing, profile.n)}), "
        f"{many(profile.distinct, 'different value')}",
    ]
    lines += wrap(association_words(profile.association), WIDTH) if profile.association else []
    if profile.bars:
        lines += ["", f"{spark(heights(profile))}  {figure(profile.min)} to {figure(profile.max)}"]
    numbers = [[spoken(name), figure(value)] for name, value in profile.statistics.items()]
    lines += ["", table(numbers, "<<")] if numbers else []
    if profile.hundredths:
        marks = [figure(profile.percentiles[mark]) for mark in _MARKS]
        lines += ["", table([["percentile", *map(str, _MARKS)], ["value", *marks]], "<" + ">" * len(_MARKS))]
    lines += _levels(profile)
    for warning in profile.warnings:
        lines += ["", *wrap(f"! {warning.what}. {warning.message}", WIDTH, subsequent_indent="  ")]
    return "\n".join(lines)


def association_words(association: Association) -> str:
    """What a column tells about the target, in words."""
    return (
        f"tells {association.bits:.2g} bits about the target, {share(association.share, 1)} of what there is "
        f"to tell (mutual information {association.mutual_information!r})"
    )


def _levels(profile: ColumnProfile) -> list[str]:
    most = max((level.count for level in profile.levels), default=0)
    if not most or names_rows(profile) or (profile.bars and most < OFTEN * profile.known):
        return []
    rows = [
        [figure(level.value), str(count := level.count), share(count, profile.known), right_bar(count / most)]
        for level in profile.levels
    ]
    more = profile.distinct - sum(level.count > 0 for level in profile.levels)
    lines = ["", table([["value", "rows", "", ""], *rows], "<>><")]
    return [*lines, f"and {many(more, 'other')}"] if more else lines
