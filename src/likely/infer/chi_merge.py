"""Joining neighbours that look alike, one after another: agglomerative merging by chi-squared (ChiMerge)."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Merged:
    """What is left of cells in order when those that look alike are joined."""

    starts: Ints  # the first cell of each part, from 0, rising
    least: (
        float  # the chi-squared of the two parts that look most alike and were not joined; inf for one part
    )


def neighbour_chi_squared(counts: Floats) -> Floats:
    """The chi-squared of each cell and the next, (b - 1,), of counts (g, b): 0 for two of the same shares.

    Without a correction for continuity; groups that neither has do not count.

    >>> neighbour_chi_squared(np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])).round(3)
    array([2.  , 0.75])
    """
    return _chi_squared(counts[:, :-1], counts[:, 1:])


def chi_merge(counts: Floats, threshold: float, max_bins: int | None = None) -> Merged:
    """Join the two neighbours with the least chi-squared, while it is below the threshold.

    Cells of one and the same group are joined before. With `max_bins` joining goes on until no more parts
    than that are left, whatever they look like.

    >>> chi_merge(np.array([[5.0, 4.0, 0.0], [0.0, 1.0, 6.0]]), 2.7).starts
    array([0, 2])
    """
    starts = _pure_runs(counts)
    parts: list[Floats | None] = list(np.add.reduceat(counts, starts, axis=1).T)
    after = [*range(1, len(parts)), -1]
    before = [-1, *range(len(parts) - 1)]
    values = neighbour_chi_squared(np.array(parts).T) if len(parts) > 1 else np.empty(0)
    heap = [(value, i, i + 1) for i, value in enumerate(values.tolist())]
    heapify(heap)
    left, least = len(parts), float("inf")
    judged = {(i, i + 1): value for i, value in enumerate(values.tolist())}
    while heap:
        value, i, j = heappop(heap)
        if parts[i] is None or parts[j] is None or judged.get((i, j)) != value or after[i] != j:
            continue
        if value >= threshold and (max_bins is None or left <= max_bins):
            least = value
            break
        mine, theirs = parts[i], parts[j]
        assert mine is not None
        assert theirs is not None
        parts[i], parts[j] = mine + theirs, None
        after[i] = after[j]
        if after[j] >= 0:
            before[after[j]] = i
        left -= 1
        for a, b in ((before[i], i), (i, after[i])):
            if a >= 0 and b >= 0:
                one, other = parts[a], parts[b]
                assert one is not None
                assert other is not None
                judged[a, b] = float(_chi_squared(one[:, None], other[:, None])[0])
                heappush(heap, (judged[a, b], a, b))
    kept = [i for i, part in enumerate(parts) if part is not None]
    return Merged(starts[kept], least)


def chi_merge_any(counts: Floats, threshold: float, max_groups: int | None = None) -> Ints:
    """As `chi_merge`, of levels without an order: any two may be joined. The group of each level, (k,).

    Groups are numbered in the order of their first levels.

    >>> chi_merge_any(np.array([[9.0, 1.0, 8.0], [1.0, 9.0, 2.0]]), 2.7)
    array([0, 1, 0])
    """
    k = counts.shape[1]
    parts, group_of, left = counts.astype(np.float64), np.arange(k), k
    values = np.full((k, k), np.inf)
    for i in range(k - 1):
        values[i, i + 1 :] = _chi_squared(np.repeat(parts[:, [i]], k - i - 1, axis=1), parts[:, i + 1 :])
    while left > 1:
        i, j = (int(place) for place in np.unravel_index(int(values.argmin()), values.shape))
        if values[i, j] >= threshold and (max_groups is None or left <= max_groups):
            break
        parts[:, i] += parts[:, j]
        group_of[group_of == j] = i
        values[j, :] = values[:, j] = np.inf
        left -= 1
        others = np.setdiff1d(np.unique(group_of), [i])
        new = _chi_squared(np.repeat(parts[:, [i]], len(others), axis=1), parts[:, others])
        values[np.minimum(others, i), np.maximum(others, i)] = new
    return np.unique(group_of, return_inverse=True)[1].astype(np.intp)


def _chi_squared(a: Floats, b: Floats) -> Floats:
    """Of two parts each, (g, m) and (g, m): (m,)."""
    rows_a, rows_b = a.sum(axis=0), b.sum(axis=0)
    group = a + b
    # sum (a - expected)^2 / expected over both parts is this, for two rows of a table.
    apart = np.square(a * rows_b - b * rows_a)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(group > 0, apart / group, 0.0)
    return np.asarray(terms.sum(axis=0) / (rows_a * rows_b))


def _pure_runs(counts: Floats) -> Ints:
    """The first of each run of cells that are of one and the same group alone; other cells are runs."""
    pure = (counts > 0).sum(axis=0) == 1
    which = np.where(pure, counts.argmax(axis=0), -1)
    new = np.ones(counts.shape[1], bool)
    new[1:] = (which[1:] != which[:-1]) | ~pure[1:]
    return np.flatnonzero(new)
