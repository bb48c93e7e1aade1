"""Logistic regression of a class on its scores, with Platt's targets and no negative slopes."""

from __future__ import annotations

import numpy as np

from likely.engine import Chunk
from likely.infer.logistic import Logistic
from likely.infer.newton import Newton, Penalty, newton
from likely.infer.standard import Scaling, Standard
from likely.score.ranked import Ranked
from likely.stats.groups import Floats

PRECISE = 1e-10  # of the gradient, as a share of the rows
FEW = 1 << 14  # scores that are not worth a rough start


def fit_soft(ranked: Ranked, columns: Floats) -> tuple[float, Floats, Floats]:
    """Intercept, slopes (d,) and centre (d,) of log-odds = intercept + slopes . (columns - centre).

    Columns (k, d) belong to the distinct scores. A column whose slope would be negative is left out.

    >>> ranked = Ranked.of([1, 0], [1.0, 2.0])
    >>> fit_soft(ranked, ranked.scores[:, None])
    (0.0, array([0.]), array([1.5]))
    """
    hits, misses = _softened(ranked)
    weight = hits + misses
    total = weight.sum()
    unit = np.abs(columns).max(axis=0)
    unit[unit == 0] = 1.0  # squares of large scores stay finite
    columns = columns / unit
    centre = weight @ columns / total
    spread = np.sqrt(weight @ (columns - centre) ** 2 / total)
    slopes = np.zeros(len(centre))
    used = np.flatnonzero(spread > 1e-12 * np.abs(columns).max(axis=0))
    while True:
        theta = _solve(columns[:, used], hits, misses, centre[used], spread[used])
        falling = theta[1:] < 0
        if not falling.any():
            break
        used = np.delete(used, int(np.argmin(theta[1:])))  # the worst first: the other may rise without it
    with np.errstate(over="ignore"):  # the slope of scores of 1e-320 is no float
        steep = theta[1:] / spread[used] / unit[used]
    slopes[used] = np.minimum(steep, np.finfo(np.float64).max)
    return float(theta[0]), slopes, centre * unit


def _softened(ranked: Ranked) -> tuple[Floats, Floats]:
    """Each row shared out between the classes by its target."""
    high = (ranked.positives + 1) / (ranked.positives + 2)
    low = 1 / (ranked.negatives + 2)
    hits = ranked.positive * high + ranked.negative * low
    return hits, ranked.positive + ranked.negative - hits


def _solve(columns: Floats, hits: Floats, misses: Floats, centre: Floats, spread: Floats) -> Floats:
    """The best (intercept, slopes) of the standardised columns."""
    start = np.zeros(1 + columns.shape[1])
    start[0] = np.log(hits.sum() / misses.sum())
    if not columns.shape[1]:
        return start
    if len(columns) <= FEW:
        return _newton(columns, hits, misses, centre, spread, start).at
    # Neighbours together lead nearly there, and their curvature is good enough for the steps that are left.
    edges = np.linspace(0, len(columns), FEW // 4 + 1).astype(np.intp)[:-1]
    near = np.add.reduceat(columns * (hits + misses)[:, None], edges)
    fewer = np.add.reduceat(hits, edges), np.add.reduceat(misses, edges)
    rough = _newton(near / (fewer[0] + fewer[1])[:, None], *fewer, centre, spread, start)
    return _newton(columns, hits, misses, centre, spread, rough.at, rough.hessian).at


def _newton(
    columns: Floats,
    hits: Floats,
    misses: Floats,
    centre: Floats,
    spread: Floats,
    start: Floats,
    hessian: Floats | None = None,
) -> Newton:
    twice, k = np.concatenate([columns, columns]), len(columns)
    rows = Chunk(lambda start, stop: twice[start:stop], 2 * k, columns.shape[1])
    z = Standard(rows, Scaling(centre, spread))
    codes = np.repeat(np.array([1, 0], np.intp), k)
    likelihood = Logistic(z, codes, 2, np.concatenate([hits, misses]))
    tol = PRECISE * float(hits.sum() + misses.sum())
    none = Penalty.none(len(start))
    return newton(likelihood, start, none, tol=tol, hessian=hessian, exact=hessian is None)
