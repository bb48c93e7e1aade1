"""The evidence of a logistic regression that has more columns than rows: by the products of rows alone.

Under a normal prior of all coefficients alike, the log-odds of the rows are normal beforehand, with the
products of the rows for covariances: n numbers to be found, however many columns there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit

Floats = NDArray[np.float64]

INTERCEPT = 10.0  # its sd: so wide that it hardly matters
STEPS = 50
SETTLED = 1e-6  # nats: a step that gains less is the last
HALVINGS = 20


@dataclass(frozen=True, slots=True)
class RowEvidence:
    """Laplace's approximation of log P(classes given rows), and where the log-odds are most probable."""

    log_evidence: float
    pull: Floats  # (n,): what each row pulls at its log-odds; a coefficient is sd^2 x (pull . column)


def row_evidence(
    products: Floats, is_second: Floats, weight: Floats, sd: float, start: Floats | None = None
) -> RowEvidence:
    """Of rows whose standardised columns have these products (n, n), and whose class is the second or not.

    >>> rows = np.array([[-1.0], [1.0]])
    >>> at = row_evidence(rows @ rows.T, np.array([0.0, 1.0]), np.ones(2), sd=1.0)
    >>> round(float(at.pull @ rows[:, 0]), 6)  # the most probable coefficient b: b = 2 / (1 + exp(b))
    0.674832
    """
    covariance = sd * sd * products + INTERCEPT * INTERCEPT
    pull = np.zeros(len(weight)) if start is None else start
    log_odds = covariance @ pull
    gain = _objective(pull, log_odds, is_second, weight)
    log_det = 0.0
    for _ in range(STEPS):
        p = expit(log_odds)
        root = np.sqrt(weight * p * (1 - p))
        factor = cho_factor(root[:, None] * covariance * root + np.eye(len(root)), lower=True)
        log_det = float(np.log(np.diagonal(factor[0])).sum())
        b = root * root * log_odds + weight * (is_second - p)
        step = b - root * cho_solve(factor, root * (covariance @ b)) - pull
        share, moved = 1.0, covariance @ step
        for _ in range(HALVINGS):
            now = _objective(pull + share * step, log_odds + share * moved, is_second, weight)
            if now >= gain:
                break
            share /= 2
        else:
            break
        pull, log_odds = pull + share * step, log_odds + share * moved
        if now - gain < SETTLED:
            gain = now
            break
        gain = now
    return RowEvidence(gain - log_det, pull)


def _objective(pull: Floats, log_odds: Floats, is_second: Floats, weight: Floats) -> float:
    """The log-likelihood of the classes, and the log prior of the log-odds up to a constant."""
    said = is_second * log_odds - np.logaddexp(0.0, log_odds)
    return float(weight @ said - 0.5 * pull @ log_odds)
