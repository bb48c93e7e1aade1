"""How far the coefficients are known: intervals of predicted probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.evidence import Intervals
from likely.infer import bayes_rule
from likely.models.groups.intervals import ANSWERS, check_interval, sum_up
from likely.models.groups.sampling import generator
from likely.models.regression.logistic.record import LogisticRecord, two_sided
from likely.table.frame import Frame

Floats = NDArray[np.float64]


def predict_interval(
    record: LogisticRecord, frame: Frame, level: float, draws: int, random_state: Any, n_jobs: int | None
) -> Intervals:
    """Draw the coefficients from their approximate posterior, the same for all rows, and ask each draw."""
    check_interval(level, draws)
    if record.beside is not None and any(True for _ in record.beside.patterns(record.design, frame)):
        raise LikelyError(
            "intervals of rows with missing numbers are not known under missing='average': fill them in "
            "first, or fit with missing='indicator'."
        )
    g, parts = len(record.classes), len(record.theta)
    theta = drawn(record, draws, random_state)  # (draws * parts, q)
    z = record.design.cells(frame, n_jobs)
    lower, upper, cases = (np.empty((frame.n, g)) for _ in range(3))
    piece = max(1, ANSWERS // (g * draws))
    for first in range(0, frame.n, piece):
        rows = slice(first, min(first + piece, frame.n))
        scores = z.part(first, rows.stop).predict(theta).reshape(-1, parts)  # a line for each row and draw
        logs = two_sided(scores) if parts == 1 else bayes_rule(scores)[0]
        probs = np.ascontiguousarray(np.exp(logs).T).reshape(g, -1, draws)
        sum_up(probs, level, (lower[rows], upper[rows], cases[rows]), n_jobs)
    probability = np.exp(record.posterior(frame, n_jobs))
    return Intervals(record.classes, level, draws, probability, lower, upper, cases, frame.library)


def drawn(record: LogisticRecord, draws: int, random_state: Any) -> Floats:
    """theta at draws from its posterior, (draws * parts, q): normal around the most probable one."""
    values, vectors = np.linalg.eigh(record.known_covariance())
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    noise = generator(draws, random_state).normal(size=(draws, len(values)))
    found = record.theta.ravel() + noise @ root.T
    return np.asarray(found.reshape(-1, record.theta.shape[1]))
