"""Ridge regressions through the softmax, many at once: one for every fold, and one of all rows.

Columns are turned into their principal directions first and measured in what the loss, roughly, curves there,
so that few steps are enough; the scores of all folds are one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.descent import descend
from likely.pool.rows import TaughtRows
from likely.pool.scores import log_loss, log_probabilities, n_scores

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

SLOPE = 1e-4  # of the loss, in roots of rows, at which a fit is near enough
MANY = 20  # classes, beyond which fewer ridges are tried
NEGLIGIBLE = 1e-7  # of the greatest variance: directions with less are left out


@dataclass(frozen=True)
class Directions:
    """The principal directions of some columns about their mean, and the rows in them."""

    centre: Floats  # (p,)
    turn: Floats  # (p, r)
    rows: Floats  # (n, r)
    scatter: Floats  # (r,), sums of squares

    @classmethod
    def of(cls, matrix: Floats, weight: Floats) -> Directions:
        """Of a matrix (n, p), by the smaller of its two Gram matrices."""
        centre = weight @ matrix / weight.sum()
        z = matrix - centre
        n, p = z.shape
        heavy = np.sqrt(weight)[:, None] * z
        if p <= n:
            square, turn = np.linalg.eigh(heavy.T @ heavy)
        else:
            square, left = np.linalg.eigh(heavy @ heavy.T)
            square = np.maximum(square, 0.0)
            turn = heavy.T @ (left / np.sqrt(np.maximum(square, 1e-300)))
        keep = square > NEGLIGIBLE * max(square[-1] if len(square) else 0.0, 1e-12)
        turn = np.ascontiguousarray(turn[:, keep])
        return cls(centre, turn, z @ turn, square[keep])


@dataclass(frozen=True)
class RidgePath:
    """The best of a path of ridges: scores of rows by models that had not seen them, and the model of all."""

    log_p: Floats  # (n, g), of rows that the model had not seen
    slopes: Floats  # (r, t), of all rows
    intercepts: Floats  # (t,)
    ridge: float
    loss: float  # out of fold, a row


def ridge_path(rows: Directions, taught: TaughtRows, ridges: Floats) -> RidgePath:
    """Fit every fold and the whole for each ridge, strongest first, while held-out rows gain by it."""
    codes, n_classes, weight, fold = taught.codes, taught.n_classes, taught.weight, taught.fold
    z, t = rows.rows, n_scores(n_classes)
    n, r = z.shape
    tasks = int(fold.max()) + 2  # the last is of all rows
    used = weight[:, None] * (fold[:, None] != np.arange(tasks))  # (n, tasks)
    truth = taught.truth()[:, -t:]
    shares = np.array([np.bincount(codes, used[:, f], n_classes) for f in range(tasks)]) + 0.5 / n_classes
    log_share = np.log(shares / shares.sum(axis=1, keepdims=True))
    intercepts = (log_share[:, 1:] - log_share[:, :1]) if t == 1 else log_share  # (tasks, t)
    curve = float((taught.shares * (1 - taught.shares)).sum()) / n_classes
    slopes = np.zeros((r, tasks, t))
    best: RidgePath | None = None
    worse = 0
    many = n_classes > MANY
    for ridge in ridges[:: 2 if many else 1]:
        unit = 1.0 / np.sqrt(curve * rows.scatter + ridge)[:, None, None]
        slopes, intercepts = _solve(z, truth, used, slopes, intercepts, float(ridge), unit)
        every = (z @ slopes.reshape(r, tasks * t)).reshape(n, tasks, t) + intercepts
        held = log_probabilities(every[np.arange(n), fold])
        loss = log_loss(held, codes, weight)
        if best is None or loss < best.loss:
            best = RidgePath(held, slopes[:, -1].copy(), intercepts[-1].copy(), float(ridge), loss)
        worse = worse + 1 if loss > best.loss else 0
        if worse == (1 if many else 2):
            break
    assert best is not None
    return best


def _solve(
    z: Floats, truth: Floats, used: Floats, slopes: Floats, intercepts: Floats, ridge: float, unit: Floats
) -> tuple[Floats, Floats]:
    """The least penalised loss of all tasks together, from where the last ridge ended."""
    r, tasks, t = slopes.shape
    size = slopes.size
    level = 1.0 / np.sqrt(np.maximum(used.sum(axis=0), 1.0) / (4 * t))[:, None]  # (tasks, 1)

    def loss(at: Floats) -> tuple[float, Floats]:
        b = at[:size].reshape(slopes.shape) * unit
        a = at[size:].reshape(intercepts.shape) * level
        scores = (z @ b.reshape(r, tasks * t)).reshape(len(z), tasks, t)
        scores += a
        if t == 1:
            s = scores[..., 0]
            p = 1.0 / (1.0 + np.exp(-np.abs(s)))
            value = float((used * (-np.log(p) + np.maximum(s, 0.0) - truth * s)).sum())
            slope = (used * (np.where(s >= 0, p, 1 - p) - truth))[..., None]
        else:
            log_p = log_probabilities(scores)
            value = float(-(used * np.einsum("nft,nt->nf", log_p, truth)).sum())
            slope = np.exp(log_p)
            slope -= truth[:, None]
            slope *= used[..., None]
        down = (z.T @ slope.reshape(len(z), tasks * t)).reshape(slopes.shape)
        down += ridge * b
        value += 0.5 * ridge * float((b * b).sum())
        return value, np.concatenate([(down * unit).ravel(), (slope.sum(axis=0) * level).ravel()])

    start = np.concatenate([(slopes / unit).ravel(), (intercepts / level).ravel()])
    tolerance = SLOPE * float(np.sqrt(used[:, -1].sum()))
    at = descend(loss, start, tolerance)
    return at[:size].reshape(slopes.shape) * unit, at[size:].reshape(intercepts.shape) * level
