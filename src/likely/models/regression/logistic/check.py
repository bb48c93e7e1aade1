"""Whether the parts of a logistic regression fit together: what a file says is not believed before."""

from __future__ import annotations

import numpy as np

from likely.estimator.check_column import check_target, demand
from likely.infer.logistic import n_vectors
from likely.models.groups.check_statistic import HEAVIEST, check_finite
from likely.models.regression.design.check import check_design
from likely.models.regression.logistic.missing_model import Beside
from likely.models.regression.logistic.record import LogisticRecord


def check_logistic(record: LogisticRecord) -> None:
    """Refuse a record of which no model could have been fitted."""
    theta = record.theta
    demand(theta.ndim == 2 and theta.shape[1] > 0, "its coefficients are no table")
    check_target(record.target)
    g, p = len(record.classes), theta.shape[1] - 1
    demand(g > 1, "it has one class only")
    check_finite("its coefficients", theta, (n_vectors(g), 1 + p))
    check_design(record.design, p)
    counts = record.class_counts
    check_finite("the counts of its classes", counts, (g,))
    demand(bool(((counts >= 0) & (counts < HEAVIEST)).all()) and counts.sum() > 0, "a count is no count")
    if record.covariance is not None:
        check_finite("the covariances of its coefficients", record.covariance, (theta.size, theta.size))
    demand(set(record.unknown) <= set(range(p)), "coefficients that are not there are unknown")
    demand(record.steps >= 0, "it has seen fewer than no examples")
    if record.beside is not None:
        _check_beside(record.beside, g, len(record.design.counted))


def _check_beside(beside: Beside, g: int, m: int) -> None:
    check_finite("the shares of its classes", beside.log_share, (g,))
    check_finite("the means of its classes", beside.mean, (g, m))
    check_finite("the covariances of its columns", beside.covariance, (m, m))
    even = np.allclose(beside.covariance, beside.covariance.T)
    definite = even and bool((np.linalg.eigvalsh(beside.covariance) > 0).all())
    demand(definite and bool((beside.log_share <= 0).all()), "its columns have variances that no data give")
