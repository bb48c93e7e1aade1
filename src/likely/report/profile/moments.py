"""Counted numbers -> their means, spread and shape, for numbers of any size."""

from __future__ import annotations

import math

import numpy as np

from likely.report.profile.value_counts import Tally


def statistics_of(tally: Tally) -> dict[str, float]:
    """Every statistic that these numbers have; one that is not defined for them is left out.

    Variance, skewness and kurtosis are those of the numbers themselves, with n as the divisor.

    >>> found = statistics_of(Tally.of(np.array([1.0, 1.0, 4.0])))
    >>> found["mean"], found["variance"], found["mode"], round(found["geometric_mean"], 3)
    (2.0, 2.0, 1.0, 1.587)
    """
    if not len(tally.values):
        return {}
    low, q1, median, q3, high = tally.quantiles([0, 0.25, 0.5, 0.75, 1]).tolist()
    found = {"min": low, "max": high, "median": median, "range": high - low, "iqr": q3 - q1}
    found["midrange"] = _middle(low, high)
    most = int(np.argmax(tally.counts))
    if tally.counts[most] > 1 or len(tally.values) == 1:
        found["mode"] = float(tally.values[most])
    found |= _moments(tally)
    if low > 0:
        found |= _means_of_ratios(tally, low, high)
    return found


def _middle(low: float, high: float) -> float:
    both = low + high
    return both / 2 if math.isfinite(both) else low / 2 + high / 2


def _moments(tally: Tally) -> dict[str, float]:
    """Mean, variance and shape, on a scale on which no power of a deviation leaves the range of floats."""
    n, weight = tally.n, tally.counts.astype(np.float64)
    # A power of two as the unit and a value near the middle as the origin: both cost no digit.
    unit = 2.0 ** min(math.frexp(float(np.abs(tally.values[[0, -1]]).max()))[1], 1023)
    scaled = tally.values / unit
    origin = float(scaled[len(scaled) // 2])
    apart = scaled - origin
    mean = float(weight @ apart) / n
    apart -= mean
    reach = float(np.abs(apart).max())
    centre = (origin + mean) * unit
    if len(apart) == 1 or not reach:
        return {"mean": centre, "variance": 0.0, "sd": 0.0}
    apart /= reach
    squares = apart * apart
    weight *= squares
    second, third, fourth = float(weight.sum()) / n, float(weight @ apart) / n, float(weight @ squares) / n
    size = reach * unit
    return {
        "mean": centre,
        "variance": second * size * size,
        "sd": math.sqrt(second) * size,
        "skewness": third / second**1.5,
        "excess_kurtosis": fourth / second**2 - 3,
    }


def _means_of_ratios(tally: Tally, low: float, high: float) -> dict[str, float]:
    """Means on the scales of logarithms and of reciprocals; all numbers are above 0."""
    n = tally.n
    return {
        "geometric_mean": math.exp(float(tally.counts @ np.log(tally.values)) / n),
        "harmonic_mean": low / (float(tally.counts @ (low / tally.values)) / n),
        "geometric_midrange": math.sqrt(low) * math.sqrt(high),
    }
