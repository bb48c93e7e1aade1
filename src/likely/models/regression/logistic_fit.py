"""From a design and classes to the most probable coefficients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Normal
from likely.engine import reduce_rows
from likely.errors import LikelyError, notice
from likely.infer.jeffreys import Jeffreys
from likely.infer.lbfgs import lbfgs
from likely.infer.logistic import Logistic, squares
from likely.infer.newton import Newton, Objective, Penalty, log_det, newton, solve
from likely.infer.rank import dependent
from likely.infer.standard import Standard
from likely.models.regression.conditional_prior import Coefficients

Floats = NDArray[np.float64]

LARGEST = 2000  # parameters beyond which no matrix of curvatures is made
PILOT = 1 << 12  # rows that are looked at first, at least, if there are many times more
ROWS_A_PARAMETER = 20
MANY = 4
JEFFREYS_TOL = 1e-8
PIN = 1e9  # precision, per row, of a coefficient that is kept at 0
STILL_MOVING = 0.05  # nats: how far a step at the end may still move the log-odds of a row
WIDEST, NARROWEST = 100.0, 1e-3  # standardised: where prior="auto" looks for the sd


@dataclass(frozen=True)
class Task:
    """A logistic regression to be solved."""

    likelihood: Logistic
    meaning: Coefficients
    prior: Any
    tol: float
    max_iter: int

    @property
    def total(self) -> float:
        """The weight of the rows."""
        weight = self.likelihood.weight
        return float(self.likelihood.z.n) if weight is None else float(weight.sum())

    @property
    def n_parameters(self) -> int:
        """How many coefficients and intercepts there are."""
        return self.meaning.shape[0] * self.meaning.shape[1]


@dataclass(frozen=True)
class Solution:
    """The most probable coefficients, standardised, and what is known about them."""

    run: Newton
    log_likelihood: float
    covariance: Floats | None
    log_evidence: float | None
    unknown: tuple[int, ...]
    prior: Any  # the one that was used, where it was to be chosen


def solve_logistic(task: Task, start: Floats | None = None) -> Solution:
    """Choose the prior, if that is asked for, and find the coefficients."""
    if not (isinstance(task.prior, str) and task.prior == "auto"):
        return _solve(task, start)
    if task.n_parameters > LARGEST:
        raise LikelyError(
            f"prior='auto' weighs the evidence, which takes a matrix of {task.n_parameters} x "
            f"{task.n_parameters} numbers: give a prior, such as Normal(0, 1), and compare by validation."
        )
    from scipy.optimize import minimize_scalar

    best: list[Solution] = []

    def lack(log_sd: float) -> float:
        at = best[0].run.at if best else start
        found = _solve(replace(task, prior=Normal(0, float(np.exp(log_sd)))), at)
        assert found.log_evidence is not None
        if not best or found.log_evidence > (best[0].log_evidence or -np.inf):
            best[:] = [found]
        return -found.log_evidence

    minimize_scalar(
        lack, bounds=(np.log(NARROWEST), np.log(WIDEST)), method="bounded", options={"xatol": 0.01}
    )
    return best[0]


def _solve(task: Task, start: Floats | None) -> Solution:
    likelihood, shape = task.likelihood, task.meaning.shape
    jeffreys = isinstance(task.prior, str) and task.prior == "jeffreys"
    if jeffreys and likelihood.n_parts > 1:
        raise LikelyError(
            f"prior='jeffreys' is for two classes, and there are {likelihood.n_classes}: use Normal(0, s)."
        )
    given = task.meaning.penalty(None if jeffreys else task.prior)
    flat = _flat(given, shape)
    small = task.n_parameters <= LARGEST
    unknown = _unknown(task, flat) if small else ()
    first = _first(likelihood, shape) if start is None else start
    tol = task.tol * task.total
    if not small:
        if jeffreys:
            raise LikelyError(f"prior='jeffreys' is for up to {LARGEST} coefficients: use Normal(0, s).")
        if given.precision.ndim > 1:
            raise LikelyError(f"a joint prior is for up to {LARGEST} coefficients: use Normal(0, s).")
        stiff = given.precision + task.total / 4  # a log-odds curves by at most 1/4
        run = lbfgs(likelihood, first, given, tol=tol, max_iter=10 * task.max_iter, stiffness=stiff)
        said = likelihood(run.at, False).value
        _report(task, run, bool(flat[1:].any()) and said < 1e-6 * task.total)
        return Solution(run, -said, None, None, (), task.prior)
    penalty = _tied(_pinned(given, unknown, shape, task.total), flat, shape, task.total)
    curvature: Floats | None = None
    if start is None and not jeffreys:
        first, curvature = _pilot(task, penalty, first)
    objective: Objective = likelihood
    if jeffreys:  # its curvature is not quite that of the objective, and the last digits take many steps
        known = np.setdiff1d(np.arange(shape[1]), 1 + np.array(unknown, np.intp))
        objective, tol = Jeffreys(likelihood, known), max(tol, JEFFREYS_TOL * task.total)
    run = newton(objective, first, penalty, tol=tol, max_iter=task.max_iter, hessian=curvature)
    at = run.at.reshape(shape).copy()
    at[:, [1 + j for j in unknown]] = 0.0
    run = replace(run, at=at.ravel())
    _report(task, run, not jeffreys and _still_moving(task, run, flat))
    smooth = not given.rate.any()
    said = likelihood(run.at, False).value
    covariance = _covariance(run, flat, shape) if smooth else None
    evidence = _log_evidence(run, given, unknown, shape) if smooth and not jeffreys else None
    return Solution(run, -said, covariance, evidence, unknown, task.prior)


def _flat(penalty: Penalty, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Which columns of theta, the intercept first, have no prior in any class, (q,)."""
    own = penalty.precision if penalty.precision.ndim == 1 else np.diagonal(penalty.precision)
    return np.asarray(((own == 0) & (penalty.rate == 0)).reshape(shape).all(axis=0))


