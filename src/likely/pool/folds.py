"""Which rows are held out together: one cut of the rows, shared by all members."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]


def spread_folds(codes: Ints, folds: int, rng: np.random.Generator) -> Ints:
    """The fold of every row, (n,): each class is dealt out evenly, one after another.

    >>> fold = spread_folds(np.array([0, 0, 1, 1]), 2, np.random.default_rng(0))
    >>> sorted(fold[:2].tolist()), sorted(fold[2:].tolist())
    ([0, 1], [0, 1])
    """
    mixed = rng.permutation(len(codes))
    order = mixed[np.argsort(codes[mixed], kind="stable")]
    fold = np.empty(len(codes), np.intp)
    fold[order] = np.arange(len(codes)) % folds
    return fold
