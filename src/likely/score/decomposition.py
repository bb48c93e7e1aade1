"""Decomposition of the Brier score and the log loss: miscalibration, discrimination and uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.numeric.logs import x_log_y
from likely.errors import LikelyError
from likely.score.hull import Hull
from likely.score.outcomes import Outcomes
from likely.score.ranked import Ranked
from likely.stats.groups import Floats


@dataclass(frozen=True)
class Decomposition:
    """score = miscalibration - discrimination + uncertainty; none of the three is negative."""

    score: float
    miscalibration: float  # how much worse than the same ranking with calibrated probabilities
    discrimination: float  # how much better these are than the base rate for all rows
    uncertainty: float  # the score of the base rate

    def __repr__(self) -> str:
        return (
            f"{self.score:.4f} = {self.miscalibration:.4f} miscalibration - {self.discrimination:.4f} "
            f"discrimination + {self.uncertainty:.4f} uncertainty"
        )


def decompose(
    y: ArrayLike,
    p: ArrayLike,
    *,
    measure: str = "brier",
    classes: ArrayLike | None = None,
    weight: ArrayLike | None = None,
) -> Decomposition:
    """Take the Brier score or the log loss apart, exactly, on the bins of the ROC hull.

    The calibrated probabilities are the shares in the segments of the hull: no rising map of the given ones
    scores better on these rows. (On few rows they flatter the ranking: both terms have the same excess.)

    Parameters
    ----------
    measure : "brier" or "log loss"
        Of more than two classes the Brier score is the sum over the classes, each against the rest; log loss
        is for two.
    y, p, classes, weight
        As for `log_loss`.

    Examples
    --------
    >>> decompose([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8])
    0.2000 = 0.0750 miscalibration - 0.1250 discrimination + 0.2500 uncertainty
    """
    if measure not in ("brier", "log loss"):
        raise LikelyError(f"measure={measure!r}: give 'brier' or 'log loss'.")
    told = Outcomes.of(y, p, classes, weight)
    g = len(told.classes)
    if measure == "log loss" and g > 2:
        raise LikelyError(
            f"the log loss of {g} classes is no sum over classes: take measure='brier', or one class "
            "against the rest."
        )
    parts = np.zeros(3)
    for place in range(g) if g > 2 else [g - 1]:
        parts += _parts(told, place, measure)
    given, calibrated, base = parts.tolist()
    return Decomposition(given, max(given - calibrated, 0.0), max(base - calibrated, 0.0), base)


def _parts(told: Outcomes, place: int, measure: str) -> Floats:
    """The score of the given probabilities, of the calibrated ones, and of the base rate, (3,)."""
    ranked = Ranked.grouped(told.classes[place], told.codes == place, told.p[:, place], told.weight)
    hull = Hull.of(ranked)
    total = ranked.positives + ranked.negatives
    score = _brier if measure == "brier" else _log_loss
    sums = [
        score(ranked.scores, ranked.positive, ranked.negative),
        score(hull.probability, hull.positive, hull.negative),
        score(
            np.array([ranked.positives / total]), np.array([ranked.positives]), np.array([ranked.negatives])
        ),
    ]
    return np.array(sums) / total


def _brier(p: Floats, hits: Floats, misses: Floats) -> float:
    return float(hits @ (1 - p) ** 2 + misses @ p**2)


def _log_loss(p: Floats, hits: Floats, misses: Floats) -> float:
    return -float(x_log_y(hits, p).sum() + x_log_y(misses, 1 - p).sum())
