"""The area under the ROC curve, and its standard error after DeLong."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError
from likely.score.estimate import Area, variance_of_mean
from likely.score.outcomes import Outcomes
from likely.score.ranked import Ranked
from likely.stats.groups import Floats, Ints


def auc(
    y: ArrayLike, p: ArrayLike, *, classes: ArrayLike | None = None, weight: ArrayLike | None = None
) -> Area:
    """How often a row of a class gets a higher probability of it than a row of another; ties count half.

    Of two classes it is the area under the ROC curve of the second. With more it is the mean of each class
    against the rest, weighted by the share of the class. The standard error is DeLong's: every row has its
    own mean comparison with the rows of other classes, and these vary within each class. The parameters are
    those of `log_loss`.

    >>> area = auc(["no", "no", "yes", "yes"], [0.1, 0.5, 0.5, 0.9])
    >>> area, tuple(round(end, 2) for end in area.interval())
    (0.875 ± 0.177 from 4 rows, (0.23, 0.99))
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
    if len(told.classes) == 2:
        return area_of(Ranked.grouped(told.classes[1], codes == 1, p[:, 1], weight))
    totals: Floats = np.bincount(codes, weight, p.shape[1]).astype(np.float64)
    total = totals.sum()
    value, parts = 0.0, np.zeros(len(codes))  # parts: what each row adds to the area, per unit of its weight
    for place in present:
        share, mine = totals[place] / total, codes == place
        ranked = Ranked.grouped(told.classes[place], mine, p[:, place], weight)
        wins, losses = comparisons(ranked)
        at = np.searchsorted(-ranked.scores, -p[:, place])  # the place of each row's score
        value += share * float(ranked.positive @ wins) / totals[place]
        parts += share * np.where(mine, wins[at] / totals[place], losses[at] / (total - totals[place]))
    fewest = int(np.bincount(codes)[present].min())
    return Area(value, len(codes), _error(parts, codes, weight, totals), fewest)


def area_of(ranked: Ranked) -> Area:
    """As `auc`, of one class against the rest.

    All rows with one score compare alike, so that one pass over the distinct scores tells the area and how
    much the comparisons of rows vary within each class.

    >>> area_of(Ranked.of([0, 0, 1, 1], [0.1, 0.5, 0.5, 0.9]))
    0.875 ± 0.177 from 4 rows
    """
    if not all(ranked.rows):
        raise LikelyError(
            f"every row is {'' if ranked.rows[0] else 'not '}of the class {ranked.label!r}: an area under "
            "the ROC curve compares rows of two classes."
        )
    wins, losses = comparisons(ranked)
    value = float(ranked.positive @ wins) / ranked.positives
    variance = _variance(wins - value, ranked.positive_squares, ranked.positives, ranked.rows[0])
    variance += _variance(losses - value, ranked.negative_squares, ranked.negatives, ranked.rows[1])
    return Area(value, sum(ranked.rows), math.sqrt(variance), min(ranked.rows))


def comparisons(ranked: Ranked) -> tuple[Floats, Floats]:
    """At each score, the share of other rows below it, and of positive rows above it; equals count half.

    >>> comparisons(Ranked.of([0, 0, 1, 1], [0.1, 0.5, 0.5, 0.9]))
    (array([1.  , 0.75, 0.25]), array([0.25, 0.75, 1.  ]))
    """
    above = np.cumsum(ranked.positive) - ranked.positive / 2
    below = ranked.negatives - np.cumsum(ranked.negative) + ranked.negative / 2
    return below / ranked.negatives, above / ranked.positives


def _variance(off: Floats, squares: Floats, total: float, rows: int) -> float:
    """Of the mean over the rows of a class; a single row does not tell how much such rows vary."""
    return math.inf if rows < 2 else float(squares @ off**2) / total**2 * rows / (rows - 1)


def _error(parts: Floats, codes: Ints, weight: Floats, totals: Floats) -> float:
    """Classes are independent samples, so the variances of their means add up."""
    variance = 0.0
    for place in np.unique(codes):
        mine = codes == place
        if mine.sum() < 2:
            return math.inf  # a single row does not tell how much such rows vary
        variance += totals[place] ** 2 * variance_of_mean(parts[mine], weight[mine] / totals[place])
    return math.sqrt(variance)
