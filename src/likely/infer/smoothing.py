"""Shares in many groups that are alike: how far each is drawn towards what holds over all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Powers of two. Levels of few rows are all pure by chance: less than a row added costs bits on new rows.
WEAKEST, STRONGEST = 0.0, 20.0
STEPS = 4  # a doubling
AT_ONCE = 1 << 15  # cells


def hierarchical_strength(counts: Floats, shares: Floats) -> float:
    """How many rows of the shares over all (g,) to add to the counts of each of k groups, (g, k).

    The shares of each group are drawn from a Dirichlet distribution around those over all; its strength is
    the one under which the counts are most probable (empirical Bayes). Where all groups are alike it is as
    large as is looked for, and where each is pure it is one row.

    >>> alike = np.array([[30.0, 31.0, 29.0], [30.0, 29.0, 31.0]])
    >>> apart = np.array([[60.0, 0.0, 50.0], [0.0, 60.0, 1.0]])
    >>> half = np.full(2, 0.5)
    >>> hierarchical_strength(alike, half) > 1000, hierarchical_strength(apart, half)
    (True, 1.0)
    """
    from scipy.special import gammaln

    there = shares > 0
    counts, shares = counts[there], shares[there]
    kinds, times = _different(counts[:, counts.sum(axis=0) > 0])
    if not kinds.size or len(shares) < 2:
        return float(2.0**STRONGEST)
    strengths = 2.0 ** np.arange(WEAKEST, STRONGEST + 1 / STEPS, 1 / STEPS)
    told = []
    rows = kinds.sum(axis=0)
    parts = min(-(-len(strengths) * len(rows) // AT_ONCE), len(strengths))
    for some in np.array_split(strengths, parts):
        s = some[:, None]
        each = gammaln(s) - gammaln(s + rows)
        for row, share in zip(kinds, shares, strict=True):
            each += gammaln(row + s * share) - gammaln(s * share)
        told.append(each @ times)
    return float(strengths[int(np.argmax(np.concatenate(told)))])


def _different(counts: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The different columns of counts (g, k), in order, and how often each is there.

    Levels of the same counts are as probable: of 100,000 levels few are different.
    """
    counts = counts.take(np.lexsort(counts[::-1]), axis=1)
    changes = np.ones(counts.shape[1], bool)
    np.any(counts[:, 1:] != counts[:, :-1], axis=0, out=changes[1:])
    first = np.flatnonzero(changes)
    return counts.take(first, axis=1), np.diff(first, append=counts.shape[1])
