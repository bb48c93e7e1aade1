"""Two-part code lengths: the bits that a family takes for a column, its parameters first, then its values.

The values of a class are coded by its distribution at maximum likelihood, a value of probability P by
-log2 P bits. A parameter is sent to the precision that n rows give it: 1/2 log2 n bits, or log2 n for an
end of a range, which n rows fix to 1/n and not to 1/sqrt(n) of its width. What all families must send
alike (the step between the values, the least and the greatest of them, the classes) is left out.
"""

from __future__ import annotations

import numpy as np

from likely.dist import Family
from likely.dist.numeric.value_grid import Grid
from likely.score.entropy import LOG_2
from likely.stats.binned import Cells


def code_length(family: type[Family], cells: Cells, grid: Grid) -> float:
    """The bits of one column, whose values in each group lie in the cells (g, 1) and on the grid.

    >>> from likely.dist import Categorical
    >>> from likely.stats.groups import Groups
    >>> cells = Cells.collect(np.array([[1.0], [1.0], [2.0], [1.0]]), Groups.one(4))
    >>> round(code_length(Categorical, cells, Grid.of(cells)), 4)  # 4 x 0.8113, and 1/2 log2 4
    4.2451
    """
    fitted = family.ml(family.of_cells(cells, grid))
    bits = family.naming_bits(grid)
    for group in np.flatnonzero(cells.n[:, 0] > 0).tolist():
        own = cells.packed(group, 0)
        row_bits = max(float(np.log2(own.weight.sum())), 0.0)
        parameters, log_mass = fitted.coded(group, own, grid)
        if not np.isfinite(log_mass).all():
            return np.inf  # beyond the range of the numbers, there is nothing to compare
        bits += parameters * row_bits - float((own.weight * np.minimum(log_mass, 0.0)).sum()) / LOG_2
    return bits
