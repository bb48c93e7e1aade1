"""Shares and means of rows with intervals, as every panel shows them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import special

Floats = NDArray[np.float64]

LEVEL = 0.9  # that intervals cover


def share_interval(hits: Floats, n: float) -> tuple[Floats, Floats]:
    """Where shares lie of which n rows showed so many, under Jeffreys' prior.

    >>> low, high = share_interval(np.array([0.0, 5.0]), 10)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.262]), array([0.171, 0.738]))
    """
    a, b = hits + 0.5, n - hits + 0.5
    low, high = (special("betaincinv", a, b, q) for q in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return np.where(hits == 0, 0.0, low), np.where(hits == n, 1.0, high)


def mean_interval(values: Floats) -> tuple[float, float]:
    """Where the mean lies of which these are rows, by the normal distribution.

    >>> mean_interval(np.array([1.0, 1.0]))
    (1.0, 1.0)
    """
    n, mean = len(values), float(values.mean())
    error = float(values.std(ddof=1)) / n**0.5 if n > 1 else 0.0
    half = error * float(special("ndtri", (1 + LEVEL) / 2))
    return mean - half, mean + half


def figures(value: float) -> float:
    """Five digits: what is counted has no more.

    >>> figures(1 / 3)
    0.33333
    """
    return float(f"{value:.5g}")
