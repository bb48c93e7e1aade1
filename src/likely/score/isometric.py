"""Isometrics: points of ROC space that a measure takes for equally good; and the best point of a curve."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likely.dist.distribution import not_negative, probability
from likely.dist.numeric.logs import x_log_y
from likely.errors import LikelyError
from likely.stats.groups import Floats

HALVINGS = 60  # of the interval in which a point of a curve is looked for: to the last bit


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


def isometric(
    measure: str,
    through: tuple[float, float],
    base_rate: float,
    *,
    false_positive: float = 1.0,
    false_negative: float = 1.0,
    points: int = 101,
) -> tuple[Floats, Floats]:
    """The line, or curve, of points (fpr, tpr) as good as a given one.

    Parameters
    ----------
    measure : "accuracy", "cost" or "information gain"
        Lines of equal accuracy have the slope (1 - base rate) / base rate; those of equal expected cost
        have it times the ratio of the costs. Curves of equal information gain bend towards the corners: the
        branch on the side of the given point is returned, above the diagonal or below it.
    through : (fpr, tpr)
        The given point.
    base_rate : float
        The share of the positive class.
    false_positive, false_negative : float
        For "cost".
    points : int
        How many at most; those outside ROC space are left out.

    Examples
    --------
    >>> isometric("accuracy", (0.2, 0.6), 0.5, points=3)
    (array([0. , 0.5]), array([0.4, 0.9]))
    >>> fpr, tpr = isometric("information gain", (0.0, 0.5), 0.5)
    >>> tpr[:3].round(3)  # a wrong call must be made up for by more than one right one
    array([0.5  , 0.541, 0.57 ])
    """
    f, t = (float(probability("through", value)) for value in through)
    rate = float(probability("base_rate", base_rate))
    if measure == "information gain":
        return _gain_curve(f, t, rate, points)
    if measure not in ("accuracy", "cost"):
        raise LikelyError(f"measure={measure!r}: the measures are 'accuracy', 'cost' and 'information gain'.")
    costs = (1.0, 1.0) if measure == "accuracy" else (false_positive, false_negative)
    slope = slope_of_cost(rate, *costs)
    if np.isinf(slope):  # misses cost nothing: all that matters is the false positive rate
        return np.full(2, f), np.array([0.0, 1.0])
    fpr = np.linspace(0, 1, points)
    tpr = t + slope * (fpr - f)
    inside = (tpr >= -1e-12) & (tpr <= 1 + 1e-12)
    return fpr[inside], np.clip(tpr[inside], 0, 1)


def isometrics(
    measure: str,
    fpr: Floats,
    tpr: Floats,
    base_rate: float,
    *,
    false_positive: float = 1.0,
    false_negative: float = 1.0,
) -> tuple[int, list[tuple[Floats, Floats]]]:
    """Which point of a curve is the best (of equally good ones the first), and lines of equally good points.

    The first line goes through the best point, the others through points between chance and the best corner.

    >>> fpr, tpr = np.array([0.0, 0.0, 0.5, 1.0]), np.array([0.0, 0.5, 1.0, 1.0])
    >>> best, lines = isometrics("information gain", fpr, tpr, 0.5)
    >>> best, len(lines)
    (1, 6)
    """
    if measure == "information gain":
        gains = information_gain(fpr, tpr, float(probability("base_rate", base_rate)))
        best = int(np.argmax(gains >= gains.max() - 1e-12))
    else:
        costs = (1.0, 1.0) if measure == "accuracy" else (false_positive, false_negative)
        best = lowest_cost_index(tpr, fpr, base_rate, *costs)
    between = [(0.5 - away, 0.5 + away) for away in (0.05, 0.15, 0.25, 0.35, 0.45)]
    return best, [
        isometric(measure, point, base_rate, false_positive=false_positive, false_negative=false_negative)
        for point in [(float(fpr[best]), float(tpr[best])), *between]
    ]


def information_gain(fpr: Floats, tpr: Floats, base_rate: float) -> Floats:
    """What the call tells about the class, in bits.

    >>> information_gain(np.array([0.0, 0.3]), np.array([1.0, 0.3]), 0.5)
    array([1., 0.])
    """
    joint = np.stack(
        [
            base_rate * tpr,
            (1 - base_rate) * fpr,
            base_rate * (1 - tpr),
            (1 - base_rate) * (1 - fpr),
        ]
    )
    calls = joint[:2].sum(axis=0), joint[2:].sum(axis=0)
    alone = base_rate, 1 - base_rate
    nats = x_log_y(joint, joint).sum(axis=0)
    nats = nats - sum(x_log_y(p, p) for p in calls) - sum(x_log_y(p, p) for p in alone)
    return np.asarray(np.maximum(nats / np.log(2), 0.0), np.float64)


def _gain_curve(f: float, t: float, rate: float, points: int) -> tuple[Floats, Floats]:
    def gain(fpr: Floats, tpr: Floats) -> Floats:
        return information_gain(fpr, tpr, rate)

    wanted = float(gain(np.asarray(f), np.asarray(t)))
    fpr = np.linspace(0, 1, points)
    edge = np.ones(points) if t >= f else np.zeros(points)  # gain grows from the diagonal to this edge
    inside = gain(fpr, edge) >= wanted - 1e-15
    fpr, edge = fpr[inside], edge[inside]
    return fpr, _bisect(gain, fpr, fpr.copy(), edge, wanted)


def _bisect(
    gain: Callable[[Floats, Floats], Floats], fpr: Floats, low: Floats, high: Floats, wanted: float
) -> Floats:
    """Where the gain is as wanted, between points where it is less and more."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        less = gain(fpr, middle) < wanted
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    return high
