"""From centred products of columns and outcome to the coefficients and their posterior: closed forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import lgamma, log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Gamma, Normal
from likely.errors import LikelyError, notice
from likely.infer.newton import Penalty, lasso, solve
from likely.infer.standard import dependent
from likely.models.regression.prior import CoefficientPrior

Floats = NDArray[np.float64]

WIDEST, NARROWEST = 1e3, 1e-4  # in sds of the noise: where prior="auto" looks for the sd
ROUNDS = 100


@dataclass(frozen=True)
class CentredProducts:
    """Centred products of the columns and the outcome, measured in the columns' units."""

    n: float
    xx: Floats  # (p, p)
    xy: Floats  # (p,)
    yy: float


@dataclass(frozen=True)
class Line:
    """The most probable coefficients, and the posterior: w ~ N(w, variance x covariance), 1/variance ~ Gamma.

    Everything is in the columns' units, of columns and outcome less their means.
    """

    w: Floats  # (p,)
    rss: float
    covariance: Floats | None  # (p, p), times the noise variance; None under L1
    shape: float  # of the noise precision
    rate: float
    log_evidence: float | None
    unknown: tuple[int, ...]  # columns that others determine: their coefficient is 0
    prior: Any


def fit_line(
    products: CentredProducts,
    penalty: Penalty,
    noise: Gamma | None,
    prior: CoefficientPrior,
    names: tuple[str, ...],
) -> Line:
    """The posterior of the coefficients of one penalty, whose scale is that of the noise."""
    shape, rate = (float(noise.shape), float(noise.rate)) if isinstance(noise, Gamma) else (0.0, 0.0)
    flat = (penalty.precision == 0) & (penalty.rate == 0)
    unknown = (dependent(products.xx) | (np.diagonal(products.xx) == 0)) & flat
    said = np.flatnonzero(unknown)
    if len(said):
        shown = ", ".join(repr(names[j]) for j in said[:5])
        notice(
            f"no unique maximum: {shown}{', ...' if len(said) > 5 else ''} "
            f"{'are' if len(said) > 1 else 'is'} constant or determined by the columns before: the "
            "coefficient is set to 0. A prior, such as Normal(0, 10), makes it unique.",
        )
    used = np.flatnonzero(~unknown)
    some = CentredProducts(products.n, products.xx[np.ix_(used, used)], products.xy[used], products.yy)
    parts = (penalty.mean, penalty.precision, penalty.rate, penalty.centre)
    line = _line(some, Penalty(*(part[used] for part in parts)), (shape, rate), isinstance(noise, Gamma))
    w = np.zeros(len(unknown))
    w[used] = line.w
    covariance = line.covariance
    if covariance is not None:
        whole = np.zeros((len(w), len(w)))
        whole[np.ix_(used, used)] = covariance
        covariance = whole
    silent = tuple(np.flatnonzero(unknown).tolist())
    return replace(line, w=w, covariance=covariance, unknown=silent, prior=prior)


def _line(products: CentredProducts, penalty: Penalty, noise: tuple[float, float], proper: bool) -> Line:
    precision = np.diag(penalty.precision)
    matrix, linear = products.xx + precision, products.xy + penalty.precision * penalty.mean
    if penalty.rate.any():
        w, rss = _sharp(products, penalty, matrix, linear)
        return Line(w, rss, None, 0.0, 0.0, None, (), None)
    w = solve(matrix, linear)
    rss = residuals(products, w)
    away = w - penalty.mean
    free = int((penalty.precision == 0).sum())
    shape = noise[0] + (products.n - 1 - free) / 2
    rate = noise[1] + (rss + float(away @ (penalty.precision * away))) / 2
    covariance = solve(matrix, np.eye(len(w)))
    evidence = None
    if free == 0 and shape > 0 and rate > 0:
        evidence = (
            -0.5 * (products.n - 1) * log(2 * pi)
            - 0.5 * log(products.n)
            + 0.5 * float(np.log(penalty.precision).sum())
            - 0.5 * float(np.linalg.slogdet(matrix)[1])
            + (noise[0] * log(noise[1]) - lgamma(noise[0]) if proper else 0.0)
            + lgamma(shape)
            - shape * log(rate)
        )
    return Line(w, rss, (covariance + covariance.T) / 2, shape, rate, evidence, (), None)


def _sharp(
    products: CentredProducts, penalty: Penalty, matrix: Floats, linear: Floats
) -> tuple[Floats, float]:
    """Under L1: the penalty grows with the noise's sd, which is found along with the coefficients."""
    at = np.zeros(len(linear))
    rss = residuals(products, at)
    shifted = linear - matrix @ penalty.centre
    for _ in range(ROUNDS):
        sd = np.sqrt(rss / products.n)
        at = penalty.centre + lasso(matrix, shifted, penalty.rate * sd, at - penalty.centre)
        before, rss = rss, residuals(products, at)
        if abs(rss - before) <= 1e-13 * products.yy:
            break
    return at, rss


def residuals(products: CentredProducts, w: Floats) -> float:
    """The sum of squared residuals at w."""
    return max(products.yy - 2 * float(w @ products.xy) + float(w @ products.xx @ w), 0.0)


def auto_sd(evidence: Callable[[Normal], float | None]) -> Normal:
    """The prior whose sd has the greatest evidence, in sds of the noise."""
    from scipy.optimize import minimize_scalar

    def lack(log_sd: float) -> float:
        log_evidence = evidence(Normal(0, float(np.exp(log_sd))))
        if log_evidence is None:
            raise LikelyError("prior='auto' weighs the evidence, which needs an outcome that varies.")
        return -float(log_evidence)

    bounds = np.log(NARROWEST), np.log(WIDEST)
    best = minimize_scalar(lack, bounds=bounds, method="bounded", options={"xatol": 1e-4})
    return Normal(0, float(np.exp(best.x)))
