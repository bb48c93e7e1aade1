"""Rows held out in folds, from which weights of evidence are learnt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.infer.folds import by_class

Ints = NDArray[np.intp]

FEWEST = 30  # rows: fewer cannot tell
IMPOSSIBLE = -50.0  # nats: what a fold rules out that the rest of the rows may not


def folds_of(seen: Ints, codes: Ints, most: int, k: int) -> list[Ints]:
    """Some of the rows that were seen, in k folds: each has about its part of every class.

    >>> [fold.tolist() for fold in folds_of(np.arange(4), np.array([0, 0, 1, 1]), 4, 2)]
    [[2, 0], [3, 1]]
    """
    chosen = np.random.default_rng(0).permutation(seen)[:most]
    ordered = chosen[by_class(codes[chosen])]
    return [ordered[fold::k] for fold in range(k)]
