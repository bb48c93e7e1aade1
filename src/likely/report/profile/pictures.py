"""The profile of a column -> its histogram, or its percentile plot, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.draw import bars, histogram, percentiles
from likely.errors import LikelyError
from likely.format.words import many, shown
from likely.report.profile.render_text import time_words
from likely.report.profile.units import figure, not_of_this_kind
from likely.report.profile.warnings import share
from likely.table.column.block import LIMIT
from likely.table.column.kinds import UNITS, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from likely.report.profile.column_profile import ColumnProfile


def plot_values(profile: ColumnProfile, ax: Axes | None) -> Axes:
    """The histogram of numbers; of other kinds a bar for each of the most frequent levels."""
    missing = f", {profile.missing} missing" if profile.missing else ""
    title = f"{shown(profile.name)}: {many(profile.n, 'row')}{missing}"
    if profile.kind in (Kind.QUANTITATIVE, Kind.COUNT):
        _refuse_extremes(profile)
        edges = [bar.low for bar in profile.bars] + [bar.high for bar in profile.bars[-1:]]
        counts = [bar.count for bar in profile.bars]
        wide = f" (bars {figure(profile.bin_width)} wide)" if counts else ""
        name = shown(profile.name) + wide
        return histogram(edges, counts, title=title, xlabel=name, words=_words(profile), ax=ax)
    return bars(
        [figure(level.value) for level in profile.levels],
        [float(level.count) for level in profile.levels],
        [f"{level.count} ({share(level.count, profile.known)})" for level in profile.levels],
        title=title,
        xlabel="rows",
        ax=ax,
    )


def plot_percentiles(profile: ColumnProfile, ax: Axes | None) -> Axes:
    """The share of rows up to each value; the mean is marked with the share of rows up to it."""
    title = f"{shown(profile.name)}: {many(profile.known, 'known value')}"
    if profile.kind is Kind.ORDINAL:
        levels = list(dict.fromkeys(profile.hundredths))  # those that are some percentile, in order
        places = [float(levels.index(value)) for value in profile.hundredths]
        names = [figure(level) for level in levels]
        return percentiles(places, title=title, xlabel=shown(profile.name), steps=names, ax=ax)
    if profile.kind not in (Kind.QUANTITATIVE, Kind.COUNT):
        raise LikelyError(not_of_this_kind(profile.column, "percentile", profile.numbers.get("mode")))
    _refuse_extremes(profile)
    mean = None
    if profile.hundredths:
        part = profile.numbers["share_up_to_mean"]
        mean = profile.numbers["mean"], 100 * part, f"mean {figure(profile.mean)}: {part:.0%} lie up to it"
    return percentiles(
        profile.hundredths, title=title, xlabel=shown(profile.name), mean=mean, words=_words(profile), ax=ax
    )


def _refuse_extremes(profile: ColumnProfile) -> None:
    """matplotlib cannot draw an axis as long as the numbers reach."""
    low, high = (profile.numbers.get(end, 0.0) for end in ("min", "max"))
    if max(high, -low) > LIMIT:
        raise LikelyError(
            f"column {profile.name!r} reaches from {low:g} to {high:g}, too far to be drawn: "
            f"rescale it to stay within {LIMIT:g}. Its histogram is there as data."
        )


def _words(profile: ColumnProfile) -> Callable[[float], str] | None:
    """How to write a number of the column along an axis, if it stands for a time."""
    return (lambda number: time_words(profile, number)) if profile.column.type in UNITS else None
