"""Sums that keep what rounding takes away."""

from __future__ import annotations

from likely.stats.groups import Floats


def two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The rounded sum, and exactly what rounding took away.

    >>> import numpy as np
    >>> two_sum(np.float64(1e16), np.float64(1.5))
    (np.float64(1.0000000000000002e+16), np.float64(-0.5))
    """
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)
