"""Bars of any width, each a share of the values, on the grid that these lie on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from likely.dist.distribution import short
from likely.dist.families.histogram import Bars
from likely.dist.numeric.density import Density
from likely.dist.priors.dirichlet import Dirichlet
from likely.stats.bins import bin_codes
from likely.stats.groups import Floats, Ints

DECIMALS = 9  # to which drawn points of a grid are rounded: 0.3 rather than 0.30000000000000004


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Where bars begin and end, and the bins that they are parts of."""

    at: Floats  # (m + 1,), rising
    bins: Ints  # (m,) the bin of each bar, rising from 0
    step: float  # between neighbouring points of the grid that values lie on; 0: there is none


@dataclass(frozen=True, eq=False, repr=False)
class UnevenBars(Bars):
    """Bars that end with a value, which belongs to them: a value that fills a bar is all there is in it.

    Values a step apart are drawn on their grid; those that follow no grid, from anywhere in a bar.

    >>> line = Edges(np.array([-1.0, 0.0, 9.0]), np.array([0, 1]), 0.0)
    >>> bars = UnevenBars(-1.0, 9.0, np.array([0.9, 0.1]), np.zeros(2), np.ones(2), line=line)
    >>> bars.sf(np.array([0.0, 4.5])).round(12), bars.mean
    (array([0.1 , 0.05]), 0.0)
    """

    line: Edges = None  # type: ignore[assignment]  # where the bars are

    @property
    def step(self) -> float:
        """Between neighbouring points of the grid; 0 where there is none."""
        return self.line.step

    @cached_property
    def width(self) -> Floats:  # type: ignore[override]
        """Of each bar."""
        return np.diff(self.line.at)

    def place(self, x: Floats) -> Ints:
        """Which bar each x lies in; of those outside, the nearest."""
        return bin_codes(self.line.at[1:-1], x, below=True)

    def ends_from(self, side: int) -> Floats:
        """Where bars begin and end; from the right, mirrored."""
        return np.asarray(self.low + self.high - self.line.at[::-1] if side else self.line.at)

    def within(self, place: Ints, share: Floats) -> Floats:
        """The value that lies this share into a bar: a point of the grid, if there is one."""
        place = np.minimum(place, len(self.probs) - 1)  # of a tail, whatever
        low, width = self.line.at[place], self.width[place]
        if not self.step:
            return np.asarray(low + width * share)
        points = np.maximum(np.rint(width / self.step), 1.0)
        return np.round(low + self.step * (1.0 + np.floor(share * points)), DECIMALS)

    @property
    def _centres(self) -> Floats:
        return np.asarray((self.line.at[:-1] + self.line.at[1:] + self.step) / 2)

    @property
    def _own_variance(self) -> Floats:
        return np.asarray((self.width**2 - self.step**2) / 12)

    def of_bins(self) -> Floats:
        """The probability of each bin, the tails counted with the outer ones, (k,)."""
        probs = np.bincount(self.line.bins, self.probs).astype(np.float64)
        np.add.at(probs, [0, -1], self.tails)
        return probs

    def redrawn(self, rng: np.random.Generator, n: int) -> list[Density]:
        """With the shares of bins drawn from the Dirichlet distribution that the rows behind them make."""
        if not np.isfinite(self.rows):
            return [self] * n
        shares = self.of_bins()
        drawn: Any = Dirichlet(self.rows * shares).sample(n, rng)
        by = drawn / shares
        pairs = zip(by[:, self.line.bins], by[:, [0, -1]], strict=True)
        return [replace(self, probs=self.probs * inner, tails=self.tails * outer) for inner, outer in pairs]

    def words(self) -> str:
        """As "8 bins from 0 to 512, 46% in 0 to 7.9"."""
        shares, at = self.of_bins(), self.line.at
        ends = f"from {short(at[0] + self.step)} to {short(at[-1])}"
        if len(shares) == 1:
            return f"1 bin {ends}"
        best = int(np.argmax(shares))
        own = np.flatnonzero((self.line.bins == best) & (self.probs > 0.5 * shares[best] / len(self.probs)))
        low, high = at[own[0]] + self.step, at[own[-1] + 1]
        where = short(high) if high - low <= 1e-9 * abs(high) else f"{short(low)} to {short(high)}"
        return f"{len(shares)} bins {ends}, {shares[best]:.0%} in {where}"
