"""Histograms: bars of equal width."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.density import Densities, spread_of
from likely.dist.numeric.histogram_density import Bars
from likely.dist.numeric.value_grid import Grid
from likely.dist.numeric.value_range import LEAST
from likely.stats.binned import Cells
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats

NARROW = 1e-3  # of the column's spread: no group's bars cover less
LOG_MEAN = 1.5  # a tail's log scale less its mean log distance: digamma(SHAPE) - digamma(1)
MOST_BARS = 1024  # what lies beyond so many belongs to the tails


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Histogram(Densities):
    """The share of the values in each of a number of bars, over the width of a bar.

    The width is the smaller of Freedman and Diaconis's 2 IQR / n^(1/3) and Sturges's range / (1 + log2 n);
    the bars cover the range of a group's values, or, if that took more than 1024 bars, the range of
    those that so many around the median cover; the others are in the tails. Where the grid of the
    values has coarsened, the bars begin and end where cells do: what lies in a bar is counted exactly.

    Default prior: Laplace's, `strength` imagined rows in every bar, and half of that in each tail, which
    falls by (1 + distance / range)^-4: no number has density 0. Maximum likelihood: the relative
    frequencies, and 0 outside.

    >>> found = Histogram.fit([1.0, 2.0, 2.0, 3.0, 3.0, 5.0], prior=None)
    >>> found.prob([1.5, 2.5, 4.5, 6.0])
    array([0.16666667, 0.33333333, 0.16666667, 0.        ])
    >>> found
    Histogram(4 bars 1 wide from 1 to 5, highest at 2.5)
    """

    name = "histogram"
    story = "a number from a bar of the histogram of the {group}, anywhere in it alike"

    @classmethod
    def made(cls, seen: Packed, column: Packed, strength: float) -> Bars:
        """The bars of a group's cells."""
        low, high, k = _layout(seen, column)
        empty = Bars(low, high, np.zeros(k), np.zeros(2), np.full(2, high - low))
        sides = seen.centre < low, seen.centre > high
        within = ~(sides[0] | sides[1])
        counts = np.bincount(empty.place(seen.centre[within]), seen.weight[within], k) + strength
        tails = np.array([seen.weight[side].sum() for side in sides]) + strength / 2
        total = counts.sum() + tails.sum()
        scales = np.array([_scale(seen, side, low, high, strength / 2) for side in sides])
        return replace(empty, probs=counts / total, tails=tails / total, scales=scales, rows=total)

    def jumps(self) -> Floats:
        """The edges of the bars."""
        bars = self.parts.reshape(-1)
        return np.concatenate([np.linspace(one.low, one.high, len(one.probs) + 1) for one in bars])

    def coded(self, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
        """The bars but one, both ends, and a share and a scale for each tail that holds something."""
        bars = self.parts[group, 0]
        k = len(bars.probs)
        # Beside an edge, rounding may put a value into the other bar: no bar has less points than values.
        values = np.bincount(bars.place(own.centre), minlength=k)
        points = np.maximum(grid.points(np.linspace(bars.low, bars.high, k + 1)), values)
        mass = float(bars.probs @ points) * grid.step / bars.width + float(bars.tails.sum())
        parameters = (k - 1) / 2 + 2.0 + int(np.count_nonzero(bars.tails))
        return parameters, grid.on_points(bars.log_prob(own.centre), own, float(np.log(mass)))

    @classmethod
    def free_parameters(cls, stat: Cells) -> tuple[int, int]:
        """Where bars begin and end, and the shares of all but one: counted over groups and columns."""
        found: Any = cls.ml(stat)
        return 0, sum(len(bars.probs) + 1 for bars in found.parts.reshape(-1))


def _layout(seen: Packed, column: Packed) -> tuple[float, float, int]:
    """Where the bars begin and end, and how many there are."""
    width, middle = _width(seen), seen.quantile(0.5)
    away = np.abs(seen.centre - middle)
    near = np.flatnonzero(away <= max((MOST_BARS / 2 - 1) * width, away.min()))
    if float(np.ptp(seen.place)) + seen.width <= MOST_BARS * width:
        near = np.arange(len(away))
    low, high = float(seen.place[near[0]]), float(seen.place[near[-1]]) + seen.width
    constant = len(column.place) == 1
    narrow = 1.0 if constant else NARROW * spread_of(column)  # a constant column has one bar, 1 wide
    least = max(narrow, 8 * float(np.spacing(abs(middle))))
    if high - low < least or constant:
        half = least / 2
        return (low + high) / 2 - half, (low + high) / 2 + half, 1
    if seen.width:
        width = float(np.ceil(width / seen.width)) * seen.width
        k = min(MOST_BARS, int(np.ceil((high - low) / width)))
        return low, low + width * k, k
    return low, high, min(MOST_BARS, max(1, int(np.ceil((high - low) / width - 1e-9))))


def _width(seen: Packed) -> float:
    """Of a bar, by the rule."""
    n = max(float(seen.weight.sum()), 1.0)
    sturges = (float(np.ptp(seen.place)) + seen.width) / (1 + np.log2(n))
    diaconis = 2 * (seen.quantile(0.75) - seen.quantile(0.25)) / np.cbrt(n)
    return float(min(sturges, diaconis) if diaconis > 0 else sturges)


def _scale(seen: Packed, side: NDArray[np.bool_], low: float, high: float, strength: float) -> float:
    """The scale of a tail, by the mean log distance of what is in it; imagined rows have that of the bars."""
    weight, beyond = seen.weight[side], seen.centre[side]
    beyond = np.maximum(low - beyond, beyond - high)
    rows = weight.sum() + strength
    if not rows:
        return high - low
    logs = weight @ (np.log(beyond) + LOG_MEAN) + strength * np.log(high - low)
    return float(max(np.exp(logs / rows), NARROW * LEAST))
