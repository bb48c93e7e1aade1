"""Distances that were summed around a common middle, taken again where that costs digits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from likely.stats.groups import Floats


def mend(distances: Floats, sure: Floats, cells: Floats, again: Callable[[int, Floats], Floats]) -> None:
    """Take squared distances (g, b) of rows (b, d) again, in place, if they are less than is sure, (g,).

    Where groups lie apart that is each row's distance from its own group. `again` takes those of some
    rows from the centre of one group; if no distance is sure, nothing needs to be there before.
    """
    for group in map(int, np.flatnonzero(sure)):
        few = np.flatnonzero(~(distances[group] >= sure[group]))  # what is not a number, too
        if 2 * len(few) > len(cells) or np.isinf(sure[group]):
            distances[group] = again(group, cells)
        elif len(few):
            distances[group, few] = again(group, cells[few])
