"""How much the evidence of each feature counts, learnt from rows that it was not learnt from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import bayes_rule

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

COMMON = (0.5, 0.35)  # mean and sd of what is believed of the weight that all features have in common
APART = 0.25  # sd of a feature's own weight around it
GRID = np.linspace(0.0, 1.0, 41)  # where the common weight is looked for


def evidence_weights(log_rates: Floats, terms: Floats, classes: Ints, rows: Floats) -> Floats:
    """The weights w in [0, 1] for which P(class) prod P(feature given class)^w predicts classes best, (u,).

    Terms are the log-likelihoods log P(feature given class), (n, c, u), of rows that these were not learnt
    from; rows have weights (n,). Naive Bayes is w = 1: features are independent given the class. Features
    that repeat each other share a weight of 1. What is believed before: a weight in common, around one
    half, and each feature's own around that.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 4000)
    >>> x = rng.normal(1.5 * y, 1.0)
    >>> one = np.stack([-0.5 * x**2, -0.5 * (x - 1.5) ** 2], axis=1)
    >>> evidence_weights(np.log([0.5, 0.5]), np.repeat(one[:, :, None], 4, axis=2), y, np.ones(4000)).round(1)
    array([0.3, 0.3, 0.3, 0.3])
    """
    from scipy.optimize import minimize

    n, _, u = terms.shape
    at = np.arange(n)

    def surprise(weights: Floats, of: Floats) -> tuple[float, Floats]:
        """Of the classes, and its slope along the weights."""
        log_p = bayes_rule(log_rates + of @ weights)[0]
        error = np.exp(log_p) * rows[:, None]
        error[at, classes] -= rows
        return -float(rows @ log_p[at, classes]), np.tensordot(error, of, axes=((0, 1), (0, 1)))

    together = terms.sum(axis=2, keepdims=True)
    doubt = ((GRID - COMMON[0]) / COMMON[1]) ** 2 / 2
    common = GRID[int(np.argmin(doubt + [surprise(np.array([w]), together)[0] for w in GRID]))]
    if u == 1:
        return np.array([common])

    def objective(weights: Floats) -> tuple[float, Floats]:
        value, slope = surprise(weights, terms)
        away = (weights - common) / APART**2
        return value + float(away @ (weights - common)) / 2, slope + away

    least = minimize(objective, np.full(u, common), jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * u)
    return np.asarray(least.x, np.float64)
