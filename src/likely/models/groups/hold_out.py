"""Rows held out in folds, from which weights of evidence are learnt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]

FEWEST = 30  # rows: fewer cannot tell
IMPOSSIBLE = -50.0  # nats: what a fold rules out that the rest of the rows may not


def folds_of(seen: Ints, codes: Ints, most: int, k: int) -> list[Ints]:
    """Some of the rows that were seen, in k folds: each has about its part of every class.

    >>> [fold.tolist() for fold in folds_of(np.arange(4), np.array([0, 0, 1, 1]), 4, 2)]
    [[0, 2], [1, 3]]
    """
    chosen = np.random.default_rng(0).permutation(seen)[:most]
    by_class = chosen[np.argsort(codes[chosen], kind="stable")]
    return [by_class[fold::k] for fold in range(k)]
