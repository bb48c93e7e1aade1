"""The expected calibration error, what chance adds to it, and how far off it may be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.numeric.logs import special
from likely.score.estimate import Score
from likely.score.outcomes import Outcomes
from likely.score.reliability import Bins
from likely.stats.groups import Floats


class CalibrationError(Score):
    """The mean distance of probabilities from shares: a `Score` that also knows what chance adds.

    `debiased` is the error less what chance is estimated to add to it: 0 on average where probabilities are
    right, and negative where they look better than chance would have it. `if_calibrated` is what chance
    alone would make of probabilities that are right. An error that is not well above it says nothing.

    >>> CalibrationError(0.05, 1000, 0.01, 0.04, 0.02)
    0.050 ± 0.010 from 1000 rows; debiased 0.040; 0.020 expected if calibrated
    """

    debiased: float
    if_calibrated: float

    def __new__(
        cls, value: float, n: int, standard_error: float, debiased: float, if_calibrated: float
    ) -> CalibrationError:
        """An error over n rows."""
        made = super().__new__(cls, value, n, standard_error)
        assert isinstance(made, CalibrationError)
        made.debiased, made.if_calibrated = debiased, if_calibrated
        return made

    def __repr__(self) -> str:
        return (
            f"{super().__repr__()}; debiased {self.debiased:.3f}; "
            f"{self.if_calibrated:.3f} expected if calibrated"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return CalibrationError, (
            float(self),
            self.n,
            self.standard_error,
            self.debiased,
            self.if_calibrated,
        )


def calibration_error(
    y: ArrayLike,
    p: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    bins: int = 15,
    weight: ArrayLike | None = None,
) -> CalibrationError:
    """The mean over rows of |mean probability - share that came true|, in bins with equally many rows.

    In each bin the share is off by chance, and distances are never negative: the error of perfect
    probabilities is above 0. With normal noise of the size that the bin has, the mean distance and its
    variance are those of a folded normal distribution: they give the standard error and the debiased
    estimate, that of the gaps from which chance would make the error that was seen. It is 0 on average
    where the probabilities are right, so that it is often negative there. With more than two classes all
    are the mean over the classes, each against the rest, and the standard error at most what is stated.

    Parameters
    ----------
    y, p, classes, weight
        As for `log_loss`.
    bins : int
        About how many.

    Examples
    --------
    >>> calibration_error([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8], bins=2)
    0.200 ± 0.171 from 4 rows; debiased -0.207; 0.252 expected if calibrated
    """
    told = Outcomes.of(y, p, classes, weight)
    g = len(told.classes)
    places = [g - 1] if g <= 2 else range(g)
    measures = np.mean([_of_bins(Bins.of(told, place, bins)) for place in places], axis=0).tolist()
    return CalibrationError(measures[0], int((told.weight > 0).sum()), *measures[1:])


def _of_bins(bins: Bins) -> Floats:
    """Error, standard error, debiased error and what is expected if calibrated, (4,)."""
    part = bins.weight / bins.weight.sum()
    gap = np.abs(bins.mean - bins.share)
    # A share of 0 or 1 in few rows does not mean that there is no noise: one more of each is counted.
    smooth = (bins.share * bins.rows + 1) / (bins.rows + 2)
    noise = np.sqrt(smooth * (1 - smooth) / bins.rows)
    folded = folded_mean(gap, noise)
    error = float(part @ gap)
    variance = float(part**2 @ np.maximum(gap**2 + noise**2 - folded**2, 0.0))
    right = np.sqrt(bins.spread) / bins.weight  # sd of the share, if the probabilities are right
    by_chance = float(part @ right) * math.sqrt(2 / math.pi)
    return np.array([error, math.sqrt(variance), _less_chance(part, gap, right, by_chance), by_chance])


def _less_chance(part: Floats, gap: Floats, noise: Floats, by_chance: float) -> float:
    """The error with its gaps shrunk until chance would make of them what was seen.

    An error below what chance alone makes mirrors one as far above: its estimate is negative, so that those
    of right probabilities have the mean 0.

    >>> sure, none = np.array([0.2, 0.4]), np.zeros(2)
    >>> round(_less_chance(np.full(2, 0.5), sure, none, 0.0), 3)
    0.3
    """
    error = float(part @ gap)
    shape = gap / error if error > 0 else np.ones_like(gap)
    wanted = by_chance + abs(error - by_chance)

    def lacks(size: float) -> float:
        return float(part @ folded_mean(size * shape, noise)) - wanted

    if lacks(0.0) >= 0:
        return 0.0
    from scipy.optimize import brentq

    # A mean distance is no less than the distance of the means, so that the root lies before this.
    return math.copysign(brentq(lacks, 0.0, wanted * (1 + 1e-9)), error - by_chance)


def folded_mean(mean: Floats, sd: Floats) -> Floats:
    """The mean of |x| for a normal x.

    >>> folded_mean(np.array([0.0, 3.0]), np.array([1.0, 0.0])).round(4)
    array([0.7979, 3.    ])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(sd > 0, mean / sd, np.inf)
    density = np.exp(-(z**2) / 2) * math.sqrt(2 / math.pi)
    return np.asarray(sd * density + mean * (1 - 2 * special("ndtr", -z)))
