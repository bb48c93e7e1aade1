"""The area under a ROC curve and DeLong's standard error, from what lies at each score."""

from __future__ import annotations

import math

import numpy as np

from likely.errors import LikelyError
from likely.score.estimate import Score
from likely.score.ranked import Ranked
from likely.stats.groups import Floats


def area_of(ranked: Ranked) -> Score:
    """How often a positive row scores higher than another; ties count half.

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
    above = (
        np.cumsum(ranked.positive) - ranked.positive / 2
    )  # positive rows above each score, half of the ties
    below = ranked.negatives - np.cumsum(ranked.negative) + ranked.negative / 2
    wins, losses = below / ranked.negatives, above / ranked.positives
    value = float(ranked.positive @ wins) / ranked.positives
    variance = _variance(wins - value, ranked.positive_squares, ranked.positives, ranked.rows[0])
    variance += _variance(losses - value, ranked.negative_squares, ranked.negatives, ranked.rows[1])
    return Score(value, sum(ranked.rows), math.sqrt(variance))


def _variance(off: Floats, squares: Floats, total: float, rows: int) -> float:
    """Of the mean over the rows of a class; a single row does not tell how much such rows vary."""
    return math.inf if rows < 2 else float(squares @ off**2) / total**2 * rows / (rows - 1)
