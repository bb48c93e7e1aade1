"""Profiles as HTML that needs nothing outside itself, on light and on dark pages; every word is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from likely.format.colours import ORANGE
from likely.format.svg import bars_svg, percentiles_svg, share_svg
from likely.format.words import many, shown
from likely.report.profile.allowed import spoken
from likely.report.profile.render_column import told
from likely.report.profile.sparkline import heading, in_words, names_rows
from likely.report.profile.units import figure
from likely.report.profile.warnings import Caution, share
from likely.table.column.kinds import Kind

if TYPE_CHECKING:
    from likely.report.profile.column_profile import ColumnProfile
    from likely.report.profile.table_profile import Profile

MOST_COLUMNS = 100
_LINE = "rgba(128,128,128,.35)"
_STYLE = f"""<style>
.likely-profile {{font: 13px/1.4 system-ui, sans-serif; max-width: 1160px}}
.likely-profile h3 {{font-size: 16px; margin: 0 0 2px}}
.likely-profile .faint {{opacity: .72}}
.likely-profile table.all {{border-collapse: collapse; width: 100%; margin-top: 10px; font: inherit;
  color: inherit}}
.likely-profile table.all > * > tr > * {{border: 0; border-top: 1px solid {_LINE}; padding: 7px 10px 7px 0;
  text-align: left; vertical-align: top; background: none}}
.likely-profile thead th {{font-weight: 600; opacity: .72}}
.likely-profile .name {{font-weight: 600; overflow-wrap: anywhere; max-width: 190px}}
.likely-profile .name div {{margin-top: 2px}}
.likely-profile .number {{font-variant-numeric: tabular-nums; white-space: nowrap}}
.likely-profile .words {{min-width: 200px; overflow-wrap: anywhere}}
.likely-profile .badge {{border: 1px solid {_LINE}; border-radius: 9px; padding: 0 7px; font-size: 11px;
  font-weight: 400; white-space: nowrap}}
.likely-profile .warn {{border-left: 3px solid {ORANGE}; padding-left: 7px; margin-top: 5px; max-width: 62em;
  white-space: pre-wrap}}
.likely-profile svg {{display: block}}
.likely-profile .facts {{display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 8px 0}}
</style>"""


def table_html(profile: Profile) -> str:
    """The whole table: heading, and a row a column with its pictures and warnings."""
    title, *more = heading(profile)
    with_target = profile.target is not None
    heads = ["column", "missing", "distinct", "values", "histogram", "percentiles"]
    head = "".join(f"<th>{word}</th>" for word in [*heads, *(["tells"] if with_target else [])])
    rows = "".join(_row(column, with_target) for column in profile.columns[:MOST_COLUMNS])
    hidden = len(profile) - MOST_COLUMNS
    rest = f'<p class="faint">and {many(hidden, "other column")}</p>' if hidden > 0 else ""
    lines = "".join(f'<div class="faint">{escape(line)}</div>' for line in more)
    table = f'<table class="all"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    whole = f"<h3>{escape(title)}</h3>{lines}{table if profile.columns else ''}{rest}"
    return f'{_STYLE}<div class="likely-profile">{whole}</div>'


def column_html(profile: ColumnProfile) -> str:
    """One column: its statistics and pictures."""
    numbers = "".join(
        f'<div><span class="faint">{escape(spoken(name))}</span> '
        f'<span class="number">{escape(figure(value))}</span></div>'
        for name, value in profile.statistics.items()
    )
    tells = f'<div class="faint">{escape(told(profile.association))}</div>' if profile.association else ""
    gaps = f"{profile.missing} of {profile.n} missing, {many(profile.distinct, 'different value')}"
    return (
        f'{_STYLE}<div class="likely-profile"><h3>{escape(shown(profile.name))} {_badge(profile)}</h3>'
        f'<div class="faint">{escape(gaps)}</div>{tells}<div class="facts">{numbers}</div>'
        f'<div class="facts">{_bars(profile)}{_percentiles(profile)}</div>{_warnings(profile.warnings)}</div>'
    )


def _row(column: ColumnProfile, with_target: bool) -> str:
    gaps = column.missing / column.n if column.n else 0.0
    cells = [
        f'<td class="name">{escape(shown(column.name, 60))}<div>{_badge(column)}</div></td>',
        f'<td class="number">{escape(share(column.missing, column.n))}{share_svg(gaps, ORANGE)}</td>',
        f'<td class="number">{column.distinct}</td>',
        f'<td class="words">{escape(in_words(column))}{_warnings(column.warnings)}</td>',
        f"<td>{_bars(column)}</td>",
        f"<td>{_percentiles(column)}</td>",
    ]
    if with_target:
        cells.append(f'<td class="number">{_tells(column)}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _badge(column: ColumnProfile) -> str:
    target = ' <span class="badge">target</span>' if column.is_target else ""
    return f'<span class="badge" title="{escape(column.why)}">{column.kind}</span>{target}'


def _tells(column: ColumnProfile) -> str:
    found = column.association
    if found is None:
        return ""
    return (
        f'<span title="{escape(told(found))}">{escape(share(found.share, 1))}</span>{share_svg(found.share)}'
    )


def _bars(column: ColumnProfile) -> str:
    if column.bars:
        words = [
            f"{figure(bar.low)} to {figure(bar.high)}: {many(bar.count, 'row')}" for bar in column.histogram
        ]
        return bars_svg([bar.count for bar in column.bars], words)
    if column.kind is Kind.TEXT or names_rows(column):
        return ""
    words = [f"{figure(level.value)}: {many(level.count, 'row')}" for level in column.levels]
    return bars_svg([level.count for level in column.levels], words, gap=3)


def _percentiles(column: ColumnProfile) -> str:
    if not column.bars:
        return ""
    marks = {"least": 0, "a quarter below": 25, "half below": 50, "three quarters below": 75, "most": 100}
    words = ", ".join(f"{word} {figure(column.percentiles[mark])}" for word, mark in marks.items())
    return percentiles_svg(column.hundredths, words)


def _warnings(found: tuple[Caution, ...]) -> str:
    return "".join(
        f'<div class="warn"><b>{escape(caution.what)}.</b> {escape(caution.message)}</div>'
        for caution in found
    )
