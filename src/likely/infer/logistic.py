"""The log-likelihood of logistic regression as a sum over rows, with its slope and curvature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import reduce_rows
from likely.infer.newton import Local
from likely.infer.standard import Standard
from likely.table.scratch import by_columns, scratch

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Logistic:
    """-log P(classes given rows) at theta, to be minimised.

    Of two classes, theta is (intercept, coefficients) of the log-odds of the second. Of g > 2 classes each
    has its own, and theta is all of them, one after another: P(class) is softmax of theta . (1, z).

    >>> rows = np.array([[0.0], [1.0]])
    >>> z = Standard(2, 1, lambda a, b: rows[a:b], np.zeros(1), np.ones(1))
    >>> Logistic(z, np.array([0, 1]), 2)(np.zeros(2), True).gradient
    array([ 0. , -0.5])
    """

    z: Standard
    codes: NDArray[np.intp]  # (n,)
    n_classes: int
    weight: Floats | None = None  # (n,)

    @property
    def n_parts(self) -> int:
        """How many vectors (intercept, coefficients) there are: one for two classes, else one a class."""
        return 1 if self.n_classes == 2 else self.n_classes

    def __call__(self, theta: Floats, hessian: bool) -> Local:
        """Value, gradient and, if asked for, Hessian."""
        parts = theta.reshape(self.n_parts, -1)
        step = self._two if self.n_parts == 1 else self._many

        def on_block(start: int, stop: int) -> Local:
            return step(parts, start, stop, hessian)

        width = self.z.width * (1 + (self.n_parts if hessian else 0)) + self.n_parts
        found = reduce_rows(self.z.n, width, on_block, n_jobs=self.z.n_jobs)
        return on_block(0, 0) if found is None else found

    def _two(self, theta: Floats, start: int, stop: int, hessian: bool) -> Local:
        rows, centre = self.z.block(start, stop)
        intercept, coefficients = self.z.plain(theta, centre)
        log_odds = rows @ coefficients[0] + intercept[0]
        hit = self.codes[start:stop] == 1
        value, p = log_loss_two(log_odds, hit)
        off = p - hit
        weight = None if self.weight is None else self.weight[start:stop]
        if weight is not None:
            value, off = value * weight, off * weight
        products = np.asarray(rows.T @ off)
        gradient = self.z.gradient(np.array([off.sum()]), products[None, :], centre).ravel()
        if not hessian:
            return Local(float(value.sum()), gradient)
        spread = p * (1 - p) if weight is None else weight * p * (1 - p)
        return Local(float(value.sum()), gradient, self.z.hessian(squares(rows, spread), centre))

    def _many(self, theta: Floats, start: int, stop: int, hessian: bool) -> Local:
        rows, centre = self.z.block(start, stop)
        intercept, coefficients = self.z.plain(theta, centre)
        p = np.ascontiguousarray((rows @ coefficients.T + intercept).T)  # (g, b): long rows are quick
        codes, each = self.codes[start:stop], np.arange(stop - start)
        p -= p.max(axis=0)
        of_class = p[codes, each]
        np.exp(p, out=p)
        total = p.sum(axis=0)
        value = np.log(total) - of_class
        p /= total
        off = p.copy()
        off[codes, each] -= 1
        weight = None if self.weight is None else self.weight[start:stop]
        if weight is not None:
            value, off = value * weight, off * weight
        products = np.asarray((rows.T @ off.T).T)
        gradient = self.z.gradient(off.sum(axis=1), products, centre).ravel()
        if not hessian:
            return Local(float(value.sum()), gradient)
        return Local(float(value.sum()), gradient, self._curvature(rows, centre, p, weight))

    def _curvature(self, rows: Any, centre: Floats, p: Floats, weight: Floats | None) -> Floats:
        """The Hessian of many classes, (g (1 + d), g (1 + d))."""
        g, q = len(p), 1 + rows.shape[1]
        found = np.empty((g, g, q, q))
        for k in range(g):
            mine = p[k] if weight is None else p[k] * weight
            for other in range(k):
                found[k, other] = found[other, k] = -squares(rows, mine * p[other])
        for k in range(g):  # what one class gains the others lose
            found[k, k] = -sum(found[k, other] for other in range(g) if other != k)
        whole = self.z.hessian(found, centre)
        return np.ascontiguousarray(whole.transpose(0, 2, 1, 3)).reshape(g * q, g * q)


def log_loss_two(log_odds: Floats, hit: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """-log P(what happened), and P(hit), from the log-odds of a hit; both with all their digits.

    >>> value, p = log_loss_two(np.array([0.0, -800.0]), np.array([True, True]))
    >>> value.round(3).tolist(), p.tolist()
    ([0.693, 800.0], [0.5, 0.0])
    """
    small = np.exp(-np.abs(log_odds))
    value = np.log1p(small)
    value += np.maximum(np.where(hit, -log_odds, log_odds), 0.0)
    p = np.where(log_odds >= 0, 1.0, small)
    p /= 1 + small
    return value, p


def squares(rows: Any, weight: Floats) -> Floats:
    """The sum of weight (1, x) (1, x)', (1 + d, 1 + d), of rows (b, d), dense or sparse; weights from 0 on.

    >>> squares(np.array([[2.0]]), np.array([3.0]))
    array([[ 3.,  6.],
           [ 6., 12.]])
    """
    q = rows.shape[1] + 1
    root = np.sqrt(weight)
    if not isinstance(rows, np.ndarray):
        out = np.empty((q, q))
        out[1:, 1:] = (rows.T.multiply(weight) @ rows).toarray()
        out[0, 1:] = out[1:, 0] = rows.T @ weight
        out[0, 0] = weight.sum()
        return out
    shape = (len(rows), q)
    beside = scratch("weighed", shape[::-1]).T if by_columns(rows) else scratch("weighed", shape)
    beside[:, 0] = root
    np.multiply(rows, root[:, None], out=beside[:, 1:])
    return np.asarray(beside.T @ beside)  # BLAS knows that it is symmetric
