"""The profile of a table as plain text, 100 characters wide."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from likely.format.words import many, shown, table
from likely.report.profile.sparkline import heading, heights, in_words, spark
from likely.report.profile.warnings import ColumnWarning, share

if TYPE_CHECKING:
    from likely.report.profile.column_profile import ColumnProfile
    from likely.report.profile.table_profile import Profile

WIDTH = 100
MOST_COLUMNS, MOST_WARNINGS = 40, 20
NAME = 22  # characters of a column's name


def table_text(profile: Profile) -> str:
    """The whole: heading, a line a column, warnings."""
    lines = heading(profile)
    if profile.columns:
        lines += ["", *_body(profile).split("\n")]
    hidden = len(profile) - MOST_COLUMNS
    if hidden > 0:
        lines.append(f"and {many(hidden, 'other column')}: see profile[name] or profile.to_frame()")
    return "\n".join([*lines, *_warnings(profile.warnings)])


def _body(profile: Profile) -> str:
    told = profile.target is not None
    head = ["column", "", "kind", "missing", "distinct", "values", "", *(["tells"] if told else [])]
    rows = [head, *(_row(column, told) for column in profile.columns[:MOST_COLUMNS])]
    align = "<<<>><<>" if told else "<<<>><<"
    others = table([[*row[:5], "", *row[6:]] for row in rows], align).split("\n")
    room = max(WIDTH - max(map(len, others)), len("values"))
    return table([[*row[:5], shown(row[5], room), *row[6:]] for row in rows], align)


def _row(column: ColumnProfile, told: bool) -> list[str]:
    association = column.association
    tells = "target" if column.is_target else "" if association is None else share(association.share, 1)
    return [
        shown(column.name, NAME),
        "!" if column.warnings else "",
        str(column.kind),
        share(column.missing, column.n),
        str(column.distinct),
        in_words(column),
        spark(heights(column)),
        *([tells] if told else []),
    ]


def _warnings(warnings: tuple[ColumnWarning, ...]) -> list[str]:
    if not warnings:
        return []
    lines = ["", many(len(warnings), "warning")]
    for warning in warnings[:MOST_WARNINGS]:
        lines += wrap(f"! {warning}", WIDTH, subsequent_indent="  ")
    if len(warnings) > MOST_WARNINGS:
        lines.append(f"and {many(len(warnings) - MOST_WARNINGS, 'other')}: see profile.warnings")
    return lines
