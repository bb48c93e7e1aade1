"""Which rows are tested together: every class spread evenly over the folds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]


def stratified(codes: Ints, folds: int, rng: np.random.Generator) -> Ints:
    """The fold of each row. Folds differ by at most one row in size, and in their rows of any class.

    The rows are shuffled, sorted by class and dealt out like cards.

    >>> fold = stratified(np.array([0, 0, 0, 0, 1, 1]), 2, np.random.default_rng(0))
    >>> [np.bincount(fold[:4]).tolist(), np.bincount(fold[4:]).tolist()]
    [[2, 2], [1, 1]]
    """
    shuffled = rng.permutation(len(codes))
    order = shuffled[np.argsort(codes[shuffled], kind="stable")]
    fold = np.empty(len(codes), np.intp)
    fold[order] = np.arange(len(codes)) % folds
    return fold
