"""How good predicted numbers are: squared errors, and the density that they gave to what came true."""

from __future__ import annotations

import math

import numpy as np

from likely.score.estimate import Score, mean_score
from likely.stats.groups import Floats


def rmse(y: Floats, predicted: Floats, weight: Floats) -> Score:
    """The root of the mean squared error; its standard error is that of the mean, halved and divided by it.

    >>> rmse(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 4.0]), np.ones(3))
    0.577 ± 0.289 from 3 rows
    """
    squared = mean_score((y - predicted) ** 2, weight)
    root = math.sqrt(squared)
    return Score(root, squared.n, squared.standard_error / (2 * root) if root > 0 else 0.0)


def r_squared(y: Floats, predicted: Floats, weight: Floats) -> Score:
    """The share of the variance that is explained; below 0 if the mean of all would have been nearer.

    The standard error is that of a ratio of two means. Of numbers that do not vary there is nothing to
    explain: 0.

    >>> r_squared(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 4.0]), np.ones(3))
    0.786 ± 0.316 from 3 rows
    """
    apart = (y - np.average(y, weights=weight)) ** 2
    whole = mean_score(apart, weight)
    if not whole > 0:
        return Score(0.0, whole.n, math.inf)
    left = (y - predicted) ** 2
    share = mean_score(left, weight) / whole
    error = mean_score((left - share * apart) / whole, weight).standard_error
    return Score(1 - share, whole.n, error)


def log_density(logs: Floats, weight: Floats) -> Score:
    """The mean log density of what came true, in nats.

    >>> log_density(np.log([0.5, 0.25]), np.ones(2))
    -1.040 ± 0.347 from 2 rows
    """
    return mean_score(logs, weight)
