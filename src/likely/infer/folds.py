"""Which rows are tested together: every class spread evenly over the folds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]


def by_class(codes: Ints) -> Ints:
    """Rows in the order of their classes, of which the one met first comes first, whatever its code.

    >>> by_class(np.array([1, 0, 1, 0])), by_class(np.array([0, 1, 0, 1]))
    (array([0, 2, 1, 3]), array([0, 2, 1, 3]))
    """
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(first[which], kind="stable")


def stratified(codes: Ints, folds: int, rng: np.random.Generator) -> Ints:
    """The fold of each row. Folds differ by at most one row in size, and in their rows of any class.

    The rows are shuffled, sorted by class and dealt out like cards; what classes are called does not matter.

    >>> fold = stratified(np.array([0, 0, 0, 0, 1, 1]), 2, np.random.default_rng(0))
    >>> [np.bincount(fold[:4]).tolist(), np.bincount(fold[4:]).tolist()]
    [[2, 2], [1, 1]]
    """
    shuffled = rng.permutation(len(codes))
    order = shuffled[by_class(codes[shuffled])]
    fold = np.empty(len(codes), np.intp)
    fold[order] = np.arange(len(codes)) % folds
    return fold
