"""Cells in order, cut into parts in the best of all ways, or in all ways at once: dynamic programming.

There are 2^(b - 1) ways to cut b cells in order. What a way is worth is a sum over its parts, so that the
best end of the first e cells is found from the best ends of fewer: a minimum over where the last part begins.
The Bayesian average over all ways is the same recursion with a sum in the place of the minimum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import posterior_of_row

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def segment_evidence(counts: Floats, prior: Floats) -> Floats:
    """Log evidence of the rows of cells s to e - 1 as of one part, (b + 1, b + 1); -inf where e <= s.

    The shares of the g groups in a part have a Dirichlet prior, (g,); counts are (g, b).

    >>> segment_evidence(np.array([[1.0], [0.0]]), np.ones(2))[0].round(6).tolist()
    [-inf, -0.693147]
    """
    from scipy.special import gammaln

    up_to = np.concatenate([np.zeros((len(counts), 1)), np.cumsum(counts, axis=1)], axis=1)
    size = up_to.shape[1]
    start, end, flat = _ends(size)
    inside = up_to.take(end, axis=1)
    inside -= up_to.take(start, axis=1)
    told = gammaln(prior.sum()) - gammaln(inside.sum(axis=0) + prior.sum())
    for row, alpha in zip(inside, prior, strict=True):
        told += gammaln(row + alpha) - gammaln(alpha)
    log_evidence = np.full(size * size, -np.inf)
    log_evidence[flat] = told
    return log_evidence.reshape(size, size)


@lru_cache(4)
def _ends(size: int) -> tuple[Ints, Ints, Ints]:
    """Where each part begins and ends, and its place in a table of both: the same for all columns."""
    start, end = np.triu_indices(size, 1)
    return start, end, start * size + end


def best_parts(value: Floats, penalty: Callable[[int], float], most: int) -> Ints:
    """The first cell of each part, of the way to cut that has the largest sum of values less penalty.

    `value` (b + 1, b + 1) is that of cells s to e - 1 as one part, and `penalty` is of the number of parts,
    of which there are `most` at most.

    >>> evidence = segment_evidence(np.array([[9.0, 8.0, 0.0], [0.0, 1.0, 9.0]]), np.ones(2))
    >>> best_parts(evidence, lambda parts: 2.0 * parts, 3)
    array([0, 2])
    """
    b = len(value) - 1
    best = value[0].copy()  # of the first e cells, in so many parts
    back: list[Ints] = [np.zeros(b + 1, np.intp)]
    top, parts = best[b] - penalty(1), 1
    for k in range(2, min(most, b) + 1):
        ways = best[:, None] + value
        came = ways.argmax(axis=0)
        best = ways[came, np.arange(b + 1)]
        back.append(came)
        if best[b] - penalty(k) > top + 1e-9:
            top, parts = best[b] - penalty(k), k
    starts, end = [], b
    for k in range(parts, 0, -1):
        end = int(back[k - 1][end])
        starts.append(end)
    return np.array(starts[::-1], np.intp)


@dataclass(frozen=True)
class Averaged:
    """Cells seen through all ways to cut them, each by its posterior probability."""

    shares: Floats  # (g, b): P(group given cell)
    parts: float  # the number of parts that is expected
    boundary: Floats  # (b - 1,): the probability of a cut before each cell but the first
    starts: Ints  # the first cell of each part of the most probable way to cut


def averaged_parts(counts: Floats, prior: Floats, cut: Floats) -> Averaged:
    """The exact Bayesian average over all ways to cut cells in order.

    Each boundary is a cut with some probability, and these probabilities (m,) are averaged over as well, each
    by how well it explains the rows. Time is b^2 for each, not 2^b.

    >>> seen = averaged_parts(np.array([[9.0, 9.0, 0.0], [0.0, 0.0, 9.0]]), np.ones(2), np.array([0.5]))
    >>> seen.shares[0].round(2), seen.boundary.round(2)
    (array([0.94, 0.94, 0.09]), array([0.16, 1.  ]))
    """
    log_evidence = segment_evidence(counts, prior)
    b = log_evidence.shape[0] - 1
    sizes = np.arange(b + 1)[None, :] - np.arange(b + 1)[:, None]
    up_to = np.concatenate([np.zeros((len(counts), 1)), np.cumsum(counts, axis=1)], axis=1)
    # A part of m cells has m - 1 boundaries that are no cuts, and every part but the first begins by one.
    log_part = np.maximum(sizes - 1, 0) * np.log1p(-cut)[:, None, None]  # (m, b + 1, b + 1)
    log_part += np.log(cut)[:, None, None]
    log_part += log_evidence
    best, came = _most_probable(log_part)
    ways = [_all_ways(*each) for each in zip(log_part, best, strict=True)]
    log_total = best[:, -1] + np.log([total for _, total in ways])
    weight = posterior_of_row(log_total - np.log(cut))  # the first part begins without a cut
    posterior = np.zeros_like(log_evidence)
    for share, (own, _) in zip(weight, ways, strict=True):
        own *= share
        posterior += own
    shares = np.empty(counts.shape)
    n = up_to[:, None, :] - up_to[:, :, None]  # (g, b + 1, b + 1)
    whole = n.sum(axis=0) + prior.sum()
    part = np.divide(posterior, whole, out=np.zeros_like(whole), where=sizes > 0)
    for group, alpha in enumerate(prior):
        told = part * (n[group] + alpha)
        shares[group] = np.cumsum(told.sum(axis=1) - told.sum(axis=0))[:-1]
    shares /= shares.sum(axis=0)
    boundary = np.asarray(posterior.sum(axis=1)[1:b])
    return Averaged(shares, float(posterior.sum()), boundary, _starts(came[weight.argmax()]))


def _most_probable(log_part: Floats) -> tuple[Floats, Ints]:
    """Of the first e cells, the log of the most probable way to cut them, and where its last part begins.

    Both are (m, b + 1), of logs (m, b + 1, b + 1) of parts from s to e.
    """
    by_end = np.ascontiguousarray(log_part.swapaxes(1, 2))
    best, came = np.zeros(log_part.shape[:2]), np.zeros(log_part.shape[:2], np.intp)
    for end in range(1, log_part.shape[1]):
        ways = best[:, :end] + by_end[:, end, :end]
        came[:, end] = ways.argmax(axis=1)
        best[:, end] = ways.max(axis=1)
    return best, came


def _starts(came: Ints) -> Ints:
    """The first cell of each part, from where the last parts begin."""
    starts = [int(came[-1])]
    while starts[-1] > 0:
        starts.append(int(came[starts[-1]]))
    return np.array(starts[::-1], np.intp)


def _all_ways(log_part: Floats, best: Floats) -> tuple[Floats, float]:
    """The probability of each part, (b + 1, b + 1), over all ways to cut, and their sum beside the best way.

    The sums over all ways to cut the first e cells, and over those to cut the rest, solve triangular systems.
    Each part is taken beside the best way to its end: no more than 1, so that the sums of a thousand cells do
    not overflow, and what vanishes has a part in no digit.
    """
    from scipy.linalg import solve_triangular

    steps = best[:, None] + log_part
    steps -= best
    np.exp(steps, out=steps)
    system = -steps  # with 1 on its diagonal, which nobody reads
    first, last = np.zeros(len(steps)), np.zeros(len(steps))
    first[0] = last[-1] = 1.0
    before = solve_triangular(system, first, trans=1, unit_diagonal=True, check_finite=False)
    after = solve_triangular(system, last, unit_diagonal=True, check_finite=False)
    steps *= before[:, None]
    steps *= after
    steps /= before[-1]
    return steps, float(before[-1])


def kmeans_parts(values: Floats, weight: Floats, k: int) -> Ints:
    """The first value of each of k clusters of rising values with the least squared error: exact.

    Where the last cluster of the first e values begins never falls with e, so that halving finds all of
    them in b log b steps for each cluster.

    >>> kmeans_parts(np.array([0.0, 1.0, 9.0, 10.0, 30.0]), np.ones(5), 3)
    array([0, 2, 4])
    """
    b = len(values)
    middle = np.average(values, weights=weight)
    unit = float(np.abs(values - middle).max()) or 1.0
    x = (values - middle) / unit
    n, first, second = (
        np.concatenate([[0.0], np.cumsum(part)]) for part in (weight, weight * x, weight * x * x)
    )

    def error(start: Ints, end: int) -> Floats:
        rows = n[end] - n[start]
        return np.asarray(second[end] - second[start] - np.square(first[end] - first[start]) / rows)

    best = np.concatenate([[0.0], [float(error(np.array([0]), end)[0]) for end in range(1, b + 1)]])
    back = [np.zeros(b + 1, np.intp)]
    for parts in range(2, min(k, b) + 1):
        came, new = np.zeros(b + 1, np.intp), np.full(b + 1, np.inf)
        ranges = [(parts, b, parts - 1, b - 1)]  # ends, and where the last cluster may begin
        while ranges:
            low, high, least, most = ranges.pop()
            if low > high:
                continue
            end = (low + high) // 2
            starts = np.arange(least, min(most, end - 1) + 1)
            ways = best[starts] + error(starts, end)
            place = int(ways.argmin())
            new[end], came[end] = ways[place], starts[place]
            ranges += [(low, end - 1, least, int(came[end])), (end + 1, high, int(came[end]), most)]
        best = new
        back.append(came)
    begins, end = [], b
    for came in reversed(back):
        end = int(came[end])
        begins.append(end)
    return np.array(begins[::-1], np.intp)
