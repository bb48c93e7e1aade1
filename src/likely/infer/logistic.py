"""The log-likelihood of logistic regression as a sum over rows, with its slope and curvature."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import reduce_rows
from likely.infer.newton import Local
from likely.infer.standard import Standard
from likely.table.scratch import scratch, scratch_like

Floats = NDArray[np.float64]

SQUARED = 4  # how many times as wide a row counts, for a block to be in the cache beside its weighed copies


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
        centre = self.z.block(0, 0)[1]  # the same in every block
        plain = self.z.plain(theta.reshape(self.n_parts, -1), centre)

        def on_block(start: int, stop: int) -> Local:
            return self._sums(plain, start, stop, hessian)

        width = self.z.width * (SQUARED if hessian else 1)
        found = reduce_rows(self.z.n, width, on_block, n_jobs=self.z.n_jobs)
        return self._of_theta(on_block(0, 0) if found is None else found, centre)

    def _sums(self, plain: tuple[Floats, Floats], start: int, stop: int, hessian: bool) -> Local:
        """What rows add in terms of x itself: gradients (g, 1 + d), and `squares` for every spread."""
        intercept, coefficients = plain
        rows, codes = self.z.block(start, stop)[0], self.codes[start:stop]
        scores = np.ascontiguousarray(_times(rows, coefficients.T).T)  # (g, b): long rows are quick
        scores += intercept[:, None]
        value, p, off = (_two if self.n_parts == 1 else _many)(scores, codes)
        weight = None if self.weight is None else self.weight[start:stop]
        if weight is not None:
            value, off = value * weight, off * weight
        gradient = np.concatenate([off.sum(axis=1)[:, None], _times(rows.T, off.T).T], axis=1)
        if not hessian:
            return Local(float(value.sum()), gradient)
        spreads = _spreads(p) if weight is None else _spreads(p) * weight
        return Local(float(value.sum()), gradient, squares(rows, spreads))

    def _of_theta(self, sums: Local, centre: Floats) -> Local:
        """The sums of all rows in terms of theta."""
        gradient = self.z.gradient(sums.gradient[:, 0], sums.gradient[:, 1:], centre).ravel()
        if sums.hessian is None:
            return Local(sums.value, gradient)
        found, g = self.z.hessian(sums.hessian, centre), self.n_parts
        if g == 1:
            return Local(sums.value, gradient, found[0])
        q = found.shape[-1]
        (first, second), every = _pairs(g), np.arange(g)
        whole = np.zeros((g, g, q, q))
        whole[first, second] = whole[second, first] = -found
        whole[every, every] = -whole.sum(axis=1)  # what one class gains the others lose
        return Local(sums.value, gradient, whole.transpose(0, 2, 1, 3).reshape(g * q, g * q))


def _times(rows: Any, columns: Floats) -> Floats:
    """A product with few columns; sparse rows are quicker with a single one as a vector."""
    return np.asarray((rows @ columns[:, 0])[:, None] if columns.shape[1] == 1 else rows @ columns)


def _two(scores: Floats, codes: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
    """Of two classes: -log P(what happened) (b,), P(second class) and by how much it is off, (1, b)."""
    hit = codes == 1
    value, p = log_loss_two(scores[0], hit)
    return value, p[None], (p - hit)[None]


def _many(scores: Floats, codes: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
    """Of many classes: -log P(what happened) (b,), P(class) and by how much it is off, (g, b)."""
    each = np.arange(len(codes))
    p = np.subtract(scores, scores.max(axis=0), out=scores)
    of_class = p[codes, each]
    np.exp(p, out=p)
    total = p.sum(axis=0)
    p /= total
    off = p.copy()
    off[codes, each] -= 1
    return np.log(total) - of_class, p, off


def _spreads(p: Floats) -> Floats:
    """The variance of the class (1, b), or, of many classes, how any two vary against each other (m, b)."""
    if len(p) == 1:
        return p * (1 - p)
    first, second = _pairs(len(p))
    return p[first] * p[second]


@cache
def _pairs(g: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of classes."""
    first, second = np.triu_indices(g, 1)
    return first, second


def log_loss_two(log_odds: Floats, hit: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """-log P(what happened), and P(hit), from the log-odds of a hit; both with all their digits.

    >>> value, p = log_loss_two(np.array([0.0, -800.0]), np.array([True, True]))
    >>> value.round(3).tolist(), p.tolist()
    ([0.693, 800.0], [0.5, 0.0])
    """
    small = np.exp(-np.abs(log_odds))
    value = np.log1p(small)
    value += np.maximum(log_odds * (1.0 - 2.0 * hit), 0.0)
    p = np.exp(np.minimum(log_odds, 0.0))
    p /= 1 + small
    return value, p


def squares(rows: Any, weights: Floats) -> Floats:
    """Sums of weight (1, x) (1, x)', (m, 1 + d, 1 + d), of rows (b, d), dense or sparse; weights (m, b).

    No weight may be negative.

    >>> squares(np.array([[2.0]]), np.array([[3.0]]))
    array([[[ 3.,  6.],
            [ 6., 12.]]])
    """
    q = rows.shape[1] + 1
    out = np.empty((len(weights), q, q))
    if not isinstance(rows, np.ndarray):
        for found, weight in zip(out, weights, strict=True):
            found[1:, 1:] = (rows.T.multiply(weight) @ rows).toarray()
            found[0, 1:] = found[1:, 0] = rows.T @ weight
            found[0, 0] = weight.sum()
        return out
    if len(weights) == 1:  # as they lie
        weighed, root = scratch_like("weighed", rows), np.sqrt(weights[0])
        np.multiply(rows, root[:, None], out=weighed)
        out[0, 1:, 1:] = weighed.T @ weighed  # BLAS knows that it is symmetric
        out[0, 0, 1:] = out[0, 1:, 0] = root @ weighed
        out[0, 0, 0] = weights.sum()
        return out
    turned, weighed = (scratch(name, (q, len(rows))) for name in ("turned", "weighed"))
    turned[0] = 1.0
    np.copyto(turned[1:], rows.T)  # long rows are quick to weigh, again and again
    for found, weight in zip(out, weights, strict=True):
        np.multiply(turned, np.sqrt(weight), out=weighed)
        np.matmul(weighed, weighed.T, out=found)
    return out
