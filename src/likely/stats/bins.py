"""Numbers in bins: where bins begin, and which bin a number lies in.

There are two ways to make bins of about equal weight, and both keep equal values together. By middles
(`equal_frequency`), the bins follow the proportions alone, which calibration needs: twice the rows give the
same bins. By ends (`equal_frequency_starts`), a value that fills a bin by itself gets one to itself, which is
what a column with many zeros needs.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.stats.groups import Floats, Ints

ROUNDING = 1e-9  # of a bin
MOST_BINS = 32


def bins_for(n: int) -> int:
    """How many bins n rows are enough for: the power of two nearest to the cube root of n, 2 to 32.

    >>> [bins_for(n) for n in (10, 100, 1000, 10**6)]
    [2, 4, 8, 32]
    """
    return int(2 ** min(max(round(math.log2(max(n, 1)) / 3), 1), round(math.log2(MOST_BINS))))


def equal_frequency(weight: Floats, bins: int) -> Ints:
    """The ends of about so many bins of equal weight over values in order, from 0 to their number.

    A value goes where its middle row lies. Bins that get none are left out.

    >>> equal_frequency(np.array([1.0, 1.0, 1.0, 3.0]), 2), equal_frequency(np.array([9.0, 1.0]), 10)
    (array([0, 3, 4]), array([0, 1, 2]))
    """
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise LikelyError(f"bins={bins!r}: give a whole number of 1 or more.")
    middle = np.cumsum(weight) - weight / 2
    # A middle at an edge goes up, whatever rounding made of it: the bins depend on proportions only.
    bin_of = np.floor(middle * (int(bins) / weight.sum()) + ROUNDING)
    return np.concatenate([[0], np.flatnonzero(np.diff(bin_of)) + 1, [len(weight)]]).astype(np.intp)


def equal_frequency_starts(counts: Ints | Floats, bins: int) -> Ints:
    """Which of some values in order begin the second bin, the third, ...: bins of about as many rows.

    A value that fills a bin by itself is alone in one. As many values as bins, or fewer, have one each. The
    same values in falling order have the same bins: where the middle row would belong to neither half, an
    even number of bins is one less, and two are three.

    >>> equal_frequency_starts(np.array([1, 1, 1, 1]), 2), equal_frequency_starts(np.array([1, 6, 1]), 2)
    (array([2]), array([1, 2]))
    >>> equal_frequency_starts(np.ones(9), 4), equal_frequency_starts(np.ones(10), 4)
    (array([3, 6]), array([3, 5, 7]))
    """
    k, up_to = len(counts), np.cumsum(counts)
    if k <= bins:
        return np.arange(1, k)
    n = float(up_to[-1])
    near = ROUNDING * n / bins
    frequent = np.flatnonzero(counts * float(bins) >= n * (1.0 - ROUNDING))
    target = n * np.arange(1, bins) / bins
    at = np.searchsorted(up_to, target - near)  # the value that the target lies in
    over = up_to[at] - target
    under = target - up_to[at] + counts[at]
    inwards = np.where(target < n / 2, over <= under + near, over < under - near)
    half = bins // 2 - 1
    if bins % 2 == 0 and abs(over[half] - under[half]) <= near and at[half] not in frequent:
        return equal_frequency_starts(counts, bins - 1 if bins > 2 else 3)
    starts = np.unique(np.concatenate([at + inwards, frequent, frequent + 1]))
    return starts[(starts > 0) & (starts < k)]


def midway(values: Floats, starts: Ints, weight: Floats | Ints | None = None) -> Floats:
    """Edges midway between values in order and those before, (k,): a number at an edge is in the bin above.

    With the weights of the values, a number just midway is on the side of their mean, where most others are,
    so that the bins of a column and of its negative are the same; without, it is above.

    >>> midway(np.array([1.0, 2.0, 4.0]), np.array([1, 2]))
    array([1.5, 3. ])
    >>> bin_codes(midway(np.array([1.0, 3.0, 5.0, 9.0]), np.array([1, 3]), np.ones(4)), np.array([2.0, 7.0]))
    array([1, 1])
    """
    below, above = values[starts - 1], values[starts]
    edges = below / 2 + above / 2
    if weight is not None:
        nudge = ROUNDING * above - ROUNDING * below
        up = edges <= (weight / weight.sum()) @ values + nudge
        edges = np.where(up, edges - nudge, np.maximum(edges + nudge, np.nextafter(edges, np.inf)))
    return np.where(edges > below, np.minimum(edges, above), above)


def bin_codes(edges: Floats, numbers: NDArray[np.number], *, below: bool = False) -> Ints:
    """The bin of each number between rising inner edges; one at an edge is in the bin above, NaN in the last.

    With `below`, a number at an edge is in the bin below it.

    >>> bin_codes(np.array([1.0, 2.0]), np.array([0.5, 1.0, 7.0]))
    array([0, 1, 2])
    >>> bin_codes(np.array([1.0, 2.0]), np.array([0.5, 1.0, 7.0]), below=True)
    array([0, 0, 2])
    """
    return np.searchsorted(edges, numbers, "left" if below else "right")


def equal_width_codes(low: float, width: float, bins: int, numbers: Floats) -> Ints:
    """The bin of each number, of so many of one width; of a number outside the nearest, of NaN the first.

    >>> equal_width_codes(0.0, 2.0, 3, np.array([-1.0, 1.9, 2.0, 9.0, np.nan]))
    array([0, 0, 1, 2, 0])
    """
    codes = np.clip((numbers - low) / width, 0, bins - 1)
    return np.nan_to_num(codes).astype(np.intp)


def counts_between(values: Floats, counts: Ints, edges: Floats) -> Ints:
    """How often values in order occur from each edge to below the next; the last bin has its upper edge too.

    >>> counts_between(np.array([1.0, 2.0, 3.0]), np.array([5, 1, 1]), np.array([1.0, 2.0, 3.0]))
    array([5, 2])
    """
    up_to = np.concatenate([[0], np.cumsum(counts)])
    below = up_to[np.searchsorted(values, edges)]
    below[-1] = up_to[-1]
    return np.diff(below)
