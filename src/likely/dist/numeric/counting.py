"""What distributions of counts share: their support, the factorials, and sums over all counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import Distribution, dense
from likely.dist.numeric.codes import codes_of
from likely.dist.numeric.lookup import Lookup
from likely.errors import LikelyError
from likely.stats.groups import Floats
from likely.stats.sums import log_factorial
from likely.table.sparse import Rows, row_sums


def is_count(x: Floats) -> NDArray[np.bool_]:
    """Whether each number is whole and not negative."""
    return np.asarray((x >= 0) & (x == np.floor(x)) & (x < np.inf))


def refuse_outside(rows: Rows, least: float, rule: str) -> None:
    """Name the first finite cell that is below the least count, or is not whole."""
    cells = rows if isinstance(rows, np.ndarray) else rows.toarray()
    wrong = (cells < least) | ((cells != np.floor(cells)) & ~np.isnan(cells))
    wrong &= np.isfinite(cells)  # infinity is the table's to refuse
    if wrong.any():
        raise LikelyError(f"value {float(cells[wrong][0]):g} is impossible: {rule}.")


def log_ways(trials: Floats, x: Floats) -> Floats:
    """The log of how many ways there are to choose x of the trials; -inf for more than all of them."""
    rest = trials - x
    ways = log_factorial(trials) - log_factorial(x) - log_factorial(np.maximum(rest, 0.0))
    return np.where(rest < 0, -np.inf, ways)


def sum_log_factorials(rows: Rows) -> Floats:
    """Sum over the known cells of each row of log x!, (b,), dense or sparse."""
    logs = log_factorial(rows)
    total: Floats = row_sums(logs)
    if not np.isnan(total).any():
        return total
    if isinstance(rows, np.ndarray):
        return np.asarray(np.nansum(logs, axis=1))
    logs.data = np.nan_to_num(logs.data)
    return np.asarray(row_sums(logs))


def looked_up(of: Distribution, rows: Rows) -> Floats:
    """log P(row given group), (b, g), of rows of counts (b, d), dense or sparse; a missing cell adds 0.

    Gamma functions are slow and counts few: those that occur are looked up (10 times as fast).
    """
    cells = dense(rows)
    highest = float(np.fmax.reduce(cells, axis=None, initial=0.0))
    if highest >= len(cells) or not (is_count(cells) | np.isnan(cells)).all():
        return Distribution.group_log_prob(of, cells)
    logs = of.log_prob(np.arange(highest + 1)[:, None, None])  # (k, g, d)
    return Lookup.of(list(np.moveaxis(logs, -1, 0)), of.batch[0])(codes_of(cells))


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
