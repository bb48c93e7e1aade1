"""Ridge regressions, many at once: one for every fold, and one of all rows; of classes, through the softmax.

Columns are turned into their principal directions first and measured in what the loss, roughly, curves there,
so that few steps are enough; the scores of all folds are one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.descent import descend
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.step_design import Directions

Floats = NDArray[np.float64]

SLOPE = 1e-4  # of the loss, in roots of rows, at which a fit is near enough
MANY = 20  # scores of a row, beyond which fewer ridges are tried


@dataclass(frozen=True)
class RidgePath:
    """The best of a path of ridges: scores of rows by models that had not seen them, and the models."""

    scores: Floats  # (n, t), of rows that the model had not seen
    slopes: Floats  # (1 + folds, r, t), first of all rows, then without each fold
    intercepts: Floats  # (1 + folds, t)
    ridge: float
    loss: float  # out of fold, a row


def ridge_path(rows: Directions, taught: TaughtRows, ridges: Floats) -> RidgePath:
    """Fit every fold and the whole for ridges, strongest first, while held-out rows gain by it.

    Where to begin, squares say: their errors without each row are had at once.
    """
    ridges = ridges[:: 2 if taught.goal.n_scores > MANY else 1]
    first = max(int(np.argmin(square_errors(rows, taught, ridges))) - 1, 0)
    best, place = _descent(rows, taught, ridges[first:])
    if place == 0 and first > 0:  # the best may be stronger still
        best, _ = _descent(rows, taught, ridges[first - 1 :: -1], best)
    return best


def square_errors(rows: Directions, taught: TaughtRows, ridges: Floats) -> Floats:
    """What squares leave of what is so where each row is left out, for each ridge, (ridges,).

    Squares curve by 1, the loss of classes by less, and by as much less the ridge that does the same.
    """
    weight, truth, squared = taught.weight, taught.goal.truth, np.square(rows.rows)
    total = float(weight.sum())
    apart = truth - weight @ truth / total
    products = rows.rows.T @ (weight[:, None] * apart)
    out = np.empty(len(ridges))
    for i, ridge in enumerate(ridges / taught.goal.curve):
        inverse = 1.0 / (rows.scatter + ridge)
        own = weight * (squared @ inverse + 1.0 / total)  # what a row counts for in its own fit
        left = (apart - rows.rows @ (inverse[:, None] * products)) / np.maximum(1.0 - own, 1e-6)[:, None]
        out[i] = weight @ np.square(left).sum(axis=1) / total
    return out


def _descent(
    rows: Directions, taught: TaughtRows, ridges: Floats, known: RidgePath | None = None
) -> tuple[RidgePath, int]:
    """The best of ridges, one after another until one is worse than that before it, and its place."""
    z, t, used = rows.rows, taught.goal.n_scores, taught.used
    n, r = z.shape
    tasks = used.shape[1]
    intercepts = taught.goal.start(used)  # (tasks, t)
    slopes = np.zeros((r, tasks, t))
    best, place = known, -1
    if known is not None:
        slopes = np.roll(known.slopes, -1, axis=0).transpose(1, 0, 2)
        intercepts = np.roll(known.intercepts, -1, axis=0)
    for i, ridge in enumerate(ridges):
        unit = 1.0 / np.sqrt(taught.goal.curve * rows.scatter + ridge)[:, None, None]
        slopes, intercepts = _solve(z, taught, slopes, intercepts, float(ridge), unit)
        every = (z @ slopes.reshape(r, tasks * t)).reshape(n, tasks, t) + intercepts
        held = every[np.arange(n), taught.fold]
        loss = taught.loss(held)
        if best is not None and loss >= best.loss:
            break
        whole_first = np.roll(slopes.transpose(1, 0, 2), 1, axis=0)
        best, place = RidgePath(held, whole_first, np.roll(intercepts, 1, axis=0), float(ridge), loss), i
    assert best is not None
    return best, place


def _solve(
    z: Floats, taught: TaughtRows, slopes: Floats, intercepts: Floats, ridge: float, unit: Floats
) -> tuple[Floats, Floats]:
    """The least penalised loss of all tasks together, from where the last ridge ended."""
    r, tasks, t = slopes.shape
    size, used = slopes.size, taught.used
    level = 1.0 / np.sqrt(np.maximum(used.sum(axis=0), 1.0) / (4 * t))[:, None]  # (tasks, 1)

    def loss(at: Floats) -> tuple[float, Floats]:
        b = at[:size].reshape(slopes.shape) * unit
        a = at[size:].reshape(intercepts.shape) * level
        scores = (z @ b.reshape(r, tasks * t)).reshape(len(z), tasks, t)
        scores += a
        value, slope = taught.goal.descent(scores, used)
        down = (z.T @ slope.reshape(len(z), tasks * t)).reshape(slopes.shape)
        down += ridge * b
        value += 0.5 * ridge * float((b * b).sum())
        return value, np.concatenate([(down * unit).ravel(), (slope.sum(axis=0) * level).ravel()])

    start = np.concatenate([(slopes / unit).ravel(), (intercepts / level).ravel()])
    tolerance = SLOPE * float(np.sqrt(used[:, -1].sum()))
    at = descend(loss, start, tolerance)
    return at[:size].reshape(slopes.shape) * unit, at[size:].reshape(intercepts.shape) * level
