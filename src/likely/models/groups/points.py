"""Rows as points of a space, a few at a time: for clusters to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likely.models.parts.part import Reads, Slot
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]

CELLS = 1 << 22  # that are written out at a time: 32 MB
MOST_LEVELS = 50  # of a column that are told apart


class Points(Protocol):
    """Points of a space, a few at a time; NaN where missing."""

    @property
    def n(self) -> int:
        """How many points there are."""

    @property
    def scale(self) -> Floats:
        """The worth of each axis, (p,)."""

    @property
    def step(self) -> int:
        """How many points are handed out at a time."""

    def at(self, rows: NDArray[np.intp]) -> Floats:
        """Some points, in ascending order, (m, p)."""

    def each(self) -> Iterator[tuple[int, Floats]]:
        """All points, a few at a time: where they begin, and they, (b, p); to be written over."""


@dataclass(frozen=True)
class Places:
    """Numbers as they are, levels as 0/1; NaN where missing. Texts are left out."""

    schema: Schema
    slots: tuple[Slot, ...]
    frame: Frame

    @cached_property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """For every slot that is used, how many axes each of its columns has."""
        return tuple(
            tuple(min(k, MOST_LEVELS) for k in slot.sizes(self.schema) or ())
            if slot.reads is Reads.CODES
            else (1,) * len(slot.columns)
            for slot in self._used
        )

    @cached_property
    def scale(self) -> Floats:
        """The worth of each axis, (p,): a level is two axes that say the same, where there are two."""
        pairs = zip(self._used, self.sizes, strict=True)
        found = [np.full(sum(sizes), 1 / np.sqrt(2) if s.reads is Reads.CODES else 1.0) for s, sizes in pairs]
        return np.concatenate([*found, np.empty(0)])

    @cached_property
    def step(self) -> int:
        """How many rows are written out at a time."""
        return max(1, CELLS // max(len(self.scale), 1))

    @property
    def _used(self) -> list[Slot]:
        return [slot for slot in self.slots if slot.reads in (Reads.NUMBERS, Reads.CODES)]

    @property
    def n(self) -> int:
        """How many points there are."""
        return self.frame.n

    def at(self, rows: NDArray[np.intp]) -> Floats:
        """The points of some rows, in ascending order, (m, p)."""
        found = [np.empty((0, len(self.scale)))]
        for start, cells in self.each():
            first, last = np.searchsorted(rows, (start, start + len(cells)))
            found.append(cells[rows[first:last] - start])
        return np.concatenate(found)

    def each(self) -> Iterator[tuple[int, Floats]]:
        """All points, a few at a time: where they begin, and they, (b, p)."""
        blocks = [slot.block(self.schema, self.frame) for slot in self._used]
        for start in range(0, self.frame.n, self.step):
            stop = min(start + self.step, self.frame.n)
            out = np.empty((stop - start, len(self.scale)))
            at = 0
            for slot, sizes, block in zip(self._used, self.sizes, blocks, strict=True):
                cells = block.rows(start, stop)
                cells = cells if isinstance(cells, np.ndarray) else cells.toarray()
                if slot.reads is Reads.NUMBERS:
                    out[:, at : at + len(sizes)] = cells
                    at += len(sizes)
                    continue
                for j, size in enumerate(sizes):
                    codes = cells[:, [j]]
                    out[:, at : at + size] = np.where(codes < 0, np.nan, codes == np.arange(size))
                    at += size
            yield start, out


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
