"""Columns of numbers on the scales that members read: standard scores, rank scores, bins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.stats.bins import bin_codes, equal_frequency_starts, midway

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

KNOTS = 64  # between which rank scores are interpolated
FARTHEST = 6.0  # standard scores beyond are cut: one wild cell must not decide
SPREAD = np.sqrt(3.0)  # of rank scores, so that they have variance 1
MANY = 1000  # rows, from which bins are shared out anew if single values, such as 0, take most rows
LEAST = 8  # rows of a bin then, about


@dataclass(frozen=True)
class NumberScales:
    """What was learnt of each column: mean, sd, quantiles to interpolate ranks, edges of bins."""

    mean: Floats  # (m,)
    sd: Floats  # (m,), 1 of constants
    knots: Floats  # of all columns, one after another
    ranks: Floats  # at each knot, from -sqrt(3) to sqrt(3)
    knot_ends: Ints  # (m + 1,)
    edges: Floats  # between the bins of all columns, one after another
    edge_ends: Ints  # (m + 1,)

    @classmethod
    def learn(cls, cells: Floats, n_bins: int) -> NumberScales:
        """From cells (n, m), NaN where missing."""
        m = cells.shape[1]
        mean, sd = np.zeros(m), np.ones(m)
        knots, ranks, edges = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)]
        for j in range(m):
            known = np.sort(cells[:, j][~np.isnan(cells[:, j])])
            values, counts = np.unique(known, return_counts=True)
            if len(values) < 2:
                mean[j] = values[0] if len(values) else 0.0
                values, counts = values[:0], counts[:0]
            else:
                unit = max(abs(known[0]), abs(known[-1]), 1e-300)  # so that no square overflows
                mean[j], sd[j] = (known / unit).mean() * unit, max((known / unit).std() * unit, 1e-300)
            own, middle = _ranks(values, counts)
            knots.append(own)
            ranks.append(middle)
            edges.append(bin_edges(values, counts, n_bins))
        return cls(
            mean,
            sd,
            np.concatenate(knots),
            np.concatenate(ranks),
            np.cumsum([len(one) for one in knots]),
            np.concatenate(edges),
            np.cumsum([len(one) for one in edges]),
        )

    def standard(self, cells: Floats, seen: bool = False) -> Floats:
        """Standard scores, 0 where missing; no farther out than 6, or, if `seen`, than any that was seen."""
        z = np.nan_to_num((cells - self.mean) / self.sd, nan=0.0)
        low, high = self.ends if seen else (-FARTHEST, FARTHEST)
        return np.clip(z, low, high)

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """The least and the greatest standard score that was seen of each column, (m,)."""
        first, last = self.knot_ends[:-1], self.knot_ends[1:]
        knots = np.append(self.knots, 0.0)
        some, last = last > first, np.maximum(last - 1, 0)
        return (
            np.where(some, (knots[first] - self.mean) / self.sd, 0.0),
            np.where(some, (knots[last] - self.mean) / self.sd, 0.0),
        )

    def rank(self, cells: Floats) -> Floats:
        """Rank scores, 0 where missing."""
        out = np.zeros_like(cells)
        for j, (start, stop) in enumerate(zip(self.knot_ends, self.knot_ends[1:], strict=False)):
            if stop > start:
                out[:, j] = np.interp(cells[:, j], self.knots[start:stop], self.ranks[start:stop])
        return np.nan_to_num(out, copy=False, nan=0.0)

    def middles(self, j: int) -> Floats:
        """A number in each bin of a column: the one in the middle of its knots."""
        knots = self.knots[self.knot_ends[j] : self.knot_ends[j + 1]]
        edges = self.edges[self.edge_ends[j] : self.edge_ends[j + 1]]
        if not len(knots):
            return np.full(len(edges) + 1, self.mean[j])
        place, ends = bin_codes(edges, knots), np.concatenate([knots[:1], edges, knots[-1:]])
        return np.array(
            [
                np.median(knots[place == b]) if (place == b).any() else ends[b : b + 2].mean()
                for b in range(len(edges) + 1)
            ]
        )

    def bins(self, cells: Floats) -> Ints:
        """The bin of every cell, -1 where missing."""
        out = np.empty(cells.shape, np.intp)
        for j, (start, stop) in enumerate(zip(self.edge_ends, self.edge_ends[1:], strict=False)):
            out[:, j] = bin_codes(self.edges[start:stop], cells[:, j])
        out[np.isnan(cells)] = -1
        return out

    @property
    def n_bins(self) -> Ints:
        """Of each column, (m,)."""
        return np.diff(self.edge_ends) + 1


def _ranks(values: Floats, counts: Ints) -> tuple[Floats, Floats]:
    """Some values, and the mean rank of each as a score of mean 0 and variance 1, about."""
    middle = (np.cumsum(counts) - 0.5 * counts) / max(counts.sum(), 1)
    if len(values) > KNOTS:
        at = np.unique(np.searchsorted(middle, np.linspace(middle[0], middle[-1], KNOTS)))
        values, middle = values[at], middle[at]
    return values, (2.0 * middle - 1.0) * SPREAD


def bin_edges(values: Floats, counts: Ints, n_bins: int) -> Floats:
    """Between bins of about as many rows each; of few values, between each two."""
    if len(values) > n_bins and counts.sum() >= MANY:
        starts = equal_frequency_starts(*_shared_out(counts, n_bins))
    else:
        starts = equal_frequency_starts(counts, n_bins)
    return midway(values, starts, counts)


def _shared_out(counts: Ints, n_bins: int) -> tuple[Floats, int]:
    """What each value counts for, and the number of bins, so that all bins are used.

    A value of more rows than a bin holds is alone in one, and counts for no more: else a column of which most
    rows are 0 would have a bin or two for all the others, which may say most.

    >>> _shared_out(np.array([900, 20, 20, 20, 20, 20]), 3)[0].round(6).tolist()
    [50.0, 20.0, 20.0, 20.0, 20.0, 20.0]
    """
    heavy = np.zeros(len(counts), bool)
    while True:  # the fewer rows are left for the others, the smaller their bins, and the more are heavy
        rows = max(float(counts[~heavy].sum()) / max(n_bins - int(heavy.sum()), 1), LEAST)
        more = heavy | (counts > rows)
        if (more == heavy).all():
            break
        heavy = more
    even = np.where(heavy, rows * (1 + 1e-9), counts)
    return even, int(np.clip(np.ceil(even.sum() / rows - 1e-6), 2, n_bins))
