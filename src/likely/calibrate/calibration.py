"""A map from scores to probabilities that was learnt from rows whose class is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import demand, numbers, probability
from likely.dist.numeric.logs import log, special
from likely.errors import LikelyError
from likely.score.ranked import Ranked
from likely.stats.groups import Floats

CERTAIN = 36.7  # log-odds of the largest float below 1: what 0 and 1 stand for where logarithms are needed


@dataclass(frozen=True)
class Calibration(ABC):
    """P(class given score). Call it with scores; `log_odds` keeps the digits of probabilities near 1."""

    label: Any  # of the class
    base_rate: float  # its share among the rows that were learnt from

    @abstractmethod
    def of_scores(self, score: Floats) -> Floats:
        """The log-odds of scores that are known to be numbers."""

    def log_odds(self, score: ArrayLike, base_rate: float | None = None) -> Floats:
        """The log-odds of the class for each score; under another base rate, if one is given.

        `base_rate=0.5` leaves the base rate out: what is left is the log likelihood ratio of the score.
        """
        given = numbers("score", score)
        demand("score", given, ~np.isnan(given), "a score is a number; leave rows without one out")
        return self.of_scores(given) + (0.0 if base_rate is None else self._shift(base_rate))

    def __call__(self, score: ArrayLike, base_rate: float | None = None) -> Floats:
        """P(class) for each score; under another base rate, if one is given."""
        return special("expit", self.log_odds(score, base_rate))

    def _shift(self, base_rate: float) -> float:
        new = float(probability("base_rate", base_rate))
        if not 0 < self.base_rate < 1:
            raise LikelyError(
                f"base_rate={base_rate!r}: all rows that were learnt from are of one class, so that scores "
                "say nothing without their base rate."
            )
        return float(logit(new) - logit(self.base_rate))


def base_rate_of(ranked: Ranked) -> float:
    """The share of the class.

    >>> base_rate_of(Ranked.of([0, 1, 1, 1], [1, 2, 3, 4]))
    0.75
    """
    return ranked.positives / (ranked.positives + ranked.negatives)


def logit(p: ArrayLike) -> Floats:
    """The log-odds of probabilities, infinite at 0 and 1.

    >>> logit([0.0, 0.5, 1.0])
    array([-inf,   0.,  inf])
    """
    return log(p) - log(1 - np.asarray(p, np.float64))


def within(score: Floats, lowest: float, highest: float) -> Floats:
    """Scores moved into a range of numbers that can be calculated with.

    >>> within(np.array([-np.inf, 0.5]), -3.0, np.inf)
    array([-3. ,  0.5])
    """
    large = float(np.finfo(np.float64).max)
    return np.clip(score, max(lowest, -large), min(highest, large))


def finite_range(score: Floats) -> tuple[float, float]:
    """Where infinite scores are moved to: the nearest finite ones, or one beyond if these are all alike.

    No limit on a side without infinities.

    >>> finite_range(np.array([np.inf, 2.0, 1.0])), finite_range(np.array([np.inf, 5.0, -np.inf]))
    ((-inf, 2.0), (4.0, 6.0))
    """
    known = score[np.isfinite(score)]
    lowest, highest = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    beyond = 1.0 if lowest == highest else 0.0
    return (
        lowest - beyond if np.isneginf(score).any() else -np.inf,
        highest + beyond if np.isposinf(score).any() else np.inf,
    )
