"""Bayes' rule."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def bayes_rule(log_joint: Floats) -> tuple[Floats, Floats]:
    """From log P(row, group), (n, g), to log P(group given row), (n, g), and log P(row), (n,).

    A row that is impossible in every group has log evidence -inf and no posterior: NaN, for the
    caller to say what then holds.

    >>> posterior, evidence = bayes_rule(np.log([[0.00784, 0.02976]]))
    >>> np.exp(posterior).round(4), np.exp(evidence).round(4)
    (array([[0.2085, 0.7915]]), array([0.0376]))
    """
    highest = log_joint.max(axis=1, keepdims=True, initial=-np.inf)
    anchor = np.where(np.isfinite(highest), highest, 0.0)
    log_evidence = log_joint - anchor
    np.exp(log_evidence, out=log_evidence)
    total = log_evidence.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_total = anchor + np.log(total)
        return log_joint - log_total, log_total[:, 0]
