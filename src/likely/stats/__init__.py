"""Blocks of rows and the groups they belong to in; statistics that can be added, subtracted, scaled out."""

from likely.stats.binned import Cells
from likely.stats.counts import Counts
from likely.stats.groups import Groups, Statistic
from likely.stats.kurtosis import Fourth
from likely.stats.moments import Moments
from likely.stats.pooled_scatter import Within
from likely.stats.scatter import Scatter
from likely.stats.sums import CountSums, GapSums, Sums

__all__ = [
    "Cells",
    "CountSums",
    "Counts",
    "Fourth",
    "GapSums",
    "Groups",
    "Moments",
    "Scatter",
    "Statistic",
    "Sums",
    "Within",
]
