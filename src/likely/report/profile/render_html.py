"""Profiles as HTML that needs nothing outside itself, on light and on dark pages; every word is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.format.html_table import styled, table_of
from likely.format.markup import Markup, element, joined
from likely.format.svg import ORANGE, bars_svg, percentiles_svg, share_svg
from likely.format.words import many, shown
from likely.report.profile.render_text import association_words, heading, in_words, names_rows
from likely.report.profile.units import figure, spoken
from likely.report.profile.warnings import ColumnWarning, share
from likely.table.column.kinds import Kind

if TYPE_CHECKING:
    from likely.report.profile.column_profile import ColumnProfile
    from likely.report.profile.table_profile import Profile

MOST_COLUMNS = 100
_HEADS = ("column", "missing", "distinct", "values", "histogram", "percentiles")


def table_html(profile: Profile) -> Markup:
    """The whole table: heading, and a row a column with its pictures and warnings."""
    title, *more = heading(profile)
    with_target = profile.target is not None
    content = [element("h3", title), *(_faint("div", line) for line in more)]
    if profile.columns:
        heads = [element("th", word) for word in (*_HEADS, *(["tells"] if with_target else []))]
        rows = [row for column in profile.columns[:MOST_COLUMNS] for row in _rows(column, with_target)]
        content.append(element("div", table_of(heads, rows, class_="all"), class_="wide"))
    hidden = len(profile) - MOST_COLUMNS
    if hidden > 0:
        content.append(_faint("p", f"and {many(hidden, 'other column')}"))
    return styled(*content)


def column_html(profile: ColumnProfile) -> Markup:
    """One column: its statistics and pictures."""
    gaps = f"{profile.missing} of {profile.n} missing, {many(profile.distinct, 'different value')}"
    content = [element("h3", shown(profile.name), " ", _badge(profile)), _faint("div", gaps)]
    if profile.association:
        content.append(_faint("div", association_words(profile.association)))
    numbers = [
        element("div", _faint("span", spoken(name)), " ", element("span", figure(value), class_="number"))
        for name, value in profile.statistics.items()
    ]
    pictures = (_bars(profile), _percentiles(profile))
    content += [element("div", *facts, class_="facts") for facts in (numbers, pictures)]
    return styled(*content, _warnings(profile.warnings))


def _faint(tag: str, text: str) -> Markup:
    return element(tag, text, class_="faint")


def _rows(column: ColumnProfile, with_target: bool) -> list[list[Markup]]:
    """A row for the column and, where there are warnings, one for them that has the whole width."""
    gaps = column.missing / column.n if column.n else 0.0
    cells = [
        element("td", shown(column.name, 60), element("div", _badge(column)), class_="name"),
        element("td", share(column.missing, column.n), share_svg(gaps, ORANGE), class_="number"),
        element("td", column.distinct, class_="number"),
        element("td", in_words(column), class_="words"),
        element("td", _bars(column)),
        element("td", _percentiles(column)),
    ]
    if with_target:
        cells.append(element("td", _tells(column), class_="number"))
    if not column.warnings:
        return [cells]
    return [cells, [element("td", _warnings(column.warnings), colspan=len(cells), class_="more")]]


def _badge(column: ColumnProfile) -> Markup:
    kind = element("span", column.kind, class_="badge", title=column.why)
    return joined(kind, " ", element("span", "target", class_="badge")) if column.is_target else kind


def _tells(column: ColumnProfile) -> Markup:
    association = column.association
    if association is None:
        return Markup("")
    saved = element("span", share(association.share, 1), title=association_words(association))
    return joined(saved, share_svg(association.share))


def _bars(column: ColumnProfile) -> Markup:
    if column.bars:
        words = [
            f"{figure(bar.low)} to {figure(bar.high)}: {many(bar.count, 'row')}" for bar in column.histogram
        ]
        return bars_svg([bar.count for bar in column.bars], words)
    if column.kind is Kind.TEXT or names_rows(column):
        return Markup("")
    words = [f"{figure(level.value)}: {many(level.count, 'row')}" for level in column.levels]
    return bars_svg([level.count for level in column.levels], words, gap=3)


def _percentiles(column: ColumnProfile) -> Markup:
    if not column.bars:
        return Markup("")
    marks = {"least": 0, "a quarter below": 25, "half below": 50, "three quarters below": 75, "most": 100}
    words = ", ".join(f"{word} {figure(column.percentiles[mark])}" for word, mark in marks.items())
    return percentiles_svg(column.hundredths, words)


def _warnings(warnings: tuple[ColumnWarning, ...]) -> Markup:
    return joined(
        *(
            element("div", element("b", f"{warning.what}."), f" {warning.message}", class_="warn")
            for warning in warnings
        )
    )
