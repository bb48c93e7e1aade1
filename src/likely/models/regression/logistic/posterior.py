"""The normal approximation of the posterior around the most probable coefficients (Laplace's)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.infer.newton import Newton, Penalty, log_det, solve

Floats = NDArray[np.float64]


def covariance_of(run: Newton, flat: NDArray[np.bool_], shape: tuple[int, int]) -> Floats:
    """The inverse of the curvature; of many classes, without the shift of all where that is free."""
    parts, q = shape
    assert run.hessian is not None
    found = solve(run.hessian, np.eye(parts * q))
    if parts > 1:
        still = np.eye(parts * q) - np.kron(
            np.full((parts, parts), 1 / parts), np.diag(flat.astype(np.float64))
        )
        found = still @ found @ still
    return np.asarray((found + found.T) / 2)


def log_evidence_of(run: Newton, penalty: Penalty, unknown: tuple[int, ...], shape: tuple[int, int]) -> float:
    """Laplace's approximation of log P(classes given rows); a parameter without a prior has density 1.

    Coefficients of which the data say nothing add nothing: their prior integrates to 1.
    """
    assert run.hessian is not None
    silent = np.zeros(shape, bool)
    silent[:, [1 + j for j in unknown]] = True
    used = np.flatnonzero(~silent.ravel())
    prior = penalty.precision if penalty.precision.ndim == 1 else penalty.precision[np.ix_(used, used)]
    if prior.ndim == 1:
        own = prior[used]
        log_prior, known = float(np.log(own[own > 0]).sum()), int((own > 0).sum())
    else:
        log_prior, known = log_det(prior), len(used)
    log_curvature = log_det(run.hessian[np.ix_(used, used)])
    free = len(used) - known
    return -run.value + 0.5 * log_prior - 0.5 * log_curvature + 0.5 * free * float(np.log(2 * np.pi))
