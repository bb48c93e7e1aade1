"""Bars of equal width, and a tail on either side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from likely.dist.distribution import short
from likely.dist.numeric.density import Density
from likely.dist.numeric.logs import log, x_log_y
from likely.dist.priors.dirichlet import Dirichlet
from likely.stats.bins import equal_width_codes
from likely.stats.groups import Floats, Ints

SHAPE = 3.0  # of the tails, (1 + t / scale)^-(SHAPE + 1): the heaviest whole one that has a variance


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
        found = np.asarray(self.log_heights[self.place(x)])
        for side, beyond in enumerate((self.low - x, x - self.high)):
            out = beyond > 0
            if out.any():
                found[out] = self._tail(side, beyond[out])
        return found

    def place(self, x: Floats) -> Ints:
        """Which bar each x lies in; of those outside, the nearest."""
        return equal_width_codes(self.low, self.width, len(self.probs), x)

    def _tail(self, side: int, beyond: Floats) -> Floats:
        scale = self.scales[side]
        height = log(self.tails[side] * SHAPE / scale)
        return np.asarray(height - (SHAPE + 1) * np.log1p(beyond / scale))

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
