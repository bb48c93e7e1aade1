"""A quadratic with absolute values beside it: the step of Newton's method, and least squares, under L1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ROUNDS = 1000
SLACK = 1e-11  # relative: by so much rounding may break the conditions of an optimum


def lasso(matrix: Floats, linear: Floats, rate: Floats, start: Floats) -> Floats:
    """The x that minimises x' matrix x / 2 - linear' x + sum of rate |x|.

    A sweep over the coordinates finds which of them are not 0, and their signs; with these fixed the rest is
    a linear system. If its solution changes a sign, x goes as far as the first change, and it begins again.

    >>> lasso(np.eye(2), np.array([3.0, 0.5]), np.array([1.0, 1.0]), np.zeros(2))
    array([2., 0.])
    """
    x = start.copy()
    diagonal = np.maximum(np.diagonal(matrix), np.finfo(np.float64).tiny)
    size = np.abs(linear) + rate + np.abs(matrix) @ np.abs(x)
    for _ in range(ROUNDS):
        slope = matrix @ x - linear
        _sweep(matrix, diagonal, rate, x, slope)
        whole = _on_face(matrix, linear, rate, x)
        slope = matrix @ x - linear
        off = (x == 0) & (rate > 0)
        if whole and (np.abs(slope[off]) <= rate[off] + SLACK * size[off]).all():
            return x
    return x  # no round makes it worse, and whoever asks looks at the slope


def _sweep(matrix: Floats, diagonal: Floats, rate: Floats, x: Floats, slope: Floats) -> None:
    """Minimise over one coordinate after another, in place, where anything is to be gained."""
    for j in np.flatnonzero((x != 0) | (np.abs(slope) > rate)):
        pull = x[j] - slope[j] / diagonal[j]
        new = np.sign(pull) * max(abs(pull) - rate[j] / diagonal[j], 0.0)
        if new != x[j]:
            slope += matrix[:, j] * (new - x[j])
            x[j] = new


def _on_face(matrix: Floats, linear: Floats, rate: Floats, x: Floats) -> bool:
    """Minimise over the coordinates that are not 0, their signs fixed, in place; whether no sign was met."""
    on = np.flatnonzero((x != 0) | (rate == 0))
    if not len(on):
        return True
    face = matrix[np.ix_(on, on)]
    face = face + np.diag(1e-14 * np.maximum(np.diagonal(face), np.finfo(np.float64).tiny))
    target = np.linalg.solve(face, linear[on] - rate[on] * np.sign(x[on]))
    turned = (target * x[on] <= 0) & (rate[on] > 0)
    if not turned.any():
        x[on] = target
        return True
    way = x[on] / np.where(turned, x[on] - target, 1.0)
    first = float(way[turned].min())
    x[on] += first * (target - x[on])
    x[on[turned & (way <= first)]] = 0.0
    return False
