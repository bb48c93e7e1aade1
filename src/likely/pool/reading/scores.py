"""Scores of classes <-> log-probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import bayes_rule

Floats = NDArray[np.float64]


def log_probabilities(scores: Floats) -> Floats:
    """Log-probabilities of scores (..., g); one column is the log-odds of the second of two classes.

    >>> np.exp(log_probabilities(np.array([[0.0]]))).tolist()
    [[0.5, 0.5]]
    """
    if scores.shape[-1] == 1:
        scores = np.concatenate([np.zeros_like(scores), scores], axis=-1)
    return bayes_rule(scores.reshape(-1, scores.shape[-1]))[0].reshape(scores.shape)


def scores_of(by_class: Floats) -> Floats:
    """Scores of log-probabilities, or of scores of all classes, (..., g): log-odds, if there are two.

    >>> scores_of(np.log([[0.2, 0.8]])).round(3).tolist()
    [[1.386]]
    """
    return by_class[..., 1:] - by_class[..., :1] if by_class.shape[-1] == 2 else by_class


def by_class(scores: Floats) -> Floats:
    """The score of each class, centred, (..., g), of scores (..., t).

    >>> by_class(np.array([[1.0]])).tolist()
    [[-0.5, 0.5]]
    """
    if scores.shape[-1] == 1:
        return np.concatenate([-0.5 * scores, 0.5 * scores], axis=-1)
    return centred(scores)


def centred(scores: Floats) -> Floats:
    """Scores (..., t) less what all classes share; one alone stays as it is."""
    return scores if scores.shape[-1] == 1 else scores - scores.mean(axis=-1, keepdims=True)


def n_scores(n_classes: int) -> int:
    """Scores of a row: one for two classes, else one a class."""
    return 1 if n_classes == 2 else n_classes
