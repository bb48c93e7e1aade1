"""In how many parts the rows are cut, and how often."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

Ints = NDArray[np.intp]
Tell = Callable[[int, int], None]


def check_numbers(folds: int, repeats: int) -> None:
    """Refuse numbers of folds and of repeats that cannot be."""
    for name, number, least in (("folds", folds, 2), ("repeats", repeats, 1)):
        if not isinstance(number, int) or number < least:
            raise LikelyError(f"{name}={number!r}: give a whole number of {least} or more.")


def each_test(
    tested: Ints, deal: Callable[[], Ints], folds: int, repeats: int, tell: Tell | None
) -> Iterator[tuple[int, Ints]]:
    """Of each repeat and fold: which repeat it is, and the rows to test, which are those to leave out.

    `deal` says anew in each repeat which fold each of the rows that are `tested` is in.

    >>> list(each_test(np.array([2, 5, 7]), lambda: np.array([0, 1, 0]), 2, 1, None))
    [(0, array([2, 7])), (0, array([5]))]
    """
    for repeat in range(repeats):
        fold = deal()
        for place in range(folds):
            yield repeat, tested[fold == place]
            if tell is not None:
                tell(repeat * folds + place + 1, repeats * folds)
