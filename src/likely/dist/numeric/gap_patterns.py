"""Rows with missing cells, put together so that those of many patterns are worked on at once.

Where few cells are missing here and there, almost every row has a pattern of its own. One solution of a
system a row would spend its time in Python; patterns of one size go through LAPACK together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Ints

CELLS = 1 << 20  # of the matrices that are worked on at once: 8 MB
REMEMBERED = 1 << 16  # cells of a table whose patterns are kept for the next time
FEW = 8  # rows of a pattern, below which each is taken as a pattern of its own, beside more of them


@dataclass(frozen=True, slots=True)
class GapPatterns:
    """Patterns that know equally many columns and have equally many rows."""

    rows: Ints  # (p, r): those of each pattern
    known: Ints  # (p, k): the columns that are known
    gaps: Ints  # (p, d - k): the others

    def cells(self, table: Floats) -> Floats:
        """The known cells of a table (b, d), (p, r, k)."""
        return np.asarray(table[self.rows[:, :, None], self.known[:, None, :]])

    def blocks(self, matrices: Floats) -> Floats:
        """The known rows and columns of matrices (g, d, d), (p, g, k, k)."""
        taken: Floats = matrices[:, self.known[:, :, None], self.known[:, None, :]]
        return taken.swapaxes(0, 1)

    def columns(self, vectors: Floats) -> Floats:
        """The known entries of vectors (g, d), (p, g, k)."""
        taken: Floats = vectors[:, self.known]
        return taken.swapaxes(0, 1)


def gap_patterns(missing: NDArray[np.bool_], groups: int = 1) -> Iterator[GapPatterns]:
    """All patterns of missing cells (b, d), so many at a time as fit for this number of groups.

    >>> gaps = np.array([[False, True], [True, False], [False, False], [True, False]])
    >>> for some in gap_patterns(gaps):
    ...     print(some.rows.tolist(), some.known.tolist())
    [[0]] [[0]]
    [[1, 3]] [[1]]
    [[2]] [[0, 1]]
    """
    if missing.size > REMEMBERED:
        yield from _gap_patterns(missing, groups)
    else:
        yield from _remembered(np.packbits(missing, axis=1).tobytes(), *missing.shape, groups)


@lru_cache(maxsize=16)
def _remembered(packed: bytes, n: int, width: int, groups: int) -> tuple[GapPatterns, ...]:
    """Those of a small table, which EM asks for in every iteration again."""
    bits = np.frombuffer(packed, np.uint8).reshape(n, -(-width // 8))
    return tuple(_gap_patterns(np.unpackbits(bits, axis=1, count=width).astype(bool), groups))


def _gap_patterns(missing: NDArray[np.bool_], groups: int) -> Iterator[GapPatterns]:
    first, which, sizes = _alike(missing)
    order = np.argsort(which, kind="stable")
    if (sizes < FEW).mean() > 0.5 and len(sizes) > FEW:
        times = np.where(sizes < FEW, sizes, 1)
        first, sizes = np.repeat(first, times), np.repeat(np.where(sizes < FEW, 1, sizes), times)
    patterns = missing[first]
    starts = np.cumsum(sizes) - sizes
    width = missing.shape[1]
    known = width - patterns.sum(axis=1)
    places = np.argsort(patterns, axis=1, kind="stable")  # the known columns first, each part in order
    most = max(1, CELLS // max(1, width * width * groups))
    for k, r in np.unique(np.stack([known, sizes], axis=1), axis=0).tolist():
        alike = np.flatnonzero((known == k) & (sizes == r))
        for at in range(0, len(alike), most):
            some = alike[at : at + most]
            rows = order[starts[some][:, None] + np.arange(r)]
            yield GapPatterns(rows, places[some, :k], places[some, k:])


def _alike(missing: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """The first row of each pattern, the pattern of each row, and how many rows each has."""
    short = np.packbits(missing, axis=1)
    words = np.zeros((len(short), -(-short.shape[1] // 8) * 8), np.uint8)
    words[:, : short.shape[1]] = short
    keys: NDArray[Any] = words.view(np.uint64)
    keys, axis = (keys[:, 0], None) if keys.shape[1] == 1 else (keys, 0)
    _, first, which, sizes = np.unique(
        keys, axis=axis, return_index=True, return_inverse=True, return_counts=True
    )
    return first, which.ravel(), sizes
