"""What distributions of counts share: their support, the factorials, and sums over all counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import Distribution
from likely.stats.groups import Floats
from likely.stats.sums import log_factorial


def is_count(x: Any) -> NDArray[np.bool_]:
    """Whether each number is whole and not negative."""
    return np.asarray((x >= 0) & (x == np.floor(x)) & (x < np.inf))


def sum_log_factorials(rows: Any) -> Floats:
    """Sum over the known cells of each row of log x!, (b,), dense or sparse."""
    logs = log_factorial(rows)
    if isinstance(rows, np.ndarray):
        total = np.asarray(logs.sum(axis=1))
        return np.asarray(np.nansum(logs, axis=1)) if np.isnan(total).any() else total
    logs.data = np.nan_to_num(logs.data)
    return np.asarray(logs.sum(axis=1), np.float64).ravel()


def entropy_by_sum(of: Distribution, tail: Floats) -> Floats:
    """-sum P(x) log P(x) over every count that matters: within 20 sds of the mean, and `tail` beyond."""
    out = np.empty(of.batch)
    reach = 20 * of.sd
    low = np.floor(np.maximum(of.mean - reach - 20, 0))
    high = np.ceil(of.mean + reach + tail)
    for place in np.ndindex(*of.batch):
        logs = of.take(place).log_prob(np.arange(float(low[place]), float(high[place]) + 1))
        out[place] = -(np.exp(logs) * np.where(np.isneginf(logs), 0.0, logs)).sum()
    return out
