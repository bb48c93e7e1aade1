"""Blocks of cells in the order in which their memory is quickest to walk."""

from __future__ import annotations

import numpy as np

from likely.stats.groups import Floats, Ints
from likely.table.scratch import by_columns, scratch


def product(cells: Floats, weights: Floats) -> Floats:
    """cells (b, d) times weights (g, d), (b, g), in whichever order BLAS is faster.

    Measured with 5 groups and 20 columns: 1.7 times for cells in column order.
    """
    return np.asarray((weights @ cells.T).T if by_columns(cells) else cells @ weights.T)


def code_columns(codes: Ints) -> Ints:
    """Codes (b, d) with each column in one piece: strided columns would take half the time of a gather."""
    if by_columns(codes) and codes.dtype == np.intp:
        return codes
    columns = scratch("dist_codes", codes.shape[::-1]).view(np.intp)
    np.copyto(columns, codes.T)
    return columns.T
