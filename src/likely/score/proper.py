"""How good predictions are, judged by what came true: of probabilities of classes, and of numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.numeric.logs import log
from likely.score.estimate import Score, mean_score
from likely.score.outcomes import Outcomes
from likely.stats.groups import Floats


def log_loss(
    y: ArrayLike,
    p: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    logs: bool = False,
) -> Score:
    """The mean of -log P(the class that came true), in nats.

    Nothing is clipped: a true class that was given the probability 0 makes it infinite. Very small
    probabilities are 0 as floats; give their logarithms to tell them from those that are 0.

    Parameters
    ----------
    y : (n,) labels
        The class that came true in each row.
    p : (n, g) or (n,) probabilities
        One column a class; a single column is the probability of the second of two classes.
    classes : (g,) labels or None
        The class of each column of `p`. None: the distinct values of `y`, sorted.
    weight : (n,) or None
        How much each row counts.
    logs : bool
        Whether `p` holds the logarithms of the probabilities, as `predict_log_proba` gives them.

    Examples
    --------
    >>> log_loss(["no", "yes", "yes"], [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    0.341 ± 0.180 from 3 rows
    """
    told = Outcomes.of(y, np.exp(p) if logs else p, classes, weight)
    true = np.arange(told.n), told.codes
    return mean_score(0.0 - (np.asarray(p)[true] if logs else log(told.p[true])), told.weight)


def brier(
    y: ArrayLike, p: ArrayLike, *, classes: ArrayLike | None = None, weight: ArrayLike | None = None
) -> Score:
    """The mean squared distance of the probabilities from what came true.

    With two classes it is that of the one probability (0 to 1), with more the sum over the classes (0 to
    2), as scikit-learn has it. The parameters are those of `log_loss`.

    >>> brier(["no", "yes", "yes"], [0.1, 0.8, 0.5])
    0.100 ± 0.075 from 3 rows
    """
    told = Outcomes.of(y, p, classes, weight)
    off = told.p.copy()
    off[np.arange(told.n), told.codes] -= 1
    scale = 0.5 if off.shape[1] == 2 else 1.0
    return mean_score(scale * np.einsum("ij,ij->i", off, off), told.weight)


def accuracy(
    y: ArrayLike, p: ArrayLike, *, classes: ArrayLike | None = None, weight: ArrayLike | None = None
) -> Score:
    """The share of rows whose most probable class came true; of equally probable ones the first is meant.

    The parameters are those of `log_loss`.

    >>> accuracy(["no", "yes", "yes"], [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    0.667 ± 0.333 from 3 rows
    """
    told = Outcomes.of(y, p, classes, weight)
    return mean_score((told.p.argmax(axis=1) == told.codes).astype(np.float64), told.weight)


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
