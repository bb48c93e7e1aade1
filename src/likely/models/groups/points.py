"""Rows as points of a space, a few at a time: for clusters to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.models.parts.part import Part
from likely.table.block import Block
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

CELLS = 1 << 22  # that may be written out at once: 32 MB


class PointRows(Protocol):
    """Points as a task reads them."""

    def points(self, start: int, stop: int) -> Floats:
        """Points start to stop, (b, p), NaN where missing; to be written over."""


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

    @property
    def rows(self) -> Chunk[PointRows]:
        """All points, for an engine."""

    @property
    def engine(self) -> Engine:
        """Where the work on them runs."""

    def at(self, places: Ints) -> Floats:
        """Some points, in ascending order, (m, p)."""


@dataclass(frozen=True)
class RowPoints:
    """Numbers as they are, levels as 0/1; NaN where missing. Texts are left out."""

    parts: tuple[Part, ...]
    frame: Frame
    engine: Engine

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

    @property
    def rows(self) -> Chunk[PointRows]:
        """All points, for an engine."""
        blocks = tuple((part, part.block(self.frame), len(worth)) for part, worth in self._used)
        return Chunk(BlockPoints(blocks, len(self.scale)), self.n, len(self.scale))

    def at(self, places: Ints) -> Floats:
        """The points of some rows, in ascending order, (m, p)."""
        rows = self.rows
        chosen = Chunk(ChosenRows(rows.data, places), rows.n, rows.width)
        return np.concatenate(self.engine.reduce(chosen, ChosenPoints()))


@dataclass(frozen=True, slots=True)
class BlockPoints:
    """Columns that become axes."""

    blocks: tuple[tuple[Part, Block, int], ...]  # and how many axes each becomes
    width: int

    def points(self, start: int, stop: int) -> Floats:
        """The points of some rows, (b, p)."""
        out, at = np.empty((stop - start, self.width)), 0
        for part, block, axes in self.blocks:
            out[:, at : at + axes] = part.points(block.rows(start, stop))
            at += axes
        return out


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """Points, and which of them are asked for."""

    rows: PointRows
    places: Ints  # ascending


@dataclass(frozen=True, slots=True)
class ChosenPoints(ReduceTask[ChosenRows, tuple[Floats, ...]]):
    """The points that are asked for, block by block."""

    def step(self, data: ChosenRows, start: int, stop: int) -> tuple[Floats, ...]:
        """Of some rows."""
        first, last = np.searchsorted(data.places, (start, stop))
        return (data.rows.points(start, stop)[data.places[first:last] - start],)


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
