"""Numbers in bins that all groups share, each of about as many rows; the bars that describe them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.density import Densities, Density
from likely.dist.distribution import dense, numbers, short
from likely.dist.families.histogram import Bars
from likely.dist.family import PriorWord
from likely.dist.numeric.logs import log, log_rising
from likely.dist.numeric.pieces import IMPOSSIBLE, Pieces, just_below, log_or_impossible
from likely.dist.numeric.shared_edges import Edges, edges_of, starts_of
from likely.dist.numeric.value_grid import Grid
from likely.dist.prior import LevelNames
from likely.dist.priors.dirichlet import Dirichlet
from likely.dist.weighed import Unit
from likely.errors import LikelyError
from likely.stats.binned import Cells
from likely.stats.bins import bin_codes
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats, Ints
from likely.table.column.block import Rows

DECIMALS = 9  # to which drawn points of a grid are rounded: 0.3 rather than 0.30000000000000004


@dataclass(frozen=True, eq=False, repr=False)
class UnevenBars(Bars):
    """Bars of uneven width; one that ends with a value has it.

    Values a step apart are drawn on their grid, on which bars end half a step beyond a point; those that
    follow no grid, from anywhere in a bar.

    >>> line = Edges(np.array([-1.0, 0.0, 9.0]), np.array([0, 1]), 0.0)
    >>> bars = UnevenBars(-1.0, 9.0, np.array([0.9, 0.1]), np.zeros(2), np.ones(2), line=line)
    >>> bars.sf(np.array([0.0, 4.5])).round(12), abs(round(bars.mean, 12))
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
        return np.round(low + self.step * (0.5 + np.floor(share * points)), DECIMALS)

    @property
    def _centres(self) -> Floats:
        return np.asarray((self.line.at[:-1] + self.line.at[1:]) / 2)

    @property
    def _own_variance(self) -> Floats:
        return np.maximum(self.width**2 - self.step**2, 0.0) / 12  # far from 0 a width may round below a step

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
        shares, at, half = self.of_bins(), self.line.at, self.step / 2
        ends = f"from {short(at[0] + half)} to {short(at[-1] - half)}"
        if len(shares) == 1:
            return f"1 bin {ends}"
        best = int(np.argmax(shares))
        own = np.flatnonzero((self.line.bins == best) & (self.probs > 0.5 * shares[best] / len(self.probs)))
        low, high = at[own[0]] + half, at[own[-1] + 1] - half
        where = short(high) if high - low <= 1e-9 * abs(high) else f"{short(low)} to {short(high)}"
        return f"{len(shares)} bins {ends}, {shares[best]:.0%} in {where}"


