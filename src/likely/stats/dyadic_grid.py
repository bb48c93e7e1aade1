"""Weights on the occupied cells of one dyadic grid, in order: grids only coarsen, so they add exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Ints

EXACT = -1074  # the power of the finest grid there is: every number lies on it
MOST = 1 << 15  # occupied cells: thousands over the middle half of a million normal values, 1 MB
DUST = 8 * float(np.finfo(np.float64).eps)  # of a weight, what subtraction may leave of nothing


@dataclass(frozen=True, slots=True)
class Packed:
    """Cells 2^power wide: the left edge, the weight, and the sum of weight * (value - edge) of each.

    >>> few = Packed.of(np.array([3.0, 1.0, 3.0]))
    >>> few.coarse(1)
    Packed(power=1, place=array([0., 2.]), weight=array([1., 2.]), beyond=array([1., 2.]))
    """

    power: int
    place: Floats
    weight: Floats
    beyond: Floats

    @classmethod
    def of(cls, values: Floats, weight: Floats | None = None) -> Packed:
        """The cells of values; NaN, and what has no weight, is left out."""
        known = ~np.isnan(values) if weight is None else ~np.isnan(values) & (weight > 0)
        values = values[known] + 0.0  # 0 and -0 are one value
        if weight is None:
            values.sort()
            weight = np.broadcast_to(1.0, len(values))
        else:
            order = np.argsort(values, kind="stable")
            values, weight = values[order], weight[known][order]
        return cls(EXACT, values, weight, np.broadcast_to(0.0, len(values))).fitted()

    @classmethod
    def together(cls, parts: Sequence[Packed]) -> Packed:
        """The cells of all parts."""
        return cls._beside(parts)[0].fitted()

    @classmethod
    def counted(cls, parts: Sequence[Packed]) -> tuple[Packed, Floats]:
        """The cells of all parts, and how much of each part lies in each, (parts, cells)."""
        every, part = cls._beside(parts)
        whole = every.fitted()
        place = every.place if whole.power == every.power else _edges(every.place, whole.power)
        where = np.cumsum(_changes(place)) - 1 + part * len(whole.place)
        counts = np.bincount(where, every.weight, len(parts) * len(whole.place)).astype(np.float64)
        return whole, counts.reshape(len(parts), -1)

    @classmethod
    def _beside(cls, parts: Sequence[Packed]) -> tuple[Packed, Ints]:
        """The cells of all parts in order, equal ones side by side, and the part that each is of."""
        power = max(part.power for part in parts)
        parts = [part.coarse(power) for part in parts]
        place = np.concatenate([part.place for part in parts])
        order = np.argsort(place, kind="stable")  # finds the runs that are in order, and merges them
        weight = np.concatenate([part.weight for part in parts])[order]
        beyond = np.concatenate([part.beyond for part in parts])[order]
        of = np.repeat(np.arange(len(parts)), [len(part.place) for part in parts])[order]
        return cls(power, place[order], weight, beyond), of

    def __add__(self, other: Packed) -> Packed:
        return Packed.together((self, other))

    def __sub__(self, other: Packed) -> Packed:
        power = max(self.power, other.power)
        mine, theirs = self.coarse(power), other.coarse(power)
        at = np.searchsorted(mine.place, theirs.place)
        there = at < len(mine.place)
        there[there] = mine.place[at[there]] == theirs.place[there]
        weight, beyond = mine.weight.copy(), mine.beyond.copy()
        weight[at[there]] -= theirs.weight[there]
        beyond[at[there]] -= theirs.beyond[there]
        kept = weight > DUST * mine.weight
        return Packed(power, mine.place[kept], weight[kept], beyond[kept])

    @property
    def centre(self) -> Floats:
        """The mean value of each cell."""
        return np.asarray(self.place + self.beyond / self.weight)

    @property
    def width(self) -> float:
        """Of a cell; 0 while the values are exact."""
        return 0.0 if self.power == EXACT else 2.0**self.power

    def quantile(self, q: float) -> float:
        """The value that a share q of the weight lies below: as NumPy's, for rows of weight 1."""
        centre, up_to = self.centre, np.cumsum(self.weight)
        rank = max(q * (up_to[-1] - 1), 0.0)
        at = np.searchsorted(up_to, np.floor(rank) + np.arange(2), side="right")
        low, high = centre[np.minimum(at, len(centre) - 1)]
        return float(low + (rank - np.floor(rank)) * (high - low))

    def spread(self) -> float:
        """The smaller of the sd and the interquartile range in sds of a normal; the sd if that is 0."""
        away = self.centre - np.average(self.centre, weights=self.weight)
        power = int(np.frexp(np.abs(away).max())[1])  # squares of the numbers themselves could overflow
        sd = float(np.ldexp(np.sqrt(np.average(np.ldexp(away, -power) ** 2, weights=self.weight)), power))
        middle = (self.quantile(0.75) - self.quantile(0.25)) / 1.34
        return min(sd, middle) if middle > 0 else sd

    def coarse(self, power: int) -> Packed:
        """On the grid of this power, no finer than this one; equal places become one."""
        place = self.place if power == self.power else _edges(self.place, power)
        changes = _changes(place)
        first = np.flatnonzero(changes)
        if place is self.place and len(first) == len(place):
            return self
        beyond = self.beyond if place is self.place else self.beyond + self.weight * (self.place - place)
        at = np.cumsum(changes) - 1
        weight, more = (np.bincount(at, each).astype(np.float64) for each in (self.weight, beyond))
        return Packed(power, place[first], weight, more)

    def fitted(self) -> Packed:
        """On the finest grid, no finer than this, that leaves at most MOST cells occupied."""
        cells = self.coarse(self.power)
        if len(cells.place) <= MOST or not np.isfinite(cells.place).all():
            return cells
        spread = float(cells.place[-1] / 2 - cells.place[0] / 2)
        enough = int(np.frexp(spread)[1]) + 2 - int(np.log2(MOST))
        too_fine, step = enough - 1, 1
        while too_fine > self.power and len(_firsts(_edges(cells.place, too_fine))) <= MOST:
            enough, step = too_fine, 2 * step
            too_fine = max(too_fine - step, self.power)
        while enough - too_fine > 1:
            middle = (enough + too_fine) // 2
            if len(_firsts(_edges(cells.place, middle))) <= MOST:
                enough = middle
            else:
                too_fine = middle
        return cells.coarse(enough)


def _edges(places: Floats, power: int) -> Floats:
    """The left edges of the cells 2^power wide that hold these places; exact."""
    with np.errstate(over="ignore"):
        scaled = np.ldexp(places, -power)
        # Beyond 2^53 cells from 0 every number is an edge.
        return np.where(np.abs(scaled) < 2.0**53, np.ldexp(np.floor(scaled), power) + 0.0, places)


def _firsts(places: Floats) -> Ints:
    """Where each run of equal places begins."""
    return np.flatnonzero(_changes(places))


def _changes(places: Floats) -> NDArray[np.bool_]:
    """Whether each place is the first of a run of equal ones."""
    changes = np.ones(len(places), bool)
    np.not_equal(places[1:], places[:-1], out=changes[1:])
    return changes
