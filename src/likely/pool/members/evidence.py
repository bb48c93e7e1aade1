"""The evidence member: shrunk log-odds of every column's bins, each column with a weight that is learnt.

Naive Bayes has all weights 1, and counts twice what two columns say alike; here such columns get less.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.descent import descend
from likely.pool.reading import View
from likely.pool.rows import TaughtRows
from likely.pool.scores import log_loss, log_probabilities

Floats = NDArray[np.float64]

STRENGTHS = (0.5, 8.0)  # rows of the base rate that are added to every bin
RIDGES = (100.0, 10.0, 1.0, 0.1)
LARGEST = 30_000_000  # numbers that are held at once


@dataclass(frozen=True)
class EvidenceMember:
    """Weights of the columns, for each strength of shrinking, and a constant for each class."""

    weights: Floats  # (strengths d,)
    constants: Floats  # (g,)
    ridge: float

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[EvidenceMember, Floats]:
        """The member, and log-probabilities of the rows by models that had not seen them."""
        cells = _evidence(rows.view)  # (n, g, q)
        n, g, q = cells.shape
        tasks = rows.folds + 1
        used = rows.weight[:, None] * (rows.fold[:, None] != np.arange(tasks))
        truth = rows.truth()
        start = np.zeros((q + g, tasks))
        start[:q] = 1.0 / q
        start[q:] = np.log(rows.shares)[:, None]
        best: tuple[float, Floats, Floats, float] | None = None
        for ridge in RIDGES:
            start = _solve(cells, truth, used, start, ridge)
            every = (cells.reshape(n * g, q) @ start[:q]).reshape(n, g, tasks) + start[q:]
            held = log_probabilities(every[np.arange(n), :, rows.fold])
            loss = log_loss(held, rows.codes, rows.weight)
            if best is not None and loss > best[0]:
                break
            best = loss, held, start[:, -1].copy(), ridge
        assert best is not None
        return cls(best[2][:q], best[2][q:], best[3]), best[1]

    def log_proba(self, view: View) -> Floats:
        """Log P(class given row), (n, g)."""
        return log_probabilities(_evidence(view) @ self.weights + self.constants)


def too_large(rows: TaughtRows) -> bool:
    """Whether the evidence of all cells would take too much memory."""
    return rows.n * len(rows.reading.n_bins) * rows.n_classes * len(STRENGTHS) > LARGEST


def _evidence(view: View) -> Floats:
    """Of each row for each class, column by column for each strength, (n, g, q)."""
    parts = [view.evidence(strength) for strength in STRENGTHS]
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
