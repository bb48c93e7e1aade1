"""Blocks of rows and the groups they belong to in; statistics that can be added, subtracted, scaled out."""

from likely.stats.cells import Cells
from likely.stats.counts import Counts
from likely.stats.fourth import Fourth
from likely.stats.gap_sums import GapSums
from likely.stats.groups import Groups
from likely.stats.moments import Moments
from likely.stats.scatter import Scatter
from likely.stats.statistic import Statistic
from likely.stats.sums import CountSums, Sums
from likely.stats.within import Within

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
