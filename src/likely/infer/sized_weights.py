"""How much evidence counts that comes in pieces of different size, learnt from held-out rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import bayes_rule

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

USUAL = 1.0  # the weight that is believed before any row is seen: n symbols tell as much as sqrt(n) things
DOUBT = 1.0  # sd of its log


def counted_of(weights: Floats, sizes: Floats) -> Floats:
    """The share of the evidence that counts, (n, u): all of a small piece, of a large one w / sqrt(size).

    What n symbols of one text say is not n independent things: taken so, it is too sure.

    >>> counted_of(np.array([2.0]), np.array([[1.0], [4.0], [100.0]]))[:, 0]
    array([1. , 1. , 0.2])
    """
    return np.minimum(1.0, weights / np.sqrt(np.maximum(sizes, 1.0)))


def sized_weights(log_rates: Floats, terms: Floats, sizes: Floats, classes: Ints, rows: Floats) -> Floats:
    """The weights w for which P(class) prod_u P(piece u given class)^(w_u / sqrt(size)) predicts best, (u,).

    Terms are log P(piece given class), (n, c, u), of rows that these were not learnt from, with weights (n,);
    sizes are (n, u).

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 4000)
    >>> x = rng.normal(1.5 * y, 1.0)
    >>> one = np.stack([-0.5 * x**2, -0.5 * (x - 1.5) ** 2], axis=1)
    >>> many = np.full((4000, 1), 4.0)  # a text that says four times the same
    >>> sized_weights(np.log([0.5, 0.5]), 4 * one[:, :, None], many, y, np.ones(4000)).round(1)
    array([0.5])
    """
    from scipy.optimize import minimize

    at = np.arange(len(classes))
    largest = np.maximum(sizes.max(axis=0), 1.0)
    usual = np.full(sizes.shape[1], np.log(USUAL))

    def objective(log_weights: Floats) -> tuple[float, Floats]:
        share = counted_of(np.exp(log_weights), sizes)
        log_p = bayes_rule(log_rates + np.einsum("ncu,nu->nc", terms, share))[0]
        error = np.exp(log_p) * rows[:, None]
        error[at, classes] -= rows
        slope = np.einsum("nc,ncu,nu->u", error, terms, np.where(share < 1.0, share, 0.0))
        away = (log_weights - usual) / DOUBT**2
        value = -float(rows @ log_p[at, classes]) + float(away @ (log_weights - usual)) / 2
        return value, slope + away

    bounds = [(float(np.log(1e-3)), float(np.log(size) / 2)) for size in largest]
    start = np.minimum(usual, [high for _, high in bounds])
    least = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return np.exp(least.x)


def sized_loss(
    log_rates: Floats, terms: Floats, sizes: Floats, classes: Ints, rows: Floats, weights: Floats
) -> float:
    """The mean log loss, in nats, of rows whose pieces count by these weights; the rest as `sized_weights`.

    >>> nothing = np.zeros((2, 2, 1))
    >>> even, ones = np.log([0.5, 0.5]), np.ones((2, 1))
    >>> round(sized_loss(even, nothing, ones, np.array([0, 1]), np.ones(2), np.ones(1)), 6)
    0.693147
    """
    share = counted_of(weights, sizes)
    log_p = bayes_rule(log_rates + np.einsum("ncu,nu->nc", terms, share))[0]
    return -float(rows @ log_p[np.arange(len(classes)), classes] / rows.sum())
