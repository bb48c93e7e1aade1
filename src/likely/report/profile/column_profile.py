"""The profile of one column: its kind and why, the statistics that the kind allows, and what to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

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
from likely.report.profile.value_counts import HIGHEST
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
    | all | `mode`, `modes` |
    | ordinal, count, quantitative | `min`, `median`, `max`, `quantile(share)`, `percentiles` |
    | ... | `lower_median`, `upper_median` |
    | count, quantitative | `mean`, `variance`, `sd`, `range`, `iqr`, `midrange`, `share_up_to_mean` |
    | ... | `central_moment(order)`, `bin_width` of the histogram |
    | ... that vary | `skewness`, `excess_kurtosis` |
    | ... with values above 0 | `geometric_mean`, `harmonic_mean`, `geometric_midrange`, `ratio_range` |

    They are of the known, finite values, with n as the divisor of variance and all moments. For dates and
    times they are dates, times and durations. Of an even number of values the median is the mean of the two
    in the middle; of levels it is the lower one.

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
    modes: tuple[Any, ...]  # all values that are most frequent
    middle: tuple[Any, ...]  # the two values in the middle, in the column's unit
    powers: tuple[float, ...]  # means of the powers of z-scores
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

    @property
    def lower_median(self) -> Any:
        """The value in the middle; of an even number of values the lower of two."""
        return self._in_the_middle(0)

    @property
    def upper_median(self) -> Any:
        """The value in the middle; of an even number of values the upper of two."""
        return self._in_the_middle(1)

    def _in_the_middle(self, place: int) -> Any:
        if not self._ordered:
            raise LikelyError(not_of_this_kind(self.column, "median", self.numbers.get("mode")))
        if not self.middle:
            raise LikelyError(not_defined(self.column, "median", 0, self.numbers))
        return self._from_unit(self.middle[place])

    def central_moment(self, order: int) -> float:
        """The mean of (value - mean)^order, divided by n, in the column's unit to this power.

        >>> import likely
        >>> column = likely.profile({"x": [0.0, 0.0, 0.0, 4.0]})["x"]
        >>> [column.central_moment(order) for order in (0, 1, 2, 3)]
        [1.0, 0.0, 3.0, 6.0]
        """
        if "mean" not in allowed(self.kind):
            raise LikelyError(not_of_this_kind(self.column, "central moment", self.numbers.get("mode")))
        if not isinstance(order, int) or not 0 <= order <= HIGHEST:
            raise LikelyError(
                f"central_moment({order!r}) of {self.name!r}: a profile has the orders 0 to {HIGHEST}. "
                "For others ask the data, for example with scipy.stats.moment."
            )
        if not self.powers:
            raise LikelyError(not_defined(self.column, "central moment", 0, self.numbers))
        with np.errstate(over="ignore", under="ignore"):
            scale = float(np.float64(self.numbers["sd"]) ** order)
        return 0.0 if order == 1 or not self.powers[order] else self.powers[order] * scale

    @property
    def bin_width(self) -> Any:
        """How wide the bars of the histogram are, in the column's unit; those at the ends may be wider."""
        if not self.bars:
            raise LikelyError(
                f"column {self.name!r} is {self.kind} with {self.known} known values: it has no histogram of "
                "numbers. `levels` has its counts."
            )
        widths = sorted(bar.high - bar.low for bar in self.bars)
        return in_unit(self.column, "range", widths[(len(widths) - 1) // 2])

    def quantile(self, share: float) -> Any:
        """The value that this share of the values lies below; of levels, the lowest that reaches the share.

        Between two values it is linear: the 80th percentile of 1, 2, ... 100 is 80.2. Some books take value
        number floor(n p / 100) + 1, here 81.

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
        """Draw the share of rows that lie below each value, P(X <= x), with the mean and the quartiles."""
        return plot_percentiles(self, ax)

    def __str__(self) -> str:
        return column_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return column_html(self)
