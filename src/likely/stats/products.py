"""The products of a block's columns: what joint normals are learnt from, and evaluated with."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from likely.stats.groups import Floats, Ints
from likely.stats.moments import rough_centre
from likely.table.scratch import scratch

WIDEST = 24  # columns: with more, the products are so many that whitening each group costs less
STEP = 1 << 11  # rows at a time

_local = threading.local()


@dataclass(frozen=True, slots=True)
class Products:
    """A table (p, b): a row of ones, the deviations x_i from a centre, and x_i x_j for i <= j.

    A quadratic form of every group is then one matrix product with it, and the statistics of every group
    one with its transpose.

    >>> Products.of(np.array([[1.0, 2.0]]), np.zeros(2)).table.ravel()
    array([1., 1., 2., 1., 2., 4.])
    """

    rows: weakref.ref[Floats]  # (b, d) that it was made of
    centre: Floats  # (d,)
    table: Floats  # in memory that the thread uses again for its next block

    @classmethod
    def each(cls, rows: Floats, centre: Floats | None = None) -> Iterator[tuple[slice, Products]]:
        """The products of so few rows at a time that they stay in the cache, all around one centre."""
        if len(rows) <= STEP:
            yield slice(None), cls.of(rows, centre)
            return
        centre = rough_centre(rows) if centre is None else centre
        for start in range(0, len(rows), STEP):
            part = slice(start, start + STEP)
            yield part, cls.of(rows[part], centre)

    @classmethod
    def of(cls, rows: Floats, centre: Floats | None = None) -> Products:
        """The products of a few rows, which may not change meanwhile; around a centre near them if not told.

        EM looks at every block twice, to weigh it and to count it. The second time the same array comes
        by, its products are still there.
        """
        held: Products | None = getattr(_local, "held", None)
        if held is not None and held.rows() is rows and (centre is None or held.centre is centre):
            return held
        centre = rough_centre(rows) if centre is None else centre
        b, d = rows.shape
        table = scratch("products", (1 + d + d * (d + 1) // 2, b))
        table[0] = 1.0
        np.subtract(rows.T, centre[:, None], out=table[1 : 1 + d])
        at = 1 + d
        for i in range(d):
            np.multiply(table[1 + i], table[1 + i : 1 + d], out=table[at : at + d - i])
            at += d - i
        _local.held = made = cls(weakref.ref(rows), centre, table)
        return made


@cache
def pairs(width: int) -> tuple[Ints, Ints]:
    """Which two columns each product is of, in order."""
    return np.triu_indices(width)


def unpacked(packed: Floats, width: int) -> Floats:
    """Products (..., d (d + 1) / 2) as symmetric matrices (..., d, d)."""
    first, second = pairs(width)
    out = np.empty((*packed.shape[:-1], width, width))
    out[..., first, second] = packed
    out[..., second, first] = packed
    return out
