"""Columns of different numbers of levels side by side: column j has sizes[j] of the K places.

`sizes` None is a single column of K levels that has no axis of its own.
"""

from __future__ import annotations

import numpy as np

from likely.errors import LikelyError
from likely.stats.groups import Floats, Ints

Sizes = tuple[int, ...] | None


def check_sizes(sizes: Sizes, width: int) -> Sizes:
    """The sizes, if they share out `width` places."""
    if sizes is not None and sum(sizes) != width:
        raise LikelyError(f"sizes={sizes!r} add up to {sum(sizes)}: they must add up to {width} places.")
    return None if sizes is None else tuple(int(size) for size in sizes)


def starts(sizes: tuple[int, ...]) -> Ints:
    """Where each column's places begin, (d,)."""
    return np.cumsum((0, *sizes))[:-1].astype(np.intp)


def column_sums(places: Floats, sizes: Sizes) -> Floats:
    """Add up (..., K) within each column: (..., d), or (...) for a single column.

    >>> column_sums(np.array([1.0, 2.0, 3.0]), (2, 0, 1))
    array([3., 0., 3.])
    """
    return _reduced(np.add, places, sizes)


def column_max(places: Floats, sizes: Sizes) -> Floats:
    """The largest of (..., K) within each column: (..., d), or (...) for a single column; 0 of none.

    >>> column_max(np.array([1.0, 2.0, 3.0]), (2, 0, 1))
    array([2., 0., 3.])
    """
    return _reduced(np.maximum, places, sizes)


def _reduced(how: np.ufunc, places: Floats, sizes: Sizes) -> Floats:
    if sizes is None:
        return np.asarray(how.reduce(places, axis=-1))
    out = np.zeros((*places.shape[:-1], len(sizes)))
    # reduceat would give an empty column its neighbour's first place.
    filled = np.flatnonzero(sizes)
    if len(filled):
        out[..., filled] = how.reduceat(places, starts(sizes)[filled], axis=-1)
    return out


def spread_out(columns: Floats, sizes: Sizes) -> Floats:
    """Repeat (..., d) at each place of the columns: (..., K); (..., 1) for a single column.

    >>> spread_out(np.array([3.0, 0.0, 4.0]), (2, 0, 1))
    array([3., 3., 4.])
    """
    return columns[..., None] if sizes is None else np.repeat(columns, sizes, axis=-1)
