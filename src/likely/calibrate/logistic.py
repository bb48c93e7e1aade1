"""Logistic calibration: log-odds that are a straight line in the score, with Platt's targets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.calibrate.calibration import Calibration, base_rate_of, finite_range, within
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


@dataclass(frozen=True)
class LogisticCalibration(Calibration):
    """log-odds = intercept + slope (score - centre), the slope 0 or above.

    Infinite scores among those that were learnt from count as the nearest finite ones; where these are all
    alike, as one beyond.
    """

    slope: float
    intercept: float
    centre: float
    lowest: float = -math.inf
    highest: float = math.inf

    def of_scores(self, score: Floats) -> Floats:
        """On the line."""
        if self.slope == 0:
            return np.full(np.shape(score), self.intercept)
        with np.errstate(over="ignore"):
            return self.intercept + self.slope * (within(score, self.lowest, self.highest) - self.centre)


def logistic_by_means(
    y: ArrayLike, score: ArrayLike, *, positive: object = None, weight: ArrayLike | None = None
) -> LogisticCalibration:
    """The logistic map of scores that are normal in each class, with one variance.

    The log likelihood ratio is (difference of the means) / (pooled variance) times the distance from the
    point midway between the means: d-prime, the difference in standard deviations, for each standard
    deviation of the score. The base rate is added to it in log-odds space. If the class has the lower mean
    the map is flat, for a calibration never reverses a ranking.

    Parameters
    ----------
    y, score, positive, weight
        As for `likely.score.roc`.

    Examples
    --------
    >>> calibrator = logistic_by_means([0, 0, 1, 1], [-1, 1, 2, 4])
    >>> calibrator.slope, calibrator([1.5, 3.5]).round(3)
    (3.0, array([0.5  , 0.998]))
    """
    return means_of(Ranked.of(y, score, positive, weight))


def logistic(
    y: ArrayLike, score: ArrayLike, *, positive: object = None, weight: ArrayLike | None = None
) -> LogisticCalibration:
    """The logistic map that makes the classes most probable (Platt).

    Platt's targets are not 1 and 0 but what Laplace's rule gives for rows of one class, (n + 1) / (n + 2) and
    1 / (m + 2): the map stays finite when a threshold separates the classes. If the slope would be negative
    the map is flat, for a calibration never reverses a ranking.

    Parameters
    ----------
    y, score, positive, weight
        As for `likely.score.roc`.

    Examples
    --------
    >>> logistic([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])([2, 3.5, 5]).round(3)
    array([0.309, 0.5  , 0.691])
    """
    return logistic_of(Ranked.of(y, score, positive, weight))


def means_of(ranked: Ranked) -> LogisticCalibration:
    """As `logistic_by_means`."""
    lowest, highest = finite_range(ranked.scores)
    rate = base_rate_of(ranked)
    if not all(ranked.rows):
        return LogisticCalibration(ranked.label, rate, 0.0, _laplace(ranked), 0.0)
    x = within(ranked.scores, lowest, highest)
    unit = float(np.abs(x).max()) or 1.0  # squares of large scores stay finite
    x = x / unit
    high, low = float(ranked.positive @ x) / ranked.positives, float(ranked.negative @ x) / ranked.negatives
    scatter = float(ranked.positive @ (x - high) ** 2 + ranked.negative @ (x - low) ** 2)
    total = ranked.positives + ranked.negatives
    variance = scatter / total
    apart = max(high - low, 0.0)
    # Without any spread within the classes they are as far apart as their rows can tell.
    least = apart**2 / (2 * math.log1p(total)) if variance <= 1e-30 * apart**2 else 0.0
    slope = apart / max(variance, least) if apart else 0.0
    slope = slope / unit if unit >= 1e-290 else min(slope, 1e15) * 1e290  # of a slope that is a float
    centre = (high + low) / 2 * unit
    intercept = math.log(ranked.positives / ranked.negatives)
    return LogisticCalibration(ranked.label, rate, slope, intercept, centre, lowest, highest)


def logistic_of(ranked: Ranked) -> LogisticCalibration:
    """As `logistic`."""
    lowest, highest = finite_range(ranked.scores)
    x = within(ranked.scores, lowest, highest)
    intercept, slopes, centre = fit_soft(ranked, x[:, None])
    return LogisticCalibration(
        ranked.label, base_rate_of(ranked), float(slopes[0]), intercept, float(centre[0]), lowest, highest
    )


def _laplace(ranked: Ranked) -> float:
    """The log-odds by Laplace's rule, for rows of one class."""
    return math.log((ranked.positives + 1) / (ranked.negatives + 1))
