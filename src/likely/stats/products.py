"""The products of a block's columns: what joint normals are learnt from, and evaluated with."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from likely.stats.centre import rough_centre
from likely.stats.groups import Floats, Ints
from likely.table.scratch import aligned, scratch

WIDEST = 24  # columns: with more, the products are so many that whitening each group costs less
STEP = 1 << 11  # rows at a time: what is made of them is still in the cache when it is used
KEPT = 1 << 19  # cells of products that are kept for a second look

_local = threading.local()


@dataclass(frozen=True, slots=True)
class Products:
    """Tables: a row of ones, the deviations x_i from a centre, their squares, and all other x_i x_j.

    A quadratic form of every group is then one matrix product with it, and the statistics of every group
    one with its transpose. Columns that are independent need no more than the squares. There is a table
    (p, b) for every few rows, so that it stays in the cache, and they are made and multiplied many at
    a time (k, p, b), for Python to take no part in it.

    >>> rows = np.array([[1.0, 2.0]])
    >>> Products.of(rows, np.zeros(2)).times(np.eye(6)).ravel().tolist()
    [1.0, 1.0, 2.0, 1.0, 4.0, 2.0]
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
        held = cls.held(rows, crossed)
        if held is not None and (centre is None or held.centre is centre):
            return held
        centre = rough_centre(rows) if centre is None else centre
        _local.held = made = cls(weakref.ref(rows), centre, crossed, [])
        return made

    @classmethod
    def held(cls, rows: Floats, crossed: bool) -> Products | None:
        """The products of these rows, if they were the last that this thread was asked for."""
        held: Products | None = getattr(_local, "held", None)
        return held if held is not None and held.rows() is rows and held.crossed is crossed else None

    def times(self, weights: Floats) -> Floats:
        """Sums of the products with these weights (g, p), for every row: (g, n)."""
        out = aligned((len(weights), self._n))
        for part, table in self._tables():
            np.matmul(weights, table, out=_in_steps(out[:, part], table))
        return out

    def sums(self, soft: Floats) -> Floats:
        """The products added up in each group, whose shares of the rows these are (n, g): (g, p)."""
        sums = np.zeros((self._height, soft.shape[1]))
        for part, table in self._tables():
            sums += (table @ _in_steps(soft[part].T, table).transpose(0, 2, 1)).sum(axis=0)
        return sums.T

    def _tables(self) -> Iterator[tuple[slice, Floats]]:
        """Tables (k, p, b), and the rows that they are of."""
        rows = self.rows()
        assert rows is not None
        n = len(rows)
        kept = n * self._height <= KEPT
        # Whole steps together, and what is left over; if they are not to be kept, one after the other.
        bounds = sorted({0, n - n % STEP, n}) if kept else [*range(0, n, STEP), n]
        for i, (start, stop) in enumerate(pairwise(bounds)):
            part = slice(start, stop)
            if i < len(self.tables):
                yield part, self.tables[i]
                continue
            table = self._table(rows[part], f"products {i if kept else 0}")
            if kept:
                self.tables.append(table)
            yield part, table

    @property
    def _n(self) -> int:
        rows = self.rows()
        assert rows is not None
        return len(rows)

    @property
    def _height(self) -> int:
        return height(len(self.centre), self.crossed)

    def _table(self, rows: Floats, name: str) -> Floats:
        n, d = rows.shape
        b = min(n, STEP)
        table = scratch(name, (n // b, self._height, b))
        table[:, 0] = 1.0
        cells = table[:, 1 : 1 + d]
        # Turned first, which a subtraction would take twice as long for.
        np.copyto(cells, rows.reshape(n // b, b, d).transpose(0, 2, 1))
        if self.centre.any():
            cells -= self.centre[:, None]
        at = 1 + d
        for apart in range(d if self.crossed else min(d, 1)):
            wide = d - apart
            np.multiply(cells[:, :wide], cells[:, apart:], out=table[:, at : at + wide])
            at += wide
        return table


def _in_steps(groups: Floats, table: Floats) -> Floats:
    """Rows of groups (g, n) as pieces that go with a table (k, p, b): (k, g, b)."""
    k, _, b = table.shape
    return groups.reshape(len(groups), k, b).transpose(1, 0, 2)


def height(width: int, crossed: bool) -> int:
    """How many rows the table of so many columns has."""
    return 1 + width + (width * (width + 1) // 2 if crossed else width)


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
