"""The profile of a table as plain text, as wide as the terminal, or 100 characters."""

from __future__ import annotations

import shutil
import sys
from textwrap import wrap
from typing import TYPE_CHECKING

from likely.format.words import many, shown, table
from likely.report.profile.sparkline import heading, heights, in_words, spark
from likely.report.profile.warnings import ColumnWarning, share

if TYPE_CHECKING:
    from likely.report.profile.column_profile import ColumnProfile
    from likely.report.profile.table_profile import Profile

WIDTH, NARROWEST = 100, 80  # characters
MOST_COLUMNS, MOST_WARNINGS = 40, 20
VALUES = 20  # characters that values have at least, before names are cut


def table_text(profile: Profile) -> str:
    """The whole: heading, a line a column, warnings."""
    width, lines = _width(), heading(profile)
    if profile.columns:
        lines += ["", *_body(profile, width).split("\n")]
    hidden = len(profile) - MOST_COLUMNS
    if hidden > 0:
        lines.append(f"and {many(hidden, 'other column')}: see profile[name] or profile.to_frame()")
    return "\n".join([*lines, *_warnings(profile.warnings, width)])


def _width() -> int:
    """Of a terminal its own, so that lines do not break and names are not cut for nothing."""
    if not sys.stdout.isatty():
        return WIDTH
    return max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST)


def _body(profile: Profile, width: int) -> str:
    """A line a column: names and values as wide as they need, as far as there is room."""
    told = profile.target is not None
    head = ["column", "", "kind", "missing", "distinct", "values", "", *(["tells"] if told else [])]
    rows = [head, *(_row(column, told) for column in profile.columns[:MOST_COLUMNS])]
    align = "<<<>><<>" if told else "<<<>><<"
    others = table([["", *row[1:5], "", *row[6:]] for row in rows], align).split("\n")
    room = width - max(map(len, others))
    name = min(max(len(row[0]) for row in rows), max(room - VALUES, VALUES))
    values = max(room - name, len("values"))
    return table([[shown(row[0], name), *row[1:5], shown(row[5], values), *row[6:]] for row in rows], align)


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
