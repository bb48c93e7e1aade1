"""Rows as points of a space, a few at a time: for clusters to begin with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likely.engine import map_rows
from likely.models.parts.part import Part
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Look = Callable[[int, Floats], None]

CELLS = 1 << 22  # that may be written out at once: 32 MB


class Points(Protocol):
    """Points of a space, a few at a time; NaN where missing."""

    @property
    def n(self) -> int:
        """How many points there are."""

    @property
    def scale(self) -> Floats:
        """The worth of each axis, (p,)."""

    @property
    def most(self) -> int:
        """How many points may be written out at once."""

    def at(self, rows: Ints) -> Floats:
        """Some points, in ascending order, (m, p)."""

    def each(self, look: Look) -> None:
        """Look at all points, a few at a time: where they begin, and they, (b, p); to be written over."""


@dataclass(frozen=True)
class RowPoints:
    """Numbers as they are, levels as 0/1; NaN where missing. Texts are left out."""

    parts: tuple[Part, ...]
    frame: Frame

    @cached_property
    def _used(self) -> list[tuple[Part, Floats]]:
        axes = [(part, part.axes()) for part in self.parts]
        return [(part, worth) for part, worth in axes if len(worth)]

    @cached_property
    def scale(self) -> Floats:
        """The worth of each axis, (p,)."""
        return np.concatenate([*(worth for _, worth in self._used), np.empty(0)])

    @property
    def most(self) -> int:
        """How many points may be written out at once."""
        return max(1, CELLS // max(len(self.scale), 1))

    @property
    def n(self) -> int:
        """How many points there are."""
        return self.frame.n

    def at(self, rows: Ints) -> Floats:
        """The points of some rows, in ascending order, (m, p)."""
        out = np.empty((len(rows), len(self.scale)))

        def look(start: int, points: Floats) -> None:
            first, last = np.searchsorted(rows, (start, start + len(points)))
            out[first:last] = points[rows[first:last] - start]

        self.each(look)
        return out

    def each(self, look: Look) -> None:
        """Look at all points, a few at a time: where they begin, and they, (b, p); to be written over."""
        blocks = [(part, part.block(self.frame), len(worth)) for part, worth in self._used]

        def step(start: int, stop: int) -> None:
            out, at = np.empty((stop - start, len(self.scale))), 0
            for part, block, width in blocks:
                out[:, at : at + width] = part.points(block.rows(start, stop))
                at += width
            look(start, out)

        map_rows(self.n, len(self.scale), step)


@dataclass(frozen=True, slots=True)
class Units:
    """Where a sample of points lies, and how far it spreads: in these units all axes are worth the same."""

    mean: Floats  # (p,)
    sd: Floats  # (p,)

    @classmethod
    def of(cls, points: Floats, scale: Floats) -> Units:
        """Of points (m, p) with gaps; `scale` is the worth of each axis."""
        known = ~np.isnan(points)
        n = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, points, 0.0).sum(axis=0) / n
        sd = np.sqrt(np.square(np.where(known, points - mean, 0.0)).sum(axis=0) / n)
        return cls(mean, np.where(sd > 0, sd, 1.0) / scale)

    def __call__(self, points: Floats) -> Floats:
        """The points in these units; what is missing is in the middle."""
        points -= self.mean
        points /= self.sd
        points[np.isnan(points)] = 0.0
        return points
