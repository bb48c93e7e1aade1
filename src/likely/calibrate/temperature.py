"""Temperature: the log-probabilities of all classes divided by one number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.calibrate.calibration import CERTAIN
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.infer.bayes import bayes_rule
from likely.infer.newton import Local, Penalty, newton
from likely.score.outcomes import Outcomes
from likely.stats.groups import Floats

PRECISE = 1e-10  # of the gradient, as a share of the rows


@dataclass(frozen=True)
class TemperatureCalibration:
    """P(class) in proportion to p ** sharpening; the temperature is its inverse.

    Below 1 it makes bold probabilities milder, above 1 timid ones bolder, and at 0 all classes equal. The
    order of the classes in a row stays, so that the most probable class does.
    """

    sharpening: float
    limit: float  # classes farther below the best, in logarithms, count as this far

    @property
    def temperature(self) -> float:
        """What log-probabilities are divided by; infinite if they tell nothing."""
        return np.inf if self.sharpening == 0 else 1 / self.sharpening

    def of_logs(self, log_p: Floats) -> Floats:
        """The log-probabilities made milder or bolder, (n, g)."""
        return bayes_rule(self.sharpening * below_best(log_p, self.limit))[0]

    def __call__(self, p: ArrayLike) -> Floats:
        """The probabilities made milder or bolder, (n, g); of the second of two classes alone, (n,).

        >>> TemperatureCalibration(0.5, 40.0)([0.5, 0.9]).round(2)
        array([0.5 , 0.75])
        """
        told = np.asarray(p, dtype=np.float64)
        if told.ndim == 1:
            return np.exp(self.of_logs(log(np.column_stack([1 - told, told]))))[:, 1]
        if told.ndim != 2:
            raise LikelyError(
                f"p has the shape {told.shape}: give the probabilities of each row's classes, (n, g), or of "
                "the second of two classes, (n,)."
            )
        return np.exp(self.of_logs(log(told)))


def temperature(
    y: ArrayLike, p: ArrayLike, *, classes: ArrayLike | None = None, weight: ArrayLike | None = None
) -> TemperatureCalibration:
    """The temperature that makes the classes most probable.

    A weak prior, sharpening ~ normal(1, sd 1), keeps it finite where every most probable class is the true
    one. The parameters are those of `likely.score.log_loss`.

    >>> calibrator = temperature([0, 1, 1, 0], [[0.99, 0.01], [0.01, 0.99], [0.9, 0.1], [0.9, 0.1]])
    >>> round(calibrator.temperature, 2), calibrator([[0.99, 0.01]]).round(2)
    (1.85, array([[0.92, 0.08]]))
    """
    told = Outcomes.of(y, p, classes, weight)
    counted = told.weight > 0  # rows without weight are no rows
    return temperature_of(log(told.p[counted]), told.codes[counted], told.weight[counted])


def temperature_of(log_p: Floats, codes: NDArray[np.intp], weight: Floats | None) -> TemperatureCalibration:
    """As `temperature`, of log-probabilities or any other scores, (n, g)."""
    n = len(codes)
    weight = np.ones(n) if weight is None else weight
    gaps = below_best(log_p, np.inf)
    limit = max(CERTAIN, -float(gaps[np.isfinite(gaps)].min(initial=0.0)))
    below = np.maximum(gaps, -limit)
    true = below[np.arange(n), codes]

    def objective(at: Floats, hessian: bool) -> Local:
        log_posterior, log_total = bayes_rule(at[0] * below)
        p = np.exp(log_posterior)
        mean = np.einsum("ij,ij->i", p, below)
        value = float(weight @ (log_total - at[0] * true))
        slope = np.array([float(weight @ (mean - true))])
        if not hessian:
            return Local(value, slope)
        spread = np.einsum("ij,ij->i", p, (below - mean[:, None]) ** 2)
        return Local(value, slope, np.array([[float(weight @ spread)]]))

    one = np.ones(1)
    prior = Penalty(one, one, np.zeros(1), np.zeros(1))
    optimum = newton(objective, one, prior, tol=PRECISE * float(weight.sum()), exact=False).at
    return TemperatureCalibration(max(float(optimum[0]), 0.0), limit)


def below_best(log_p: Floats, limit: float) -> Floats:
    """How far each class lies below the best of its row, and no farther than the limit, (n, g).

    A row that rules out all classes does not tell them apart.

    >>> below_best(log([[0.5, 0.25], [1.0, 0.0]]), 40.0).round(2)
    array([[  0.  ,  -0.69],
           [  0.  , -40.  ]])
    """
    best = log_p.max(axis=1, keepdims=True)
    lost = np.isneginf(best)
    return np.asarray(np.maximum(np.where(lost, 0.0, log_p) - np.where(lost, 0.0, best), -limit))
