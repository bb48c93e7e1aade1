"""Minimising over very many parameters, where a matrix of curvatures would be too large: L-BFGS of SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.infer.newton import Newton, Objective, Penalty

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

Floats = NDArray[np.float64]

MEMORY = 10  # steps that are remembered


def lbfgs(
    objective: Objective,
    start: Floats,
    penalty: Penalty,
    *,
    tol: float,
    max_iter: int = 1000,
    stiffness: Floats | None = None,
) -> Newton:
    """As `newton`, without a Hessian; `stiffness` (p,) is roughly its diagonal, and evens out the parameters.

    Under L1 every parameter is the difference of two that are not negative.

    >>> from likely.infer.newton import Local
    >>> def bowl(x, hessian):
    ...     return Local(float(np.cosh(x - 1).sum()), np.sinh(x - 1))
    >>> lbfgs(bowl, np.zeros(2), Penalty.none(2), tol=1e-9).at.round(6)
    array([1., 1.])
    """
    from scipy.optimize import minimize

    unit = np.ones(len(start)) if stiffness is None else 1 / np.sqrt(stiffness)
    sharp = penalty.rate > 0  # (p,)
    offset, rate, p = np.where(sharp, penalty.centre, 0.0), (penalty.rate * unit)[sharp], len(start)
    last = [np.inf]  # the largest part of the subgradient where the function was last asked for

    def joined(x: Floats) -> Floats:
        theta = x[:p].copy()
        theta[sharp] -= x[p:]
        return theta * unit + offset

    def smooth(x: Floats) -> tuple[float, Floats]:
        theta = joined(x)
        local = objective(theta, False) + penalty.smooth(theta)
        last[0] = float(np.abs(penalty.slack(theta, local.gradient)).max(initial=0.0))
        slope = local.gradient * unit
        slope = np.concatenate([slope, rate - slope[sharp]])
        slope[:p][sharp] += rate
        return local.value + float(rate @ (x[:p][sharp] + x[p:])), slope

    def enough(intermediate_result: OptimizeResult) -> None:
        if last[0] <= tol:
            raise StopIteration

    away = (start - offset) / unit
    first = np.concatenate([np.where(sharp, np.maximum(away, 0.0), away), np.maximum(-away[sharp], 0.0)])
    bounds: Any = None
    if sharp.any():
        bounds = [(0.0 if s else None, None) for s in sharp] + [(0.0, None)] * len(rate)
    options = {"maxiter": max_iter, "maxfun": 2 * max_iter, "maxcor": MEMORY, "gtol": 0.0, "ftol": 0.0}
    how: dict[str, Any] = {"method": "L-BFGS-B", "bounds": bounds, "callback": enough, "options": options}
    run = minimize(smooth, first, jac=True, **how)
    at = joined(np.asarray(run.x))
    local = objective(at, False) + penalty.smooth(at)
    slack = penalty.slack(at, local.gradient)
    done = bool(np.abs(slack).max(initial=0.0) <= tol)
    return Newton(at, local.value + penalty.sharp(at), slack, None, int(run.nit), done)
