"""How much the evidence of each feature counts, learnt from rows that it was not learnt from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import bayes_rule

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

COMMON = (0.5, 0.35)  # mean and sd of what is believed of the weight that all features have in common
APART = 0.25  # sd of a feature's own weight around it
LEAST = 1e-3  # where the slope of a weight that is almost none is taken
GRID = np.linspace(0.0, 1.0, 41)  # where the common weight is looked for


def share_told(told: Floats, d: int) -> Floats:
    """Of the other columns, the share that is told in rows of which so many of d columns are told.

    >>> share_told(np.array([0, 1, 2, 3]), 3)
    array([0. , 0. , 0.5, 1. ])
    """
    return np.maximum(told - 1.0, 0.0) / max(d - 1, 1)


def counted_share(weights: Floats, share: Floats) -> Floats:
    """How much of a column's evidence counts where a share of the others is told: all of it if none is.

    So much does each of k columns count that repeat each other alike, 1 / (1 + (k - 1) r), if it is the
    weight where all are told.

    >>> counted_share(np.array([0.25, 1.0]), np.array([[0.0], [0.5], [1.0]]))
    array([[1.  , 1.  ],
           [0.4 , 1.  ],
           [0.25, 1.  ]])
    """
    below = weights + share * (1.0 - weights)
    return np.divide(weights, below, out=np.ones_like(below), where=below > 0.0)


def evidence_weights(
    log_rates: Floats, terms: Floats, classes: Ints, rows: Floats, share: Floats | None = None
) -> Floats:
    """The weights w in [0, 1] for which P(class) prod P(feature given class)^w predicts classes best, (u,).

    Terms are the log-likelihoods log P(feature given class), (n, c, u), of rows that these were not learnt
    from; rows have weights (n,). Naive Bayes is w = 1: features are independent given the class. Features
    that repeat each other share a weight of 1. What is believed before: a weight in common, around one
    half, and each feature's own around that. Of rows in which not every feature is told, `share` is that of
    the others that are, (n, u): a feature that is told alone counts in full, whatever its weight.

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

    def surprise(weights: Floats, of: Floats, told: Floats | None) -> tuple[float, Floats]:
        """Of the classes, and its slope along the weights."""
        said = of @ weights if told is None else np.einsum("ncu,nu->nc", of, counted_share(weights, told))
        log_p = bayes_rule(log_rates + said)[0]
        error = np.exp(log_p) * rows[:, None]
        error[at, classes] -= rows
        surprise = -float(rows @ log_p[at, classes])
        if told is None:
            return surprise, np.tensordot(error, of, axes=((0, 1), (0, 1)))
        below = np.maximum(weights + told * (1.0 - weights), LEAST)
        return surprise, np.einsum("nc,ncu,nu->u", error, of, told / below**2)

    together = terms.sum(axis=2, keepdims=True)
    doubt = ((GRID - COMMON[0]) / COMMON[1]) ** 2 / 2
    told = None if share is None or (share == 1.0).all() else share
    for_all = None if told is None else told.mean(axis=1, keepdims=True)
    common = GRID[int(np.argmin(doubt + [surprise(np.array([w]), together, for_all)[0] for w in GRID]))]
    if u == 1:
        return np.array([common])

    def objective(weights: Floats) -> tuple[float, Floats]:
        value, slope = surprise(weights, terms, told)
        away = (weights - common) / APART**2
        return value + float(away @ (weights - common)) / 2, slope + away

    start, ends = np.full(u, common, np.float64), [(0.0, 1.0)] * u
    # To the last digit, so that the order of rows and columns does not show.
    least = minimize(
        objective, start, jac=True, method="L-BFGS-B", bounds=ends, options={"ftol": 0.0, "gtol": 1e-10}
    )
    return np.asarray(least.x, np.float64)