class SharedBins(ABC):
    """Bins that all groups share: what tells groups apart is how much of them lies in each."""

    parts: NDArray[Any]  # of UnevenBars

    @classmethod
    def made(cls, seen: Packed, column: Packed, strength: float) -> Density:
        """The bins of a column, and a group's shares of them."""
        return cls.maker(column, strength)(seen)

    @classmethod
    def maker(
        cls, column: Packed, strength: float, starts: Ints | None = None
    ) -> Callable[[Packed], Density]:
        """What makes a group's shares of the bins of a column, which begin at these of its values."""
        rare = 1.0 / (column.weight.sum() + 2.0) if strength else 0.0
        line, shares = edges_of(column, rare, starts)
        low, high = float(line.at[0]), float(line.at[-1])

        def make(seen: Packed) -> UnevenBars:
            place = line.bins[bin_codes(line.at[1:-1], seen.centre, below=True)]
            counts = np.bincount(place, seen.weight, line.bins[-1] + 1) + strength
            probs = (counts / counts.sum())[line.bins] * shares
            tails = rare * probs[[0, -1]]
            np.subtract.at(probs, [0, -1], tails)
            return UnevenBars(low, high, probs, tails, np.full(2, high - low), float(counts.sum()), line)

        return make

    @classmethod
    @abstractmethod
    def begin(cls, stat: Cells, j: int, column: Packed) -> Ints:
        """Which values of a column, in order, begin its second bin, its third, ..."""

    @classmethod
    def candidate(cls, cells: Cells, grid: Grid, unit: Unit) -> bool:
        """Bins describe how groups differ, not what a column looks like: "auto" does not weigh them."""
        return False

    def jumps(self) -> Floats:
        """The edges of the bins."""
        return np.concatenate([one.line.at for one in self.parts.reshape(-1)])

    def _before(self, x: ArrayLike) -> Floats:
        """The last point of the grid before x: what is below a value that fills a bin leaves it out."""
        return self._last(numbers("x", x), itself=False)

    def _cdf(self: Any, x: Floats) -> Floats:
        return Densities._cdf(self, self._last(x))

    def _sf(self: Any, x: Floats) -> Floats:
        return Densities._sf(self, self._last(x))

    def _last(self: Any, x: Floats, itself: bool = True) -> Floats:
        """Half a step beyond the last point of the grid up to x, which may be x; x where there is no grid."""
        step = self._each("step")
        origin = self._each("low") + step / 2
        with np.errstate(all="ignore"):
            near = np.round(origin + np.rint((x - origin) / step) * step, DECIMALS)
            nearest = np.where((x >= near) if itself else (x > near), near, near - step)
        return np.where(step > 0, nearest + step / 2, x)

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        return np.asarray(self.terms(rows).sum(axis=2))

    def terms(self: Any, rows: Rows) -> Floats:
        """What each column adds to the log-probability of each row in each group, (b, g, d)."""
        cells = dense(rows)
        out = np.empty((len(cells), *self.batch))
        for j in range(self.batch[1]):
            out[:, :, j] = self._column_terms(cells[:, j], j)
        return out

    def _column_terms(self, cells: Floats, j: int) -> Floats:
        """Of one column, (b, g): all groups have the same bins, so that a cell is looked up once."""
        bars: Any = self.parts[0, j]
        known, odd = cells.copy(), ~np.isfinite(cells)
        known[odd] = bars.high
        out = self._log_heights[j][bars.place(known)]
        far = np.flatnonzero((known < bars.low) | (known > bars.high))
        for i, part in enumerate(self.parts[:, j] if len(far) else ()):
            out[far, i] = part.log_prob(known[far])
        out[odd] = np.where(np.isnan(cells[odd]), 0.0, -np.inf)[:, None]
        return np.asarray(out)

    def pieces(self: Any, column: int) -> Pieces:
        """A step for each bin: in it, and beyond the outer ones, values are spread alike in all groups."""
        groups = self.parts[:, column]
        one, shares = groups[0], np.stack([own.of_bins() for own in groups], axis=1)
        possible = np.asarray(np.stack([own.probs > 0 for own in groups]).any(axis=0))
        values = np.where(possible[:, None], log_or_impossible(shares)[one.line.bins], IMPOSSIBLE)
        steps = Pieces.steps(one.line.at[1:-1], values)
        # Without smoothing, nothing lies beyond the ends.
        return steps if one.tails.any() else steps.only(above=float(just_below(one.low)), up_to=one.high)

    @cached_property
    def _log_heights(self) -> list[Floats]:
        """Of every column the log density in each bin and group, (k, g)."""
        return [np.stack([one.log_heights for one in column], axis=1) for column in self.parts.T]

    @classmethod
    def log_marginal(cls: Any, stat: Cells, prior: PriorWord, levels: LevelNames = None) -> float:
        """The log marginal likelihood given the bins, their shares summed out: Dirichlet-multinomial."""
        strength = cls._strength(prior)
        if not strength:
            raise LikelyError(f"prior={prior!r} has no evidence: give a strength, or 'default'.")
        shares: Any = cls._of(stat, strength)
        total = 0.0
        for place in np.ndindex(*shares.batch):
            seen, bars = stat.packed(*place), shares.parts[place]
            at = bars.place(seen.centre)
            counts = np.bincount(bars.line.bins[at], seen.weight, bars.line.bins[-1] + 1)
            chances = log_rising(strength, counts).sum() - log_rising(strength * len(counts), counts.sum())
            inside = bars.log_heights - log(bars.of_bins())[bars.line.bins]  # as all groups have it
            total += float(chances + seen.weight @ inside[at])
        return total

    @classmethod
    def free_parameters(cls, stat: Cells) -> tuple[int, int]:
        """The shares of all bins but one in each group, and where the bins end."""
        pooled = stat.pooled()
        columns = [(j, pooled.packed(0, j)) for j in range(stat.power.shape[1])]
        bins = [len(cls.begin(stat, j, column)) + 1 for j, column in columns if len(column.place)]
        return sum(bins) - len(bins), sum(bins) + len(bins)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Binned(SharedBins, Densities):
    """The share of a group's values in each of some bins, which are the same for all groups.

    The bins hold about as many rows of the whole column each: as many bins as the cube root of the rows, from
    4 to 24. A value that would fill a bin by itself, such as 0 in a column of many zeros, has one to itself,
    and the other rows are binned as if they were all. Inside a bin values are spread alike in all groups:
    what tells groups apart is their share of the bin alone, so that against a group of n rows no value can
    speak more than about log(n) nats, however far out it lies.

    Default prior: Laplace's, `strength` imagined rows in every bin. The bins reach from the least value to
    the greatest, and values that follow a grid, as whole numbers do, are drawn on it. What lies beyond is
    taken for as rare as one row among all.

    >>> found = Binned.fit([1.0, 2.0, 2.0, 3.0, 3.0, 5.0], prior=None)
    >>> found.cdf([1, 2, 3, 5])
    array([0.16666667, 0.5       , 0.83333333, 1.        ])
    >>> found
    Binned(4 bins from 1 to 5, 33% in 2)
    """

    name = "binned"
    story = "a number from a bin of the column, which the {group} chooses, and in it as in the whole column"

    @classmethod
    def begin(cls, stat: Cells, j: int, column: Packed) -> Ints:
        """Which values of a column, in order, begin its second bin, its third, ..."""
        return starts_of(column.weight) if len(column.place) > 1 else np.empty(0, np.intp)
