"""More points than a picture can tell apart -> fewer of them, by density."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

MOST = 1000  # points of a picture
CELLS = 64  # either way, in which points are counted; fewer where each could not keep one point


def thinned(x: ArrayLike, y: ArrayLike, most: int = MOST) -> NDArray[np.intp]:
    """Which points to draw, in their order: all, or at most so many, taken from where they are densest.

    The plane is cut into cells, and each keeps points up to one common number: so those that lie alone,
    which are the ones worth a look, stay. Nothing is left to chance: the same points give the same
    picture.

    >>> thinned([0.0, 0.0, 0.0, 9.0], [0.0, 0.0, 0.0, 9.0], 3).tolist()
    [0, 2, 3]
    """
    places = np.column_stack([np.asarray(x, np.float64), np.asarray(y, np.float64)])
    drawn = np.flatnonzero(np.isfinite(places).all(axis=1))
    if len(drawn) <= most:
        return drawn
    across = CELLS
    while len(np.unique(cell := _cells(places[drawn], across))) > most:
        across //= 2
    order = np.argsort(cell, kind="stable")
    _, start, count = np.unique(cell[order], return_index=True, return_counts=True)
    kept = np.minimum(count, _common(count, most))
    # As many as it keeps, evenly from first to last of its own.
    steps = [
        first + np.round(np.linspace(0, n - 1, k)).astype(np.intp)
        for first, n, k in zip(start, count, kept, strict=True)
    ]
    return np.sort(drawn[order[np.concatenate(steps)]])


def _cells(places: NDArray[np.float64], across: int) -> NDArray[np.intp]:
    """The number of the cell that each point lies in."""
    low, high = places.min(axis=0), places.max(axis=0)
    # In halves: a range may be beyond all numbers.
    width = np.where(high > low, high / 2 - low / 2, 1.0)
    inside = np.minimum((across * ((places / 2 - low / 2) / width)).astype(np.intp), across - 1)
    return np.asarray(inside[:, 0] * across + inside[:, 1])


def _common(count: NDArray[np.intp], most: int) -> int:
    """The largest number of points that every cell may keep, at least 1."""
    low, high = 1, int(count.max())
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if np.minimum(count, middle).sum() <= most else (low, middle - 1)
    return low
