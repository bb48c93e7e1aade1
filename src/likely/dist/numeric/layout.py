"""Products of blocks of cells in the order in which their memory is quickest to walk."""

from __future__ import annotations

import numpy as np

from likely.stats.groups import Floats


def product(cells: Floats, weights: Floats) -> Floats:
    """cells (b, d) times weights (g, d), (b, g), with each group in one piece.

    BLAS is no slower so, and what is done to the groups next is four times as fast.
    """
    return np.asarray((weights @ cells.T).T)
