"""The profile of one column as plain text."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from likely.format.words import many, right_bar, shown, table
from likely.report.profile.allowed import spoken
from likely.report.profile.render_text import WIDTH
from likely.report.profile.sparkline import heights, names_rows, spark
from likely.report.profile.units import figure
from likely.report.profile.warnings import share

if TYPE_CHECKING:
    from likely.report.profile.association import Association
    from likely.report.profile.column_profile import ColumnProfile

OFTEN = 0.05  # share of the rows: numbers are listed if one is as frequent as that
_MARKS = (0, 5, 25, 50, 75, 95, 100)  # percentiles that are printed


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
