"""Where to measure deviations from, so that they keep the digits that the cells have."""

from __future__ import annotations

import numpy as np

from likely.stats.groups import Floats

NEAR = 0.9  # share of the mean square that the squared mean may be, for 0 to do as a centre: 3 sds


def rough_centre(rows: Floats) -> Floats:
    """Where to measure from: the mean of a few rows spread over the block is near enough, and nearly free.

    All zeros, which costs nothing at all, if every column's mean lies within a few sds of 0.
    """
    few = rows[:: max(1, len(rows) // 64)]
    missing = np.isnan(few)
    n = np.maximum(len(few) - missing.sum(axis=0), 1)
    few = np.where(missing, 0.0, few)
    centre: Floats = few.sum(axis=0) / n
    squares = np.square(few).sum(axis=0) / n
    return np.zeros_like(centre) if (centre * centre <= NEAR * squares).all() else centre
