"""The best point of a ROC curve, for any base rate and any costs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from likely.dist.distribution import not_negative, probability
from likely.stats.groups import Floats


@dataclass(frozen=True)
class OperatingPoint:
    """A threshold, and what it does."""

    threshold: float
    tpr: float
    fpr: float
    base_rate: float
    false_positive: float  # what one costs
    false_negative: float

    @property
    def cost(self) -> float:
        """The expected cost of a row."""
        missed = self.base_rate * (1 - self.tpr) * self.false_negative
        return missed + (1 - self.base_rate) * self.fpr * self.false_positive

    @property
    def slope(self) -> float:
        """Of the lines of equal cost: scores with a likelihood ratio above it are worth calling positive."""
        return slope_of_cost(self.base_rate, self.false_positive, self.false_negative)

    def __repr__(self) -> str:
        return (
            f"threshold {self.threshold:g}: true positive rate {self.tpr:.3f}, "
            f"false positive rate {self.fpr:.3f}, expected cost {self.cost:.3f}"
        )


def best_point(
    thresholds: Floats,
    tpr: Floats,
    fpr: Floats,
    base_rate: float,
    false_positive: float,
    false_negative: float,
) -> OperatingPoint:
    """The point of the lowest expected cost; of equally good ones the first.

    >>> best_point(np.array([np.inf, 2.0]), np.array([0.0, 1.0]), np.array([0.0, 1.0]), 0.3, 1, 1).threshold
    inf
    """
    place = lowest_cost_index(tpr, fpr, base_rate, false_positive, false_negative)
    return OperatingPoint(
        float(thresholds[place]),
        float(tpr[place]),
        float(fpr[place]),
        float(base_rate),
        float(false_positive),
        float(false_negative),
    )


def lowest_cost_index(
    tpr: Floats, fpr: Floats, base_rate: float, false_positive: float, false_negative: float
) -> int:
    """Which point has the lowest expected cost; of equally good ones the first.

    >>> lowest_cost_index(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.0, 1.0]), 0.5, 1, 1)
    1
    """
    rate = float(probability("base_rate", base_rate))
    wrong = float(not_negative("false_positive", false_positive))
    missed = float(not_negative("false_negative", false_negative))
    cost = rate * missed * (1 - tpr) + (1 - rate) * wrong * fpr
    # Costs that differ by rounding alone are equal.
    return int(np.argmax(cost <= cost.min() + 4 * math.ulp(float(cost.max()))))


def slope_of_cost(base_rate: float, false_positive: float, false_negative: float) -> float:
    """The slope of lines of equal expected cost in ROC space; infinite where a miss costs nothing.

    >>> slope_of_cost(0.5, 1, 1), slope_of_cost(0.25, 1, 1)
    (1.0, 3.0)
    """
    missed = base_rate * false_negative
    return (1 - base_rate) * false_positive / missed if missed else math.inf
