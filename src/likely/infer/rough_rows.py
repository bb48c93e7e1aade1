"""Rows of numbers in whole steps: how far apart they are is found several times as soon, and nearly right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer.mixed_rows import MixedRows
from likely.table.column.block import scratch

Steps = NDArray[np.uint16]

FARTHEST = (1 << 16) - 1  # steps that two rows may be apart
MOST_COLUMNS = 128  # more leave each so few steps that many rows seem equally far
LEAST_STEP = 1e-6  # of a distance: less may be rounding


@dataclass(frozen=True, eq=False)
class RoughRows:
    """Rows of numbers, each rounded to a step from the least of its column; all columns have the same step.

    The distance of two rows is then off by a few steps, at most by `slack`.

    >>> from likely.infer.mixed_rows import NumberCells
    >>> exact = MixedRows.of([NumberCells(np.array([0.0, 0.25, 1.0]), 1.0)], 1)
    >>> rough = RoughRows.of(exact)
    >>> rough.sums(slice(None), rough)[0], rough.slack
    (array([    0, 16384, 65534], dtype=uint16), 3)
    """

    columns: Steps  # (p, n)
    total: Steps  # (n,): the sum of each row, as far as two bytes hold it
    slack: int

    @classmethod
    def of(cls, rows: MixedRows) -> RoughRows | None:
        """None where distances are not the sums of differences of a few numbers."""
        numbers, p = rows.numbers, rows.width
        if rows.power != 1 or rows.gaps or numbers.shape[1] < p or not 0 < p <= MOST_COLUMNS or not len(rows):
            return None
        low = numbers.min(axis=0)
        step = float((numbers.max(axis=0) - low).sum()) / (FARTHEST - p)  # each may be rounded up
        if step < LEAST_STEP:
            return None
        columns, off = np.empty((p, len(rows)), np.uint16), np.zeros(len(rows))
        for own, column, least in zip(columns, numbers.T, low, strict=True):
            exact = (column - least) / step
            own[:] = np.rint(exact)
            off += np.abs(exact - own)
        return cls(columns, columns.sum(axis=0, dtype=np.uint16), int(2 * off.max()) + 2)

    def __len__(self) -> int:
        return len(self.total)

    def at(self, rows: Any) -> RoughRows:
        """Some of the rows; of a slice, without a copy."""
        return replace(self, columns=self.columns[:, rows], total=self.total[rows])

    def sums(self, rows: Any, others: RoughRows) -> Steps:
        """The steps from some of the rows to all of the others, (b, m), until the next are asked for.

        |a - b| is 2 max(a, b) - a - b: without a sign, and what goes beyond two bytes comes back in the end.
        """
        mine = self.at(rows)
        shape = (2, len(mine), len(others))
        sums, more = scratch("steps", (prod(shape) // 4 + 1,)).view(np.uint16)[: prod(shape)].reshape(shape)
        sums[:] = 0
        for a, b in zip(mine.columns, others.columns, strict=True):
            more[:] = a[:, None]  # in place of a view that repeats it, along which NumPy goes slowly
            sums += np.maximum(more, b, out=more)
        sums += sums
        sums -= mine.total[:, None]
        sums -= others.total
        return sums
