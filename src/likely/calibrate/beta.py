"""Beta calibration: the log-odds are a sum of the logarithms of both probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.calibrate.calibration import CERTAIN, Calibration, base_rate_of, logit, within
from likely.calibrate.logistic import fit_soft
from likely.dist.distribution import probability
from likely.score.ranked import Ranked
from likely.stats.groups import Floats


@dataclass(frozen=True)
class BetaCalibration(Calibration):
    """log-odds = a log p - b log(1 - p) + c, with a and b 0 or above; a score is the log-odds of p.

    It is right for probabilities that have a beta distribution in each class, and has the identity
    (a = b = 1, c = 0) among its maps, which the logistic map of probabilities has not.
    """

    a: float
    b: float
    c: float
    limit: float  # log-odds farther out count as this

    def of_scores(self, score: Floats) -> Floats:
        """On the curve."""
        columns = both_logs(within(score, -self.limit, self.limit))
        return self.a * columns[..., 0] + self.b * columns[..., 1] + self.c


@dataclass(frozen=True)
class OfProbabilities(Calibration):
    """A map of log-odds, for scores that are probabilities."""

    inner: Calibration

    def of_scores(self, score: Floats) -> Floats:
        """Through the log-odds."""
        return self.inner.of_scores(logit(probability("p", score)))


def beta(
    y: ArrayLike, p: ArrayLike, *, positive: object = None, weight: ArrayLike | None = None
) -> OfProbabilities:
    """The beta map of probabilities that makes the classes most probable.

    Targets are smoothed as in `logistic`. Probabilities of 0 and 1 count as the nearest float between.

    Parameters
    ----------
    y, positive, weight
        As for `likely.score.roc`.
    p : (n,) probabilities
        To be made better.

    Examples
    --------
    >>> beta([0, 0, 1, 0, 1, 1], [0.01, 0.02, 0.1, 0.3, 0.5, 0.9])([0.02, 0.2, 0.6]).round(2)
    array([0.28, 0.53, 0.69])
    """
    ranked = Ranked.of(y, logit(probability("p", p)), positive, weight)
    return OfProbabilities(ranked.label, base_rate_of(ranked), beta_of(ranked))


def beta_of(ranked: Ranked) -> BetaCalibration:
    """As `beta`, of scores that are log-odds."""
    known = ranked.scores[np.isfinite(ranked.scores)]
    limit = max(CERTAIN, float(np.abs(known).max(initial=0.0)))
    columns = both_logs(within(ranked.scores, -limit, limit))
    intercept, slopes, centre = fit_soft(ranked, columns)
    a, b = slopes.tolist()
    return BetaCalibration(
        ranked.label, base_rate_of(ranked), a, b, intercept - float(slopes @ centre), limit
    )


def both_logs(log_odds: Floats) -> Floats:
    """log p and -log(1 - p) of finite log-odds, (..., 2).

    >>> both_logs(np.array([0.0, 50.0])).round(3)
    array([[-0.693,  0.693],
           [-0.   , 50.   ]])
    """
    small = np.log1p(np.exp(-np.abs(log_odds)))
    return np.stack([np.minimum(log_odds, 0) - small, np.maximum(log_odds, 0) + small], axis=-1)
