"""Columns whose cells lie row by row in memory -> the same, each column's cells side by side.

To go down one column of twenty reads as much memory as to go through all of them: several are read at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.table.column.raw import Raw

MOST_COPIED = 1 << 22  # cells of a table that may be put side by side once: 32 MB
_LEAST_AT_ONCE = 8  # columns: of numbers, what a cache line holds of a row
_ROWS = 1 << 12  # read at a time, so that a column finds in the cache what the one before it has read


def contiguous(columns: Sequence[NDArray[Any]], room: NDArray[Any] | None = None) -> NDArray[Any]:
    """Columns of one type, (n,) each, as the rows of an array, (d, n): a new one, or the first of `room`.

    >>> contiguous(list(np.array([[1, 2], [3, 4]]).T))
    array([[1, 3],
           [2, 4]])
    """
    n = len(columns[0])
    out = np.empty((len(columns), n), columns[0].dtype) if room is None else room[: len(columns)]
    for start in range(0, n, _ROWS):
        for own, column in zip(out, columns, strict=True):
            own[start : start + _ROWS] = column[start : start + _ROWS]
    return out


def at_once(n: int) -> int:
    """How many columns of n rows are read together."""
    return max(_LEAST_AT_ONCE, MOST_COPIED // max(n, 1))


def read_together(d: int, n: int) -> list[slice]:
    """The d columns of n rows in runs that are read at once."""
    step = at_once(n)
    return [slice(start, min(start + step, d)) for start in range(0, d, step)]


def apart(values: NDArray[Any]) -> bool:
    """Whether a column of many numbers, (n,), has its cells far from each other in memory.

    >>> matrix = np.zeros((10_000, 3))
    >>> apart(matrix[:, 0]), apart(np.asfortranarray(matrix)[:, 0])
    (True, False)
    """
    return len(values) >= _ROWS and abs(values.strides[0]) > values.itemsize and values.dtype.kind in "iuf"


def made_contiguous(first: Raw, names: Sequence[str], values: Callable[[str], Any]) -> dict[str, Raw]:
    """A column and those after it, by these names, that are of its type, each side by side.

    pandas may have the columns of a matrix as they lie there: who asks for one will ask for the next.
    """
    kind = first.values.dtype
    given = {name: values(name) for name in names[: at_once(len(first.values))]}
    plain = {name: one for name, one in given.items() if not isinstance(one, np.ma.MaskedArray)}
    cells = {name: np.asarray(one) for name, one in plain.items() if getattr(one, "dtype", None) == kind}
    moved = contiguous(list(cells.values()))
    return {name: replace(first, name=name, values=own) for name, own in zip(cells, moved, strict=True)}
