"""Pool adjacent violators: the rising values nearest to given ones, by weighted least squares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Pools:
    """Neighbours that share one value. The values of pools rise strictly.

    The places of pool i are `edges[i]` to `edges[i + 1]`, the last one left out.
    """

    edges: Ints  # (b + 1,)
    values: Floats  # (b,), the weighted means
    weight: Floats  # (b,)

    @cached_property
    def fitted(self) -> Floats:
        """The value of each place, (n,)."""
        return np.repeat(self.values, np.diff(self.edges))


def pav(values: Floats, weight: Floats | None = None) -> Pools:
    """The rising sequence with the least weighted sum of squared distances from the values.

    Neighbours that fall are pooled and get their mean, and so do equal ones. A place without weight joins the
    pool before it.

    Parameters
    ----------
    values : (n,)
        Finite numbers.
    weight : (n,) or None
        Zero or more, and not all zero; None counts every place once.

    Examples
    --------
    >>> pav(np.array([1.0, 3.0, 2.0, 4.0])).fitted
    array([1. , 2.5, 2.5, 4. ])
    >>> pav(np.array([0.0, 1.0, 0.0]), np.array([1.0, 3.0, 1.0])).values
    array([0.  , 0.75])
    """
    if weight is None:
        return pav_of_sums(values, np.ones(len(values)))
    with np.errstate(over="ignore", invalid="ignore"):  # refused there
        return pav_of_sums(values * weight, weight)


def pav_of_sums(sums: Floats, weight: Floats) -> Pools:
    """As `pav`, of values that are sums divided by weights: the slopes of the convex hull of running sums.

    Of whole numbers the sums are exact, so that equal slopes are found to be equal.

    >>> pav_of_sums(np.array([1.0, 2.0, 1.0]), np.array([3.0, 3.0, 6.0])).edges
    array([0, 3])
    """
    n = len(sums)
    if not np.isfinite([np.abs(sums).sum(), weight.sum()]).all() or (weight < 0).any():
        raise LikelyError(
            "pav needs finite values and weights, whose products add up to a finite number, and no weight "
            "below 0."
        )
    counted = np.flatnonzero(weight > 0)
    if not len(counted):
        raise LikelyError("pav needs one value with a weight above 0.")
    sums, weight = sums[counted], weight[counted]
    starts = _first_pass(sums / weight, weight)
    while True:
        totals = np.add.reduceat(weight, starts)
        means = np.add.reduceat(sums, starts) / totals
        rises = means[1:] > means[:-1]
        if rises.all():
            break
        starts = starts[np.concatenate([[True], rises])]
    edges = np.concatenate([[0], counted[starts[1:]], [n]]).astype(np.intp)
    return Pools(edges, means, totals)


def _first_pass(values: Floats, weight: Floats) -> Ints:
    """Where the pools begin, but for what rounding hides: equal means that came out a last bit apart."""
    from scipy.optimize import isotonic_regression

    return np.asarray(isotonic_regression(values, weights=weight).blocks[:-1], np.intp)