def _first(likelihood: Logistic, shape: tuple[int, int]) -> Floats:
    """The base rate, and no coefficients."""
    counts = np.bincount(likelihood.codes, likelihood.weight, likelihood.n_classes)
    logs = np.log(np.maximum(counts, 1e-3))
    theta = np.zeros(shape)
    theta[:, 0] = logs[1] - logs[0] if len(theta) == 1 else logs - logs.mean()
    return theta.ravel()


def _unknown(task: Task, flat: NDArray[np.bool_]) -> tuple[int, ...]:
    """Columns of the design that are constant, or without a prior and determined by those before."""
    constant = task.meaning.design.constant
    if not flat[1:].any():
        return tuple(np.flatnonzero(constant).tolist())
    z, weight = task.likelihood.z, task.likelihood.weight

    def step(start: int, stop: int) -> Floats:
        rows, centre = z.block(start, stop)
        mine = np.ones(stop - start) if weight is None else weight[start:stop]
        return z.hessian(squares(rows, mine), centre)

    gram = reduce_rows(z.n, 2 * z.width, step, n_jobs=z.n_jobs)
    assert gram is not None
    found = (dependent(gram)[1:] & flat[1:]) | constant
    names = [task.meaning.design.names[j] for j in np.flatnonzero(found)]
    if names:
        notice(
            f"no unique maximum: {', '.join(map(repr, names[:5]))}{', ...' if len(names) > 5 else ''} "
            f"{'are' if len(names) > 1 else 'is'} constant or determined by the columns before: the "
            "coefficient is set to 0. A prior, such as Normal(0, 1), makes it unique.",
            stacklevel=6,
        )
    return tuple(np.flatnonzero(found).tolist())


def _pinned(penalty: Penalty, unknown: tuple[int, ...], shape: tuple[int, int], total: float) -> Penalty:
    """With a prior that keeps some coefficients at 0."""
    pins = np.zeros(shape)
    pins[:, [1 + j for j in unknown]] = PIN * total
    more = pins.ravel() if penalty.precision.ndim == 1 else np.diag(pins.ravel())
    return replace(penalty, precision=penalty.precision + more)


