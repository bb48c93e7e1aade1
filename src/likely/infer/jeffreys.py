"""Jeffreys' prior of a logistic regression (Firth's correction): half the log det of the information."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import ReduceTask
from likely.infer.logistic import LabelledRows, Logistic, log_loss_two
from likely.infer.newton import Local
from likely.infer.standard import Scaling

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Jeffreys:
    """-log-likelihood less log det(information) / 2, for two classes; the curvature is the information."""

    likelihood: Logistic
    used: NDArray[np.intp] | None = None  # the parameters that the rows tell of; None for all

    def __call__(self, theta: Floats, hessian: bool) -> Local:
        """Value, gradient and Hessian; the determinant needs the latter anyway."""
        local = self.likelihood(theta, True)
        assert local.hessian is not None
        used = np.arange(len(theta)) if self.used is None else self.used
        information = local.hessian[np.ix_(used, used)]
        sign, log_det = np.linalg.slogdet(information)
        if sign <= 0:
            return Local(np.inf, local.gradient, local.hessian)
        root = np.zeros((len(theta), len(used)))
        root[used] = np.linalg.cholesky(np.linalg.inv(information))
        z = self.likelihood.z
        pull = z.engine.reduce(self.likelihood.rows, Pull(z.scale, theta, root))
        return Local(local.value - 0.5 * float(log_det), local.gradient - pull, local.hessian)


@dataclass(frozen=True)
class Pull(ReduceTask[LabelledRows, Floats]):
    """Sum over rows of leverage (1/2 - p) (1, z): the slope of half the log determinant."""

    scale: Scaling
    theta: Floats  # (1 + d,)
    root: Floats  # (1 + d, used): times its transpose, the inverse of the information

    def width(self, stored: int) -> int:
        """The rows, and their products with the root."""
        return 2 * stored

    def step(self, data: LabelledRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        scale = self.scale
        rows, centre = scale.block(data.rows(start, stop))
        intercept, coefficients = scale.plain(self.theta[None, :], centre)
        log_odds = rows @ coefficients[0] + intercept[0]
        p = log_loss_two(log_odds, np.zeros(stop - start, bool))[1]
        first, others = scale.plain(self.root.T, centre)
        leverage = p * (1 - p) * np.square(rows @ others.T + first).sum(axis=1)
        if data.weight is not None:
            leverage *= data.weight[start:stop]
        pull = leverage * (0.5 - p)
        return scale.gradient(np.array([pull.sum()]), np.asarray(rows.T @ pull)[None, :], centre).ravel()
