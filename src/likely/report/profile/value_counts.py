"""The numbers of a column, counted: each distinct one and how often it occurs; means, spread and shape."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.stats import Groups, Moments
from likely.stats.groups import Floats, Ints

HIGHEST = 16  # order of the moments that a profile keeps
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """Finite numbers in order, each once, with their counts; and how many cells are none.

    >>> ValueCounts.of(np.array([3.0, np.nan, 1.0, 3.0, np.inf]))
    ValueCounts(values=array([1., 3.]), counts=array([1, 2]), missing=1, infinite=1)
    """

    values: Floats  # (k,) ascending
    counts: Ints  # (k,)
    missing: int
    infinite: int
    ends: Ints = field(init=False, repr=False)  # (k,) counts added up

    def __post_init__(self) -> None:
        object.__setattr__(self, "ends", np.cumsum(self.counts))

    @classmethod
    def of(cls, numbers: NDArray[Any], zeros: int = 0) -> ValueCounts:
        """Count numbers (NaN is missing), and so many zeros that are not among them."""
        ordered = np.sort(numbers)
        low, high, known = 0, len(ordered), len(ordered)
        if ordered.dtype.kind == "f":  # NaNs come last
            low = int(np.searchsorted(ordered, -np.inf, "right"))
            high, known = (int(place) for place in np.searchsorted(ordered, [np.inf, np.nan]))
        finite = ordered[low:high]
        # Compared before they become floats, which would take large neighbours for the same number.
        new = np.ones(len(finite), bool)
        np.not_equal(finite[1:], finite[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        values = finite[starts].astype(np.float64) + 0.0  # no -0
        counts = np.diff(starts, append=len(finite))
        if zeros:
            values, counts = _with_zeros(values, counts, zeros)
        return cls(values, counts, len(ordered) - known, low + known - high)

    @property
    def n(self) -> int:
        """How many finite numbers there are."""
        return int(self.ends[-1]) if len(self.ends) else 0

    def quantiles(self, shares: ArrayLike) -> Floats:
        """The values below which these shares of the numbers lie, linear between neighbours."""
        place = np.asarray(shares, np.float64) * (self.n - 1)
        before = np.floor(place).astype(np.intp)
        after = np.minimum(before + 1, self.n - 1)
        low, high = (self.values[self.ends.searchsorted(at, "right")] for at in (before, after))
        part = place - before
        # Not low + part * (high - low): the difference of two numbers may be beyond all of them.
        return np.where(low == high, low, low * (1 - part) + high * part)

    def without(self, place: int) -> ValueCounts:
        """The others, one value left out."""
        return ValueCounts(np.delete(self.values, place), np.delete(self.counts, place), self.missing, 0)


def _with_zeros(values: Floats, counts: Ints, zeros: int) -> tuple[Floats, Ints]:
    place = int(np.searchsorted(values, 0.0))
    if place < len(values) and values[place] == 0:
        counts[place] += zeros
        return values, counts
    return np.insert(values, place, 0.0), np.insert(counts, place, zeros)


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
    below = numbers.values <= statistics["mean"] + ROUNDING * (high / 2 - low / 2)
    statistics["share_up_to_mean"] = float(numbers.counts @ below) / numbers.n
    if low > 0:
        statistics |= _means_of_ratios(numbers, low, high)
    return statistics


def modes_of(numbers: ValueCounts) -> tuple[float, ...]:
    """All values that are most frequent; none if each occurs once.

    >>> modes_of(ValueCounts.of(np.array([1.0, 1.0, 2.0, 4.0, 4.0])))
    (1.0, 4.0)
    """
    most = int(numbers.counts.max(initial=0))
    if most < 2 and len(numbers.values) != 1:
        return ()
    return tuple(numbers.values[numbers.counts == most].tolist())


def powers_of(numbers: ValueCounts) -> tuple[float, ...]:
    """The means of (value - mean)^k / sd^k for k from 0 to `HIGHEST`; of what does not vary 1, 0, 0, ..."""
    if not len(numbers.values):
        return ()
    unit = _unit(numbers)
    scaled = numbers.values / unit
    moments = Moments.collect(scaled[:, None], Groups.one(len(scaled), numbers.counts))
    apart = (scaled - moments.mean.item()) - moments.mean_rest.item()
    sd = math.sqrt(float(moments.variance.item()))
    z = apart / sd if sd and len(scaled) > 1 else np.zeros(len(apart))
    weighed, powers = numbers.counts.astype(np.float64), []
    for _ in range(HIGHEST + 1):
        powers.append(float(weighed.sum()) / numbers.n)
        weighed *= z  # a product a power: raising each anew takes ten times as long
    return tuple(powers)


def _middle(low: float, high: float) -> float:
    both = low + high
    return both / 2 if math.isfinite(both) else low / 2 + high / 2


def _moments(numbers: ValueCounts) -> dict[str, float]:
    """Mean, variance and shape, in a unit in which no power of a deviation leaves the range of floats."""
    unit = _unit(numbers)
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


def _unit(numbers: ValueCounts) -> float:
    """About the greatest of the numbers; a power of two costs no digit."""
    return float(2.0 ** min(math.frexp(float(np.abs(numbers.values[[0, -1]]).max()))[1], 1023))


def _means_of_ratios(numbers: ValueCounts, low: float, high: float) -> dict[str, float]:
    """Means on the scales of logarithms and of reciprocals; all numbers are above 0."""
    n = numbers.n
    return {
        "geometric_mean": math.exp(float(numbers.counts @ np.log(numbers.values)) / n),
        "harmonic_mean": low / (float(numbers.counts @ (low / numbers.values)) / n),
        "geometric_midrange": math.sqrt(low) * math.sqrt(high),
        "ratio_range": high / low,
    }
