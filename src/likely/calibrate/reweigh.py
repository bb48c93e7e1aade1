"""Probabilities under another base rate."""

from __future__ import annotations

import numpy as np

from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.infer.bayes import bayes_rule
from likely.stats.groups import Floats


def reweigh(log_p: Floats, old: Floats, new: Floats) -> Floats:
    """Log P(class), (n, g), that was right under the base rate `old`, made right under `new`.

    The likelihood ratios stay, so that each probability is multiplied by new / old, and the row brought to
    the sum 1. A row that is impossible under the new base rate gets that base rate.

    >>> np.exp(reweigh(np.log([[0.5, 0.5]]), np.array([0.5, 0.5]), np.array([0.9, 0.1])))
    array([[0.9, 0.1]])
    """
    unknown = (old <= 0) & (new > 0)
    if unknown.any():
        place = int(np.argmax(unknown))
        raise LikelyError(
            f"class number {place} had no rows and is now to have the base rate {new[place]:g}: what was "
            "never seen cannot be told. Learn from rows of this class."
        )
    change = np.where(old > 0, log(new) - log(np.where(old > 0, old, 1.0)), -np.inf)
    log_posterior, log_evidence = bayes_rule(np.where(np.isneginf(change), -np.inf, log_p + change))
    gone = np.isneginf(log_evidence)
    log_posterior[gone] = log(new)
    return log_posterior
