"""Histograms: bars of equal width."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.density import Densities, Density, spread_of
from likely.dist.distribution import short
from likely.dist.numeric.logs import log, x_log_y
from likely.dist.numeric.pieces import Pieces, first_of_codes, just_below, log_or_impossible
from likely.dist.numeric.value_grid import LEAST, Grid
from likely.dist.priors.dirichlet import Dirichlet
from likely.stats.binned import Cells
from likely.stats.bins import equal_width_codes
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats, Ints

SHAPE = 3.0  # of the tails, (1 + t / scale)^-(SHAPE + 1): the heaviest whole one that has a variance
NARROW = 1e-3  # of the column's spread: no group's bars cover less
LOG_MEAN = 1.5  # a tail's log scale less its mean log distance: digamma(SHAPE) - digamma(1)
MOST_BARS = 1024  # what lies beyond so many belongs to the tails


@dataclass(frozen=True, eq=False, repr=False)
class Bars(Density):
    """A probability for each bar and each tail; the tails fall by Lomax's (Pareto's second) law.

    >>> Bars(0.0, 4.0, np.array([0.25, 0.75]), np.zeros(2), np.ones(2)).log_prob(np.array([1.0, 3.0, 9.0]))
    array([-2.07944154, -0.98082925,        -inf])
    """

    low: float  # where the first bar begins
    high: float  # where the last bar ends
    probs: Floats  # (k,) of the bars
    tails: Floats  # (2,) probabilities below and above
    scales: Floats  # (2,) of the tails
    rows: float = np.inf  # that the probabilities are known from; infinitely many if they are given

    @property
    def width(self) -> float:
        """Of a bar."""
        return (self.high - self.low) / len(self.probs)

    @cached_property
    def log_heights(self) -> Floats:
        """The log density in each bar, (k,)."""
        return log(self.probs / self.width)

    def log_prob(self, x: Floats) -> Floats:
        """The log density at finite x; the right end of the last bar belongs to it."""
        log_p = np.asarray(self.log_heights[self.place(x)])
        for side, beyond in enumerate((self.low - x, x - self.high)):
            out = beyond > 0
            if out.any():
                log_p[out] = self._tail(side, beyond[out])
        return log_p

    def place(self, x: Floats) -> Ints:
        """Which bar each x lies in; of those outside, the nearest."""
        return equal_width_codes(self.low, self.width, len(self.probs), x)

    def _tail(self, side: int, beyond: Floats) -> Floats:
        scale = self.scales[side]
        height = log(self.tails[side] * SHAPE / scale)
        return np.asarray(height - (SHAPE + 1) * np.log1p(beyond / scale))

    def pieces(self) -> Pieces:
        """A step for each bar, and the logarithms of the tails."""
        k = len(self.probs)
        inner = first_of_codes(self.place, self.low + self.width * np.arange(1.0, k), 1)
        edges = np.concatenate([[just_below(self.low)], just_below(inner), [self.high]])
        centre = np.zeros((k + 2, 1))
        powers, logs = np.zeros((k + 2, 1, 3)), np.zeros((k + 2, 1, 3))
        powers[1:-1, 0, 0] = log_or_impossible(self.probs / self.width)
        for side, (at, end, sign) in enumerate(((0, self.low, -1.0), (-1, self.high, 1.0))):
            scale = self.scales[side]
            powers[at, 0, 0] = log_or_impossible(self.tails[side] * SHAPE / scale)
            if self.tails[side]:
                centre[at], logs[at] = end, (-(SHAPE + 1), sign / scale, 0.0)
        return Pieces(edges, centre, powers, logs)

    @property
    def ends(self) -> tuple[float, float]:
        """Those of the bars, where there is no tail."""
        return -np.inf if self.tails[0] else self.low, np.inf if self.tails[1] else self.high

    def cdf(self, x: Floats) -> Floats:
        """The probability of a value up to finite x."""
        return self._added(x, self.low - x, 0)

    def sf(self, x: Floats) -> Floats:
        """The probability of a value above finite x."""
        return self._added(x, x - self.high, 1)

    def _added(self, x: Floats, beyond: Floats, side: int) -> Floats:
        """What lies from x on to one side, added up from that side."""
        probs = self.probs[::-1] if side else self.probs
        within = self.low + self.high - x if side else x
        tail = self.tails[side]
        inside = tail + np.interp(within, self.ends_from(side), np.concatenate([[0.0], np.cumsum(probs)]))
        # Past the other end, all but that tail.
        other, past = 1 - side, -beyond - (self.high - self.low)
        inside = inside + self.tails[other] * -np.expm1(self._log_past(other, np.maximum(past, 0.0)))
        past_it = tail * np.exp(self._log_past(side, np.maximum(beyond, 0.0)))
        return np.asarray(np.where(beyond > 0, past_it, inside))

    def ends_from(self, side: int) -> Floats:
        """Where bars begin and end; from the right, mirrored."""
        return np.asarray(self.low + self.width * np.arange(len(self.probs) + 1))

    def _log_past(self, side: int, beyond: Floats) -> Floats:
        """The log share of a tail that is farther out."""
        return np.asarray(-SHAPE * np.log1p(beyond / self.scales[side]))

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """Independent draws."""
        up_to = np.cumsum(np.concatenate([self.probs, self.tails]))
        place = np.searchsorted(up_to, rng.random(shape) * up_to[-1], side="right")
        k, out = len(self.probs), rng.pareto(SHAPE, shape)
        within = self.within(place, np.asarray(rng.random(shape)))
        beyond: Floats = np.where(
            place == k, self.low - out * self.scales[0], self.high + out * self.scales[1]
        )
        return np.asarray(np.where(place < k, within, beyond), np.float64)

    def within(self, place: Ints, share: Floats) -> Floats:
        """The value that lies this share into a bar."""
        return np.asarray(self.low + self.width * (place + share))

    def redrawn(self, rng: np.random.Generator, n: int) -> list[Density]:
        """With probabilities drawn from the Dirichlet distribution that the rows behind them make."""
        if not np.isfinite(self.rows):
            return [self] * n
        shares = np.concatenate([self.probs, self.tails])
        drawn: Any = Dirichlet(self.rows * shares).sample(n, rng)
        return [replace(self, probs=one[:-2], tails=one[-2:]) for one in drawn]

    @property
    def _centres(self) -> Floats:
        return np.asarray(self.low + self.width * (np.arange(len(self.probs)) + 0.5))

    @property
    def _own_variance(self) -> Floats | float:
        """Of what lies in each bar."""
        return self.width**2 / 12

    @cached_property
    def mean(self) -> float:  # type: ignore[override]
        """The expectation."""
        out = self.scales / (SHAPE - 1)
        return float(self.probs @ self._centres + self.tails @ [self.low - out[0], self.high + out[1]])

    @cached_property
    def variance(self) -> float:  # type: ignore[override]
        """The expected squared deviation from the mean."""
        once, twice = self.scales / (SHAPE - 1), 2 * self.scales**2 / (SHAPE - 1) / (SHAPE - 2)
        ends = np.array([self.mean - self.low, self.high - self.mean])
        beyond = ends**2 + 2 * ends * once + twice
        within = (self._centres - self.mean) ** 2 + self._own_variance
        return float(self.probs @ within + self.tails @ beyond)

    def entropy(self) -> float:
        """In nats."""
        of_bars = x_log_y(self.probs, self.probs / self.width).sum()
        of_tail = 1 + 1 / SHAPE + np.log(self.scales / SHAPE)
        return float(-of_bars - (x_log_y(self.tails, self.tails) - self.tails * of_tail).sum())

    def words(self) -> str:
        """As "12 bars 0.442 wide from 3.1 to 8.4, highest at 5.2"."""
        peak = self._centres[int(np.argmax(self.probs))]
        ends = f"from {short(self.low)} to {short(self.high)}"
        if len(self.probs) == 1:
            return f"1 bar {short(self.width)} wide {ends}"
        return f"{len(self.probs)} bars {short(self.width)} wide {ends}, highest at {short(peak)}"


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

    def pieces(self, column: int) -> Pieces:
        """The bars of all groups, cut where any of them begins or ends."""
        return Pieces.beside([one.pieces() for one in self.parts[:, column]])

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
        fitted: Any = cls.ml(stat)
        return 0, sum(len(bars.probs) + 1 for bars in fitted.parts.reshape(-1))


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
