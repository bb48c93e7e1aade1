"""Covariance matrices: checked, kept from being singular, and turned into spheres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.column_variance import FLOOR
from likely.dist.numeric.parameters import demand
from likely.errors import LikelyError
from likely.stats.groups import Floats


@dataclass(frozen=True, slots=True)
class Factor:
    """What turns a matrix (..., p, p) into a sphere: whiten @ matrix @ whiten' = 1."""

    whiten: Floats  # (..., p, p)
    log_det: Floats  # (...)

    @classmethod
    def of(cls, matrix: Floats) -> Factor:
        """By Cholesky, of the correlations: so the units of the columns cost no digits."""
        sds = np.sqrt(np.diagonal(matrix, axis1=-2, axis2=-1))
        root = np.linalg.cholesky(matrix / (sds[..., :, None] * sds[..., None, :]))
        log_det = 2 * (np.log(np.diagonal(root, axis1=-2, axis2=-1)) + np.log(sds)).sum(axis=-1)
        return cls(np.linalg.inv(root) / sds[..., None, :], log_det)


def definite(name: str, matrix: Floats) -> Floats:
    """The matrices, if they are symmetric and positive definite."""
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise LikelyError(f"{name} of shape {matrix.shape} is not square: give d rows of d numbers.")
    uneven = np.abs(matrix - np.swapaxes(matrix, -1, -2))
    demand(name, matrix, uneven <= 1e-9 * np.abs(matrix).max(initial=0.0), "it must be symmetric")
    variances = np.diagonal(matrix, axis1=-2, axis2=-1)
    demand(f"the diagonal of {name}", variances, variances > 0, "variances must be above 0")
    try:
        Factor.of(matrix)
    except np.linalg.LinAlgError:
        raise LikelyError(
            f"{name}={matrix.tolist()!r} is not positive definite: leave out columns that others determine."
        ) from None
    return matrix


def around(centre: Floats, name: str, matrix: Floats) -> tuple[Floats, Floats]:
    """A centre (..., d) and a matrix (..., d, d), of one batch."""
    matrix = definite(name, matrix)
    if centre.shape[-1:] != matrix.shape[-1:]:
        raise LikelyError(f"{name} of shape {matrix.shape} does not fit {centre.shape[-1:]} columns.")
    batch = np.broadcast_shapes(centre.shape[:-1], matrix.shape[:-2])
    return (
        np.broadcast_to(centre, (*batch, centre.shape[-1])),
        np.broadcast_to(matrix, (*batch, *matrix.shape[-2:])),
    )


def floored(matrix: Floats, floor: Floats) -> Floats:
    """The matrices (g, d, d), with at least the variances `floor` (d,) in every direction.

    Of all covariances that exceed diag(floor), this one has the greatest likelihood where rows have the
    covariance `matrix`. As long as the floor stays, so does the law that EM never falls.

    >>> floored(np.ones((1, 2, 2)), np.full(2, 0.5)).round(12)
    array([[[1.25, 0.75],
            [0.75, 1.25]]])
    """
    units = np.sqrt(floor)
    values, axes = np.linalg.eigh(matrix / (units[:, None] * units))
    lacking = np.maximum(1 - values, 0.0)
    lifted = axes * lacking[:, None, :] @ np.swapaxes(axes, -1, -2)
    return np.asarray(matrix + lifted * (units[:, None] * units))


def conditioned(matrix: Floats) -> Floats:
    """The matrices, with 1e-9 of their diagonal added where collinear columns make them singular."""
    variances = np.diagonal(matrix, axis1=-2, axis2=-1)
    sds = np.sqrt(variances)
    correlations = matrix / (sds[..., :, None] * sds[..., None, :])
    singular = np.linalg.eigvalsh(correlations).min(axis=-1, initial=1.0) < FLOOR
    added = FLOOR * variances * singular[..., None]
    return np.asarray(matrix + np.eye(matrix.shape[-1]) * added[..., None, :])
