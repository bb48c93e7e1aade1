"""The profile of a table as one HTML file: every column, drawn when it is looked at, and no row."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from likely.format.words import many
from likely.page.columns import text_of
from likely.page.page import Page
from likely.page.rare import LEAST_ROWS, Rarity, together
from likely.page.render import PROFILE, render
from likely.page.table_panel import warning_record
from likely.report.profile.bars import Bar
from likely.report.profile.column_profile import ColumnProfile
from likely.report.profile.render_text import association_words, heading, names_rows
from likely.report.profile.table_profile import Profile
from likely.report.profile.units import figure
from likely.table.column.kinds import Kind

QUANTILES = (5, 25, 50, 75, 95)  # percentiles that are shown where there are rows enough beyond them
NUMBERS = ("mean", "sd", "skewness")
MOST_LEVELS = 10


def profile_page(profile: Profile, *, show_rare: bool = False, title: str = "Profile of a table") -> Page:
    """The page of a profile; see `Profile.page`.

    >>> import likely
    >>> page = profile_page(likely.profile(likely.read("titanic"), "survived"))
    >>> page.contains[0]
    'No rows: nothing in this file is a row of the table.'
    """
    rarity = Rarity(0 if show_rare else LEAST_ROWS)
    lines = _contents(rarity)
    lead, *more = heading(profile)
    page = {
        "title": f"{title} · likely",
        "heading": title,
        "lead": lead,
        "more": more,
        "contains": lines,
        "version": import_module("likely").__version__,
    }
    data = {
        "tells": profile.target is not None,
        "kinds": list(profile.kinds),
        "columns": [column_data(column, rarity) for column in profile],
    }
    return Page(render(page, data, PROFILE), tuple(lines))


def _contents(rarity: Rarity) -> list[str]:
    lines = [
        "No rows: nothing in this file is a row of the table.",
        "Of each column its name, kind, how many cells are missing and how many values differ; of numbers "
        "means, quantiles and a histogram, of levels how often each occurs.",
    ]
    if rarity.least:
        lines.append(
            f"Values and bars of fewer than {rarity.least:g} rows are put together; no smallest and no "
            "largest value, no text, and no value of a column that names its rows."
        )
    else:
        lines.append("Rare values too, and the smallest and largest of each column (--show-rare).")
    return lines


def column_data(column: ColumnProfile, rarity: Rarity) -> dict[str, Any]:
    """What the script draws of a column; what does not apply is left out, for there may be thousands."""
    data: dict[str, Any] = {
        "name": text_of(column.name),
        "kind": str(column.kind),
        "why": column.why,
        "rows": column.n,
        "missing": column.missing,
        "distinct": column.distinct,
        "target": column.is_target,
        "facts": _facts(column, rarity),
        "bars": _bars(column, rarity),
        "levels": _levels(column, rarity),
        "warnings": [warning_record(column, warning, rarity) for warning in column.warnings],
    }
    if column.association is not None:
        data["tells"] = round(column.association.share, 4)
        data["told"] = association_words(column.association)
    return {name: value for name, value in data.items() if value or name in ("missing", "distinct", "tells")}


def _facts(column: ColumnProfile, rarity: Rarity) -> list[list[str]]:
    """Statistics in words, of numbers of which there are enough."""
    if column.kind not in (Kind.QUANTITATIVE, Kind.COUNT) or column.known < max(rarity.least, 1):
        return []
    statistics = column.statistics
    said = [[name, figure(statistics[name])] for name in NUMBERS if name in statistics]
    beyond = [min(q, 100 - q) * column.known / 100 for q in QUANTILES]
    marks = [q for q, rows in zip(QUANTILES, beyond, strict=True) if rows >= rarity.least]
    if not rarity.least:
        marks = [0, *QUANTILES, 100]
    words = {0: "least", 25: "lower quarter", 50: "median", 75: "upper quarter", 100: "most"}
    values = column.percentiles if column.hundredths else ()
    return said + [[words.get(q, f"{q}% below"), figure(values[q])] for q in marks if values]


def _bars(column: ColumnProfile, rarity: Rarity) -> list[list[Any]]:
    """The histogram: of each bar its words, its share of the width, and its rows.

    Where the numbers end is for nobody to see: the bars at the ends are open, and as wide as one bin.
    """
    bars: tuple[Bar, ...] = column.bars
    if not bars or sum(bar.count for bar in bars) < rarity.least:
        return []
    spoken = column.histogram
    runs = rarity.runs(np.array([bar.count for bar in bars], np.float64))
    words, widths = [], []
    for place, (start, stop) in enumerate(runs):
        first, last = (place == 0, place == len(runs) - 1) if rarity.least else (False, False)
        low, high = figure(spoken[start].low), figure(spoken[stop - 1].high)
        if first or last:
            start, stop = (stop - 1, stop) if first else (start, start + 1)  # the bin that is drawn
        ends = {(True, True): "all", (True, False): f"below {high}", (False, True): f"{low} and more"}
        words.append(ends.get((first, last), f"{low} to {high}"))
        widths.append(bars[stop - 1].high / 2 - bars[start].low / 2)  # halves: a range may leave the numbers
    shares = np.array(widths) / sum(widths) if sum(widths) else np.full(len(runs), 1 / len(runs))
    rows = [sum(bar.count for bar in bars[start:stop]) for start, stop in runs]
    return [[*bar] for bar in zip(words, shares.round(5).tolist(), rows, strict=True)]


def _levels(column: ColumnProfile, rarity: Rarity) -> list[list[Any]]:
    """The most frequent levels with their rows, and all others together."""
    if column.bars or column.kind is Kind.TEXT:
        return []
    if names_rows(column) and rarity.least:
        return []
    shown = [level for level in column.levels if level.count >= max(rarity.least, 1)][:MOST_LEVELS]
    levels: list[list[Any]] = [[text_of(level.value), level.count] for level in shown]
    rest = column.known - sum(level.count for level in shown)
    others = column.distinct - len(shown)
    if rest > 0 and others > 0:
        rare = max((level.count for level in column.levels if level not in shown), default=0) < rarity.least
        name = together(["?"] * others) if rare else f"{many(others, 'other value')}"
        levels.append([name, rest])
    return levels