def _tied(penalty: Penalty, flat: NDArray[np.bool_], shape: tuple[int, int], total: float) -> Penalty:
    """Of many classes: where there is no prior, the coefficients of all classes add up to 0.

    Adding the same to all of them changes no probability, so this takes nothing away.
    """
    parts = shape[0]
    if parts == 1:
        return penalty
    ties = np.kron(np.full((parts, parts), total / parts**2), np.diag(flat.astype(np.float64)))
    return replace(penalty, precision=penalty.matrix + ties)


def _pilot(task: Task, penalty: Penalty, first: Floats) -> tuple[Floats, Floats | None]:
    """Where some of the rows lead, and the curvature that they suggest for all."""
    likelihood, z = task.likelihood, task.likelihood.z
    m = max(PILOT, ROWS_A_PARAMETER * task.n_parameters)
    if z.n < MANY * m:
        return first, None
    chosen = np.sort(np.random.default_rng(0).choice(z.n, m, replace=False))
    codes = likelihood.codes[chosen]
    weight = None if likelihood.weight is None else likelihood.weight[chosen]
    if len(np.unique(codes)) < likelihood.n_classes or (weight is not None and not weight.all()):
        return first, None
    rows = _some_rows(z, chosen)
    few = Standard(m, z.width, lambda start, stop: rows[start:stop], z.centre, z.scale, z.n_jobs)
    some = Logistic(few, codes, likelihood.n_classes, weight)
    share = (m if weight is None else float(weight.sum())) / task.total
    weak = np.full(penalty.precision.shape[0], 1.0)  # rows that can be told apart must not lead to infinity
    less = Penalty(
        penalty.mean,
        penalty.precision * share + (weak if penalty.precision.ndim == 1 else np.diag(weak)),
        penalty.rate * share,
        penalty.centre,
    )
    run = newton(some, first, less, tol=1e-3 * m, max_iter=20)
    assert run.hessian is not None
    return run.at, (run.hessian - less.matrix) / share


def _some_rows(z: Standard, chosen: NDArray[np.intp]) -> Any:
    """These rows, in ascending order, dense or sparse."""
    from scipy.sparse import vstack

    found = []
    for start in range(0, z.n, 1 << 14):
        inside = chosen[np.searchsorted(chosen, start) : np.searchsorted(chosen, start + (1 << 14))] - start
        if len(inside):
            found.append(z.rows(start, min(start + (1 << 14), z.n))[inside])
    return np.concatenate(found) if isinstance(found[0], np.ndarray) else vstack(found, format="csr")


def _still_moving(task: Task, run: Newton, flat: NDArray[np.bool_]) -> bool:
    """Whether a step of what has no prior would still move a row's log-odds: its maximum is infinite."""
    if not flat[1:].any():
        return False
    assert run.hessian is not None
    free = np.flatnonzero(np.tile(flat, task.meaning.shape[0]))
    step = np.zeros(task.n_parameters)
    step[free] = solve(run.hessian[np.ix_(free, free)], run.gradient[free])
    moved = task.likelihood.z.predict(step.reshape(task.meaning.shape))
    return bool(np.abs(moved).max(initial=0.0) > STILL_MOVING)


def _report(task: Task, run: Newton, endless: bool) -> None:
    if endless:
        notice(
            "no finite maximum: the columns separate the classes, completely or for some rows, and the "
            "coefficients would grow for ever; these are where the search stopped. Give a prior, such as "
            "Normal(0, 2.5) or 'jeffreys'.",
            stacklevel=6,
        )
    elif not run.converged:
        notice(
            f"the search stopped after {run.n_iter} steps with a gradient of "
            f"{np.abs(run.gradient).max() / task.total:.2g} a row, above tol={task.tol:g}: "
            "raise max_iter, or rescale the columns.",
            stacklevel=6,
        )


def _covariance(run: Newton, flat: NDArray[np.bool_], shape: tuple[int, int]) -> Floats:
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


def _log_evidence(run: Newton, penalty: Penalty, unknown: tuple[int, ...], shape: tuple[int, int]) -> float:
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
