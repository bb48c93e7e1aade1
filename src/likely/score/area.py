"""The area under the ROC curve, and its standard error after DeLong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.score.estimate import Score, variance_of_mean
from likely.score.outcomes import Outcomes
from likely.stats.groups import Floats


def auc(y: Any, p: Any, *, classes: Any = None, weight: Any = None) -> Score:
    """How often a row of a class gets a higher probability of it than a row of another; ties count half.

    With more than two classes it is the mean of each class against the rest, weighted by the share of the
    class. The standard error is DeLong's: every row has its own mean comparison with the rows of other
    classes, and these vary within each class. The parameters are those of `log_loss`.

    >>> auc(["no", "no", "yes", "yes"], [0.1, 0.5, 0.5, 0.9])
    0.875 ± 0.177 from 4 rows
    """
    told = Outcomes.of(y, p, classes, weight)
    counted = told.weight > 0
    codes, p, weight = told.codes[counted], told.p[counted], told.weight[counted]
    present = np.unique(codes)
    if len(present) < 2:
        raise LikelyError(
            f"every row is of the class {told.classes[int(codes[0])]!r}: an area under the ROC curve "
            "compares rows of two classes."
        )
    totals: Floats = np.bincount(codes, weight, p.shape[1]).astype(np.float64)
    total = totals.sum()
    value, parts = 0.0, np.zeros(len(codes))  # parts: what each row adds to the area, per unit of its weight
    for place in present:
        share, mine = totals[place] / total, codes == place
        wins, losses = _comparisons(p[:, place], mine, weight)
        value += share * float(weight[mine] @ wins) / totals[place]
        parts[mine] += share * wins / totals[place]
        parts[~mine] += share * losses / (total - totals[place])
    return Score(value, len(codes), _error(parts, codes, weight, totals))


def _comparisons(score: Floats, mine: Any, weight: Floats) -> tuple[Floats, Floats]:
    """For each row of the class, the share of others below it; for each other row, of the class above it."""
    above = _share_below(score[mine], score[~mine], weight[~mine])
    below = 1 - _share_below(score[~mine], score[mine], weight[mine])
    return above, below


def _share_below(score: Floats, others: Floats, weight: Floats) -> Floats:
    """The share of the others below each score; equals count half."""
    order = np.argsort(others, kind="stable")
    others, heaped = others[order], np.concatenate([[0.0], np.cumsum(weight[order])])
    low, high = (heaped[np.searchsorted(others, score, side)] for side in ("left", "right"))
    return np.asarray((low + high) / (2 * heaped[-1]))


def _error(parts: Floats, codes: Any, weight: Floats, totals: Floats) -> float:
    """Classes are independent samples, so the variances of their means add up."""
    variance = 0.0
    for place in np.unique(codes):
        mine = codes == place
        if mine.sum() < 2:
            return math.inf  # a single row does not tell how much such rows vary
        variance += totals[place] ** 2 * variance_of_mean(parts[mine], weight[mine] / totals[place])
    return math.sqrt(variance)
