"""The best structure of all, by dynamic programming over sets of nodes: for about 20 nodes at most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.infer.structure_climb import Progress
from likely.infer.structure_limits import Limits
from likely.infer.structure_orders import ParentSets
from likely.infer.structure_score import FamilyScores

Floats = NDArray[np.float64]

MOST_NODES = 20


def exact_structure(scores: FamilyScores, limits: Limits, progress: Progress | None = None) -> list[int]:
    """The parents of each node in a structure that no other beats, as sets.

    The best structure of a set of nodes has some node last: the best parents of that one in the rest, and
    the best structure of the rest (Silander and Myllymaki). Time and memory double with every node.
    """
    d = limits.d
    if d > MOST_NODES:
        raise LikelyError(
            f"{d} nodes: the exact search takes {MOST_NODES} at most, since its work doubles with each. "
            "Use the search instead."
        )
    every = (1 << d) - 1
    lists, best = [], []
    for node in range(d):
        own = ParentSets.of(scores, node, every & ~(1 << node), limits, most=None)
        lists.append(own)
        best.append(_best_inside(own, d))
        if progress is not None:
            progress("parent sets", (node + 1) / d)
    total = np.full(1 << d, -np.inf)  # of the best structure of each set of nodes
    total[0] = 0.0
    last = np.zeros(1 << d, np.int8)  # the node that comes last in it
    sets = np.arange(1 << d)
    sizes = np.bitwise_count(sets)
    for size in range(1, d + 1):
        layer = sets[sizes == size]
        for node in range(d):
            own_sets = layer[layer >> node & 1 == 1]
            rest = own_sets ^ (1 << node)
            reached = total[rest] + best[node][rest]
            better = reached > total[own_sets]
            total[own_sets[better]] = reached[better]
            last[own_sets[better]] = node
        if progress is not None:
            progress("sets of nodes", size / d)
    parents, left = [0] * d, every
    while left:
        node = int(last[left])
        left ^= 1 << node
        parents[node] = lists[node].best(left)
    return parents


def _best_inside(own: ParentSets, d: int) -> Floats:
    """The score of the best set of parents inside each set of nodes, (2^d,)."""
    best = np.full(1 << d, -np.inf)
    best[own.sets] = own.scores
    for place in range(d):
        halves = best.reshape(-1, 2, 1 << place)
        np.maximum(halves[:, 1], halves[:, 0], out=halves[:, 1])
    return best
