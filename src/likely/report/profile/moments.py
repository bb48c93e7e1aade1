"""Counted numbers -> their means, spread and shape, for numbers of any size."""

from __future__ import annotations

import math

import numpy as np

from likely.report.profile.value_counts import ValueCounts
from likely.stats import Groups, Moments


def statistics_of(numbers: ValueCounts) -> dict[str, float]:
    """Every statistic that these numbers have; one that is not defined for them is left out.

    Variance, skewness and kurtosis are those of the numbers themselves, with n as the divisor.

    >>> statistics = statistics_of(ValueCounts.of(np.array([1.0, 1.0, 4.0])))
    >>> statistics["mean"], statistics["variance"], statistics["mode"], round(statistics["geometric_mean"], 3)
    (2.0, 2.0, 1.0, 1.587)
    """
    if not len(numbers.values):
        return {}
    low, q1, median, q3, high = numbers.quantiles([0, 0.25, 0.5, 0.75, 1]).tolist()
    statistics = {"min": low, "max": high, "median": median, "range": high - low, "iqr": q3 - q1}
    statistics["midrange"] = _middle(low, high)
    most = int(np.argmax(numbers.counts))
    if numbers.counts[most] > 1 or len(numbers.values) == 1:
        statistics["mode"] = float(numbers.values[most])
    statistics |= _moments(numbers)
    if low > 0:
        statistics |= _means_of_ratios(numbers, low, high)
    return statistics


def _middle(low: float, high: float) -> float:
    both = low + high
    return both / 2 if math.isfinite(both) else low / 2 + high / 2


def _moments(numbers: ValueCounts) -> dict[str, float]:
    """Mean, variance and shape, in a unit in which no power of a deviation leaves the range of floats."""
    # A power of two costs no digit.
    unit = 2.0 ** min(math.frexp(float(np.abs(numbers.values[[0, -1]]).max()))[1], 1023)
    scaled, n = numbers.values / unit, numbers.n
    moments = Moments.collect(scaled[:, None], Groups.one(len(scaled), numbers.counts))
    mean, variance = float(moments.mean.item()), float(moments.variance.item())
    if len(scaled) == 1 or not variance:
        return {"mean": mean * unit, "variance": 0.0, "sd": 0.0}
    apart = (scaled - mean) - moments.mean_rest.item()
    squares = apart * apart
    weight = numbers.counts * squares
    return {
        "mean": mean * unit,
        "variance": variance * unit * unit,
        "sd": math.sqrt(variance) * unit,
        "skewness": float(weight @ apart) / n / variance**1.5,
        "excess_kurtosis": float(weight @ squares) / n / variance**2 - 3,
    }


def _means_of_ratios(numbers: ValueCounts, low: float, high: float) -> dict[str, float]:
    """Means on the scales of logarithms and of reciprocals; all numbers are above 0."""
    n = numbers.n
    return {
        "geometric_mean": math.exp(float(numbers.counts @ np.log(numbers.values)) / n),
        "harmonic_mean": low / (float(numbers.counts @ (low / numbers.values)) / n),
        "geometric_midrange": math.sqrt(low) * math.sqrt(high),
    }
