"""Counted numbers -> a few bins of about as many rows each."""

from __future__ import annotations

import math

import numpy as np

from likely.report.profile.value_counts import Tally
from likely.stats.groups import Floats

MOST_BINS = 32
FEW = 20  # whole numbers: a target with no more of them is one of classes


def bins_for(n: int) -> int:
    """How many bins n rows are enough for: the power of two nearest to the cube root of n, 2 to 32.

    >>> [bins_for(n) for n in (10, 100, 1000, 10**6)]
    [2, 4, 8, 32]
    """
    return int(2 ** min(max(round(math.log2(max(n, 1)) / 3), 1), round(math.log2(MOST_BINS))))


def equal_bins(tally: Tally, bins: int) -> Floats:
    """Where the second bin begins, the third, ...: with equal values in one bin, and a frequent one alone.

    >>> equal_bins(Tally.of(np.array([1.0, 2.0, 3.0, 4.0])), 2)
    array([3.])
    >>> equal_bins(Tally.of(np.array([0.0] * 6 + [7.0, 8.0])), 2)
    array([7.])
    """
    k, n = len(tally.values), tally.n
    if k <= bins:
        return tally.values[1:]
    last = np.searchsorted(tally.ends, n * np.arange(1, bins) / bins)  # the value that ends a bin
    often = last[tally.counts[last] * bins >= n]
    cuts = np.union1d(last + 1, often)
    return tally.values[cuts[(cuts > 0) & (cuts < k)]]


def target_bins(tally: Tally) -> Floats:
    """The bins of a target: whole numbers are classes if they are few, others get quarters or eighths."""
    whole = bool((np.floor(tally.values) == tally.values).all())
    if whole and len(tally.values) <= FEW:
        return tally.values[1:]
    return equal_bins(tally, min(bins_for(tally.n), 8))
