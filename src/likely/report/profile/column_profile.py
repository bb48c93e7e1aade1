"""The profile of one column: its kind and why, the statistics that the kind allows, and what to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from likely.errors import LikelyError
from likely.report.profile.association import Association
from likely.report.profile.bars import Bar, Level
from likely.report.profile.pictures import plot_percentiles, plot_values
from likely.report.profile.plain import column_record
from likely.report.profile.render_html import column_html
from likely.report.profile.render_text import column_text
from likely.report.profile.units import (
    STATISTICS,
    allowed,
    in_unit,
    not_defined,
    not_of_this_kind,
    unit_value,
)
from likely.report.profile.warnings import ColumnWarning
from likely.table.column.column import Column
from likely.table.column.kinds import Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class ColumnProfile:
    """What there is to know about one column, as `likely.profile(table)[name]` gives it.

    A statistic is an attribute (`profile["age"].mean`), or `statistic("mean")`. Which there are depends on
    the kind; asking for another one raises an error that says why.

    | kind | statistics |
    |---|---|
    | all | `mode` |
    | ordinal, count, quantitative | `min`, `median`, `max`, `quantile(share)`, `percentiles` |
    | count, quantitative | `mean`, `variance`, `sd`, `range`, `iqr`, `midrange` |
    | ... that vary | `skewness`, `excess_kurtosis` |
    | ... with values above 0 | `geometric_mean`, `harmonic_mean`, `geometric_midrange` |

    They are of the known, finite values, with n as the divisor of variance, skewness and kurtosis. For
    dates and times they are dates, times and durations.

    Examples
    --------
    >>> import likely
    >>> ages = likely.profile({"age": [22.0, 38.0, None, 4.0], "sex": ["m", "f", "f", "m"]})
    >>> ages["age"].median, ages["age"].missing, ages["sex"].levels[0].count
    (22.0, 1, 2)
    >>> ages["sex"].mean  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    likely.errors.LikelyError: column 'sex' is categorical: levels have no order and no distance, so ...
    """

    column: Column
    why: str  # the reason for the kind
    n: int  # rows
    missing: int  # cells
    infinite: int  # cells
    distinct: int  # different values
    levels: tuple[Level, ...]  # the most frequent values (those of ordinal columns in their order)
    numbers: Mapping[str, Any]  # statistics; those of times as numbers in the column's unit
    hundredths: tuple[Any, ...]  # the quantiles from 0 to 1 in steps of 0.01, in the column's unit
    bars: tuple[Bar, ...]  # the histogram, in the column's unit
    association: Association | None  # with the target
    warnings: tuple[ColumnWarning, ...]
    is_target: bool = False

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def kind(self) -> Kind:
        """The kind of the column."""
        return self.column.kind

    @property
    def known(self) -> int:
        """In how many rows it is known."""
        return self.n - self.missing

    @property
    def statistics(self) -> dict[str, Any]:
        """All statistics that the kind allows and the values have, by name."""
        return {
            name: in_unit(self.column, name, self.numbers[name])
            for name in allowed(self.kind)
            if name in self.numbers
        }

    def statistic(self, name: str) -> Any:
        """One statistic by its name.

        >>> import likely
        >>> likely.profile({"size": [1, 2, 2]})["size"].statistic("mode")
        2.0
        """
        name = str(name)
        if name not in STATISTICS:
            near = get_close_matches(name, STATISTICS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(STATISTICS)}."
            raise LikelyError(f"statistic {name!r} of column {self.name!r} is unknown: {hint}")
        if name not in allowed(self.kind):
            raise LikelyError(not_of_this_kind(self.column, name, self.numbers.get("mode")))
        if name not in self.numbers:
            raise LikelyError(not_defined(self.column, name, self.known - self.infinite, self.numbers))
        return in_unit(self.column, name, self.numbers[name])

    def __getattr__(self, name: str) -> Any:
        if name in STATISTICS:
            return self.statistic(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *allowed(self.kind)]

    @property
    def percentiles(self) -> tuple[Any, ...]:
        """The quantiles from 0 to 1 in steps of 0.01: 101 values, or none if no cell holds one."""
        if not self._ordered:
            raise LikelyError(not_of_this_kind(self.column, "quantile", self.numbers.get("mode")))
        return tuple(self._from_unit(value) for value in self.hundredths)

    def quantile(self, share: float) -> Any:
        """The value that this share of the values lies below; of levels, the lowest that reaches the share.

        >>> import likely
        >>> likely.profile({"x": [0.0, 1.0, 4.0]})["x"].quantile(0.75)
        2.5
        """
        percentiles, hundredth = self.percentiles, round(100 * share) if share == share else -1
        if not 0 <= share <= 1 or abs(hundredth - 100 * share) > 1e-9:
            raise LikelyError(
                f"quantile({share!r}) of column {self.name!r}: a profile keeps those of 0, 0.01, ... 1. For "
                "others ask the data, for example with numpy.nanquantile."
            )
        if not percentiles:
            raise LikelyError(not_defined(self.column, "quantile", 0, self.numbers))
        return percentiles[hundredth]

    @property
    def histogram(self) -> tuple[Bar, ...]:
        """Bars between round numbers (or dates); `levels` has the counts of other kinds."""
        return tuple(Bar(self._from_unit(bar.low), self._from_unit(bar.high), bar.count) for bar in self.bars)

    @property
    def _ordered(self) -> bool:
        return "median" in allowed(self.kind)

    def _from_unit(self, value: Any) -> Any:
        return unit_value(self.column, value) if self.column.unit and not self.kind.coded else value

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain JSON types; what is infinite is a word."""
        return column_record(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the histogram, or bars for the most frequent levels (needs the extra `plot`)."""
        return plot_values(self, ax)

    def plot_percentiles(self, ax: Axes | None = None) -> Axes:
        """Draw the values against the share of rows that lie below (needs the extra `plot`)."""
        return plot_percentiles(self, ax)

    def __str__(self) -> str:
        return column_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return column_html(self)
