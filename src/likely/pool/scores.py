"""Scores -> log-probabilities -> log loss."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import bayes_rule

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def log_probabilities(scores: Floats) -> Floats:
    """Log-probabilities of scores (..., g); one column is the log-odds of the second of two classes.

    >>> np.exp(log_probabilities(np.array([[0.0]]))).tolist()
    [[0.5, 0.5]]
    """
    if scores.shape[-1] == 1:
        scores = np.concatenate([np.zeros_like(scores), scores], axis=-1)
    return bayes_rule(scores.reshape(-1, scores.shape[-1]))[0].reshape(scores.shape)


def n_scores(n_classes: int) -> int:
    """Scores of a row: one for two classes, else one a class."""
    return 1 if n_classes == 2 else n_classes


def log_loss(log_p: Floats, codes: Ints, weight: Floats) -> float:
    """The mean of -log p of what was so."""
    return float(-(weight @ log_p[np.arange(len(codes)), codes]) / weight.sum())
