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
    g, b = distances.shape
    unsure = ~(distances >= sure[:, None])  # what is not a number, too
    unsure[sure == 0] = False
    unsure[np.isinf(sure)] = True
    places = np.flatnonzero(unsure)  # in all groups laid end to end
    ends = np.searchsorted(places, np.arange(g + 1) * b)
    for group in map(int, np.flatnonzero(np.diff(ends))):
        few = places[ends[group] : ends[group + 1]] - group * b
        if 2 * len(few) > b:
            distances[group] = again(group, cells)
        else:
            distances[group, few] = again(group, cells[few])
