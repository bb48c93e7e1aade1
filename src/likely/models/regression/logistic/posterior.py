"""The normal approximation of the posterior around the most probable coefficients (Laplace's)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Engine, MapTask
from likely.errors import LikelyError
from likely.evidence import Intervals
from likely.infer.logistic import class_logs
from likely.infer.newton import Newton, Penalty, log_det, solve
from likely.infer.standard import Rows, Scaling
from likely.models.groups.intervals import check_interval, interval_of
from likely.models.groups.sampling import generator
from likely.models.regression.logistic.missing_model import rows_with_gaps
from likely.models.regression.logistic.record import LogisticRecord
from likely.table.accepted import RandomState
from likely.table.frame import Frame

Floats = NDArray[np.float64]


def covariance_of(run: Newton, flat: NDArray[np.bool_], shape: tuple[int, int]) -> Floats:
    """The inverse of the curvature; of many classes, without the shift of all where that is free."""
    parts, q = shape
    assert run.hessian is not None
    covariance = solve(run.hessian, np.eye(parts * q))
    if parts > 1:
        still = np.eye(parts * q) - np.kron(
            np.full((parts, parts), 1 / parts), np.diag(flat.astype(np.float64))
        )
        covariance = still @ covariance @ still
    return np.asarray((covariance + covariance.T) / 2)


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


def predict_interval(
    record: LogisticRecord, frame: Frame, level: float, draws: int, random_state: RandomState, engine: Engine
) -> Intervals:
    """Draw the coefficients from their approximate posterior, the same for all rows, and ask each draw."""
    check_interval(level, draws)
    if (
        record.beside is not None
        and rows_with_gaps(record.design.schema, record.design.counted, frame, engine).any()
    ):
        raise LikelyError(
            "intervals of rows with missing numbers are not known under missing='average': fill them in "
            "first, or fit with missing='indicator'."
        )
    z, g = record.design.cells(frame, engine), len(record.classes)
    task = DrawnIntervals(z.scale, drawn(record, draws, random_state), g, draws, level)
    lower, upper, cases = engine.map(z.rows, task)
    probability = np.exp(record.posterior(frame, engine))
    return Intervals(record.classes, level, draws, probability, lower, upper, cases, frame.library)


def drawn(record: LogisticRecord, draws: int, random_state: RandomState) -> Floats:
    """theta at draws from its posterior, (draws * vectors, q): normal around the most probable one."""
    values, vectors = np.linalg.eigh(record.known_covariance())
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    noise = generator(draws, random_state).normal(size=(draws, len(values)))
    theta = record.theta.ravel() + noise @ root.T
    return np.asarray(theta.reshape(-1, record.theta.shape[1]))


@dataclass(frozen=True)
class DrawnIntervals(MapTask[Rows]):
    """The ends of intervals of class probabilities, and effective cases, by draws of theta."""

    scale: Scaling
    theta: Floats  # (draws * vectors, 1 + p)
    n_classes: int
    draws: int
    level: float

    def width(self, stored: int) -> int:
        """A row's cells, and its probabilities at all draws."""
        return stored + self.draws * self.n_classes

    def answers(self, n: int) -> Answers:
        """Lower and upper end, and cases, each (n, g)."""
        return tuple(np.empty((n, self.n_classes)) for _ in range(3))

    def step(self, data: Rows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        scores = self.scale.scores(data(start, stop), self.theta)
        logs = class_logs(scores.reshape((stop - start) * self.draws, -1))  # a line for each row and draw
        probs = np.ascontiguousarray(np.exp(logs).T).reshape(self.n_classes, -1, self.draws)
        for array, answer in zip(out, interval_of(probs, self.level), strict=True):
            array[:] = answer.T
