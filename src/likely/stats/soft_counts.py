"""How much weight falls on each level of each column, of rows that belong to every group by a share."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Ints
from likely.table.scratch import scratch
from likely.table.sparse import made_of_columns


def soft_counts(codes: NDArray[np.integer], soft: Floats, sizes: tuple[int, ...]) -> Floats:
    """The counts (g, K) of codes (b, d) whose rows have these shares (b, g); negative codes do not count.

    By one sparse product, with 1 at the place of every cell: half the time of a bincount for each group.

    >>> soft_counts(np.array([[0], [1], [-1]]), np.array([[1.0], [0.5], [2.0]]), (2,))
    array([[1. , 0.5]])
    """
    (b, d), (firsts, own, height) = codes.shape, _places(sizes, len(codes))
    place = scratch("places", (b, d)).view(np.intp)  # row by row, as the sparse product wants it
    np.add(codes, firsts, out=place)
    ones = scratch("ones", (b * d,))
    ones[:] = 1.0
    block = made_of_columns(ones, place.ravel(), np.arange(b + 1) * d, height)
    counted = block @ np.ascontiguousarray(soft)
    return np.asarray(counted[own].T)


@lru_cache(4)
def _places(sizes: tuple[int, ...], b: int) -> tuple[Ints, Ints, int]:
    """Where the level 0 of each column counts, for b rows (b, d); where all levels do, (K,); how many.

    The codes -2 and -1 have places too, before each column's own.
    """
    wide = np.asarray(sizes, np.intp) + 2
    firsts = np.cumsum(wide) - wide + 2
    own = [np.arange(first, first + size) for first, size in zip(firsts, sizes, strict=True)]
    # Row by row in full: to add a row of d to every row would take three times as long.
    return np.tile(firsts, (b, 1)), np.concatenate([np.zeros(0, np.intp), *own]), int(wide.sum())
