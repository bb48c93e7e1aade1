"""Isotonic calibration: the shares in the segments of the ROC hull."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.calibrate.calibration import Calibration, base_rate_of, logit
from likely.errors import LikelyError
from likely.infer.pav import pav_of_sums
from likely.score.hull import Hull
from likely.score.ranked import Ranked
from likely.stats.bins import bin_codes
from likely.stats.groups import Floats

PSEUDO = 2.0  # rows that smoothing adds to a segment


@dataclass(frozen=True, eq=False)
class IsotonicCalibration(Calibration):
    """One probability for each segment of scores, rising; straight lines between segments."""

    lowest: Floats  # (b,), the lowest score of each segment, rising
    highest: Floats  # (b,)
    values: Floats  # (b,), P(class) in each

    def of_scores(self, score: Floats) -> Floats:
        """The log-odds of the segment, or between those of two."""
        return logit(self._between(score))

    def _between(self, score: Floats) -> Floats:
        last = len(self.values) - 1
        place = bin_codes(self.lowest[1:], score)
        beyond, following = score > self.highest[place], np.minimum(place + 1, last)
        left, right = self.highest[place], self.lowest[following]
        # Halves, for the distance of two floats may be more than a float. Next to infinity lies a step.
        with np.errstate(invalid="ignore", divide="ignore"):
            way = (score / 2 - left / 2) / (right / 2 - left / 2)
        way = np.where(np.isneginf(left), 1.0, np.where(np.isinf(right), 0.0, way))
        way = np.where(beyond & (following > place), way, 0.0)
        return np.asarray(self.values[place] + way * (self.values[following] - self.values[place]))


def isotonic(
    y: ArrayLike,
    score: ArrayLike,
    *,
    positive: object = None,
    weight: ArrayLike | None = None,
    smoothing: str | None = "laplace",
) -> IsotonicCalibration:
    """The rising map with the least squared error, which is that of the ROC hull.

    Parameters
    ----------
    y, score, positive, weight
        As for `likely.score.roc`.
    smoothing : "laplace", "neutral" or None
        What is added to each segment. Laplace's rule adds a row of either kind, (m + 1) / (n + 2), and pulls
        towards 1/2; "neutral" adds as many, in proportion to the base rate, and pulls towards that. Where
        segments are no longer in order afterwards they are pooled. None takes the shares as they are: 0
        and 1 at the ends, which one wrong row makes infinitely wrong in log loss.

    Examples
    --------
    >>> calibrator = isotonic([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> calibrator([1, 3, 4, 4.5, 6])
    array([0.25 , 0.5  , 0.5  , 0.625, 0.75 ])
    >>> isotonic([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], smoothing=None)([1, 3, 6])
    array([0. , 0.5, 1. ])
    """
    return isotonic_of(Ranked.of(y, score, positive, weight), smoothing)


def isotonic_of(ranked: Ranked, smoothing: str | None = "laplace") -> IsotonicCalibration:
    """As `isotonic`."""
    hull, rate = Hull.of(ranked), base_rate_of(ranked)
    if smoothing not in ("laplace", "neutral", None):
        raise LikelyError(f"smoothing={smoothing!r}: give 'laplace', 'neutral' or None.")
    more = {"laplace": 1.0, "neutral": PSEUDO * rate, None: 0.0}[smoothing]
    hits = hull.positive[::-1] + more
    total = (hull.positive + hull.negative)[::-1] + (PSEUDO if smoothing else 0.0)
    pools = pav_of_sums(hits, total)
    return IsotonicCalibration(
        ranked.label,
        rate,
        hull.thresholds[1:][::-1][pools.edges[:-1]],
        hull.highest[::-1][pools.edges[1:] - 1],
        pools.values,
    )
