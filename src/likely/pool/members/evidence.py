"""The evidence member: shrunk log-odds of every column's bins, each column with a weight that is learnt.

Naive Bayes has all weights 1, and counts twice what two columns say alike; here such columns get less.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.descent import descend
from likely.pool.reading.reading import View
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.scores import log_probabilities, scores_of

Floats = NDArray[np.float64]

STRENGTHS = (0.5, 8.0)  # rows of the base rate that are added to every bin
RIDGES = (100.0, 10.0, 1.0, 0.1)
FEW = 10  # rows a column, up to which weights without a fold are learnt from evidence without its classes


@dataclass(frozen=True)
class EvidenceMember:
    """Weights of the columns, for each strength of shrinking, and a constant for each class."""

    weights: Floats  # (1 + folds, strengths d), first of all rows, then without each fold
    constants: Floats  # (1 + folds, g)
    ridge: float

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[EvidenceMember, Floats]:
        """The member, and scores of the rows by models that had not seen them."""
        cells = _evidence(rows.view)  # (n, g, q)
        # The evidence of the other rows is counted with a fold's own classes. Weights that are learnt from it
        # know a little of these, the more columns a row has: so few rows are counted anew for each fold, each
        # time they are needed, since all at once would be several times the table.
        few = rows.n <= FEW * rows.view.bins.shape[1]
        n, g, q = cells.shape
        tasks = rows.folds + 1
        start = np.zeros((q + g, tasks))
        start[:q] = 1.0 / q
        start[q:] = np.log(rows.shares)[:, None]
        truth = np.eye(g)[rows.groups]
        best: tuple[float, Floats, Floats, float] | None = None
        for ridge in RIDGES:
            if few:
                alone = [
                    _solve(own, truth, rows.used[:, [k]], start[:, [k]], ridge)
                    for k, own in enumerate(_for_each_fold(rows, cells))
                ]
                start = np.concatenate(alone, axis=1)
            else:
                start = _solve(cells, truth, rows.used, start, ridge)
            every = (cells.reshape(n * g, q) @ start[:q]).reshape(n, g, tasks) + start[q:]
            held = scores_of(every[np.arange(n), :, rows.fold])
            loss = rows.loss(held)
            if best is not None and loss > best[0]:
                break
            best = loss, held, np.roll(start.T, 1, axis=0), ridge
        assert best is not None
        return cls(best[2][:, :q], best[2][:, q:], best[3]), best[1]

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t)."""
        return scores_of(_evidence(view) @ self.weights[0] + self.constants[0])

    def by_fold(self, view: View) -> Floats:
        """By the models of the folds, (folds, n, t)."""
        every = _evidence(view) @ self.weights[1:].T  # (n, g, folds)
        return scores_of(every.transpose(2, 0, 1) + self.constants[1:, None])


def _for_each_fold(rows: TaughtRows, cells: Floats) -> Iterator[Floats]:
    """The evidence without the classes of each fold, then that of all rows."""
    yield from (_evidence(rows.view, fold) for fold in range(rows.folds))
    yield cells


def _evidence(view: View, without: int | None = None) -> Floats:
    """Of each row for each class, column by column for each strength, (n, g, q)."""
    parts = [view.evidence(strength, without) for strength in STRENGTHS]
    return np.ascontiguousarray(np.concatenate(parts, axis=1).transpose(0, 2, 1))


def _solve(cells: Floats, truth: Floats, used: Floats, start: Floats, ridge: float) -> Floats:
    n, g, q = cells.shape
    flat = cells.reshape(n * g, q)
    mean = np.full((q, 1), 1.0 / len(STRENGTHS) / 2)
    unit = 1.0 / np.sqrt((flat * flat).sum(axis=0) / g + ridge)[:, None]
    unit = np.concatenate([unit, np.full((g, 1), 1.0 / np.sqrt(max(n / g / 4, 1.0)))])

    def loss(at: Floats) -> tuple[float, Floats]:
        b = at.reshape(start.shape) * unit
        log_p = log_probabilities(((flat @ b[:q]).reshape(n, g, -1) + b[q:]).transpose(0, 2, 1))
        value = -float((used * np.einsum("nfg,ng->nf", log_p, truth)).sum())
        slope = (np.exp(log_p) - truth[:, None]) * used[..., None]  # (n, tasks, g)
        down = flat.T @ slope.transpose(0, 2, 1).reshape(n * g, -1)
        apart = b[:q] - mean
        value += 0.5 * ridge * float((apart * apart).sum())
        return value, (np.concatenate([down + ridge * apart, slope.sum(axis=0).T]) * unit).ravel()

    at = descend(loss, (start / unit).ravel(), 1e-4 * float(np.sqrt(n)))
    return np.asarray(at.reshape(start.shape) * unit)
