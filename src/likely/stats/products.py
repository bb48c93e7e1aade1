"""The products of a block's columns: what joint normals are learnt from, and evaluated with."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from likely.stats.centre import rough_centre
from likely.stats.groups import Floats, Ints
from likely.table.scratch import scratch

WIDEST = 24  # columns: with more, the products are so many that whitening each group costs less
STEP = 1 << 11  # rows at a time: what is made of them is still in the cache when it is used
KEPT = 1 << 19  # cells of products that are kept for a second look

_local = threading.local()


@dataclass(frozen=True, slots=True)
class Products:
    """Tables (p, b): a row of ones, the deviations x_i from a centre, their squares, and all other x_i x_j.

    A quadratic form of every group is then one matrix product with it, and the statistics of every group
    one with its transpose. Columns that are independent need no more than the squares. There is a table
    for every few rows, so that it stays in the cache.

    >>> rows = np.array([[1.0, 2.0]])
    >>> [table.ravel().tolist() for part, table in Products.of(rows, np.zeros(2))]
    [[1.0, 1.0, 2.0, 1.0, 4.0, 2.0]]
    """

    rows: weakref.ref[Floats]  # (n, d) that they are made of
    centre: Floats  # (d,)
    crossed: bool  # whether different columns are multiplied
    tables: list[Floats]  # those that are kept, in memory that the thread uses again for its next block

    @classmethod
    def of(cls, rows: Floats, centre: Floats | None = None, crossed: bool = True) -> Products:
        """The products of rows, which may not change meanwhile; around a centre near them if not told.

        EM looks at every block twice, to weigh it and to count it. The second time the same array comes
        by, its products are still there.
        """
        held: Products | None = getattr(_local, "held", None)
        same = held is not None and held.rows() is rows and held.crossed is crossed
        if held is not None and same and (centre is None or held.centre is centre):
            return held
        centre = rough_centre(rows) if centre is None else centre
        _local.held = made = cls(weakref.ref(rows), centre, crossed, [])
        return made

    def __iter__(self) -> Iterator[tuple[slice, Floats]]:
        rows = self.rows()
        assert rows is not None
        kept = len(rows) * self.height <= KEPT
        for i, start in enumerate(range(0, len(rows), STEP)):
            part = slice(start, min(start + STEP, len(rows)))
            if i < len(self.tables):
                yield part, self.tables[i]
                continue
            table = self._table(rows[part], f"products {i if kept else 0}")
            if kept:
                self.tables.append(table)
            yield part, table

    @property
    def height(self) -> int:
        """How many rows a table has."""
        d = len(self.centre)
        return 1 + d + (d * (d + 1) // 2 if self.crossed else d)

    def _table(self, rows: Floats, name: str) -> Floats:
        b, d = rows.shape
        table = scratch(name, (self.height, b))
        table[0] = 1.0
        np.copyto(table[1 : 1 + d], rows.T)  # turned first, which a subtraction would take twice as long for
        if self.centre.any():
            table[1 : 1 + d] -= self.centre[:, None]
        at = 1 + d
        for apart in range(d if self.crossed else min(d, 1)):
            wide = d - apart
            np.multiply(table[1 : 1 + wide], table[1 + apart : 1 + d], out=table[at : at + wide])
            at += wide
        return table

    def sums(self, soft: Floats) -> Floats:
        """The products added up in each group, whose shares of the rows these are (n, g): (g, p)."""
        found = np.zeros((soft.shape[1], self.height))
        for part, table in self:
            found += soft[part].T @ table.T
        return found


@cache
def pairs(width: int) -> tuple[Ints, Ints]:
    """Which two columns each product is of, in order.

    >>> [places.tolist() for places in pairs(3)]
    [[0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]
    """
    # By how far the two lie apart: whole runs of columns are multiplied in one go.
    first = np.array([i for s in range(width) for i in range(width - s)], np.intp)
    return first, first + np.repeat(np.arange(width), np.arange(width, 0, -1))


def unpacked(packed: Floats, width: int) -> Floats:
    """Products (..., d (d + 1) / 2) as symmetric matrices (..., d, d)."""
    first, second = pairs(width)
    out = np.empty((*packed.shape[:-1], width, width))
    out[..., first, second] = packed
    out[..., second, first] = packed
    return out
