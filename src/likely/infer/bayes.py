"""Bayes' rule."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import powers

Floats = NDArray[np.float64]

# Between these logs no sum of powers overflows, and none that has one of them vanishes.
SAFE = 256.0


def bayes_rule(log_joint: Floats, *, log: bool = True, spare: bool = False) -> tuple[Floats, Floats]:
    """From log P(row, group), (n, g), to log P(group given row), (n, g), and log P(row), (n,).

    With log=False the posterior comes as it is, without its log, in half the time. What is not needed any
    more (spare) may be written over. A row that is impossible in every group has log evidence -inf and no
    posterior: NaN, for the caller to say what then holds.

    >>> posterior, evidence = bayes_rule(np.log([[0.00784, 0.02976]]))
    >>> np.exp(posterior).round(4), np.exp(evidence).round(4)
    (array([[0.2085, 0.7915]]), array([0.0376]))
    """
    # Groups first: a maximum over a short last axis costs sixty times as much.
    joint = np.ascontiguousarray(log_joint.T)  # (g, n)
    apart, anchor = _anchored(joint, spare and not log)
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = powers(apart, out=None if log else apart)
        total = weights.sum(axis=0)
        log_total = np.log(total)
        if log:
            apart -= log_total
        else:
            apart *= 1 / total
    return apart.T, anchor + log_total


def posterior_of_row(log_joint: Floats) -> Floats:
    """From log P(row, group), (g,), to P(group given row), (g,): the rule for a single possible row, at once.

    >>> posterior_of_row(np.log([0.00784, 0.02976])).round(4)
    array([0.2085, 0.7915])
    """
    weights = np.exp(log_joint - log_joint.max())
    return np.asarray(weights / weights.sum())


def _anchored(joint: Floats, spare: bool) -> tuple[Floats, Floats | float]:
    """Logs (g, n) that can be raised to powers safely, and what was taken out of each column for it.

    Where a last digit more or less does not matter (spare), nothing is taken out that need not be.
    """
    if spare and joint.size and joint.max() < SAFE and joint[0].min() > -SAFE:
        return joint, 0.0
    highest = joint.max(axis=0, initial=-np.inf)
    anchor = np.where(np.isfinite(highest), highest, 0.0)
    # Without the anchor's digits, so that posteriors add up to 1.
    return np.subtract(joint, anchor, out=joint if spare else None), anchor
