"""From a design and classes to the most probable coefficients, and the normal approximation around them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask
from likely.errors import LikelyError, notice
from likely.estimator.fitted import generator
from likely.evidence import Intervals
from likely.infer.lbfgs import lbfgs
from likely.infer.logistic import Jeffreys, Logistic, class_logs, n_vectors, of_vectors
from likely.infer.newton import Newton, Objective, Penalty, log_det, newton, solve
from likely.infer.standard import Scaling, dependent
from likely.models.groups.intervals import check_interval, interval_of
from likely.models.regression.design import Design, DesignRows
from likely.models.regression.logistic_record import LogisticRecord, Untold
from likely.models.regression.missing_model import rows_with_gaps
from likely.models.regression.prior import Coefficients
from likely.table.accepted import RandomState
from likely.table.column.column import Column
from likely.table.frame import Frame

Floats = NDArray[np.float64]
LARGEST = 2000  # parameters beyond which no matrix of curvatures is made
JEFFREYS_TOL = 1e-8
NOTHING = 1e-14  # nats a row
PIN = 1e9  # precision, per row, of a coefficient that is kept at 0
SAMPLE_LEAST = 1 << 10  # rows: a smaller sample is not worth its own fit
SAMPLE_SHARE = 8  # one row of so many is in the sample that a fit starts from
ROWS_A_PARAMETER = 10, 400  # of the sample: no fewer than that, and no more
STILL_MOVING = 0.05  # nats: how far a step at the end may still move the log-odds of a row


def covariance_of(run: Newton, flat: NDArray[np.bool_], shape: tuple[int, int]) -> Floats:
    """The inverse of the Hessian; of many classes, without the common shift where no prior fixes it."""
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


def untold_scores(design: Design, mean: Floats, theta: Floats, rates: Floats) -> Floats:
    """What a missing cell adds to the scores, of numbers and then of levels, (vectors, columns).

    A column that was never missing is taken for its mean; so nothing told would be the answer of the mean
    row, which is nearer to certainty than the mean of the answers. What lies between is shared out among the
    columns by how much their evidence varies. Of a column with gaps in training, the gap's own coefficient
    says what it is worth, and nothing is added.

    >>> from likely.engine import engine_for
    >>> from likely.table.frame import Frame
    >>> design = Design.learn(Frame.of({"x": [-3.0, 5.0]}), None, False, None, engine_for(None))
    >>> untold_scores(design, np.array([1.0]), np.array([[2.0, 3.0]]), np.array([0.5, 0.5]))
    array([[-2.]])
    """
    order = [*design.counted, *design.coded]
    apart, spread = np.zeros((len(theta), len(order))), np.zeros(len(order))
    place = {j: i for i, j in enumerate(order)}
    said, share = theta[:, 1:], mean
    middle = said * (mean - design.centre) / design.unit  # (vectors, p)
    measured = np.zeros(len(mean), bool)
    measured[design._measured] = True
    # In units of its sd a number varies by 1; a 0 or 1 by its share times the rest.
    varies = np.square(said).sum(axis=0) * np.where(measured, 1.0, share * (1 - share))
    for at, j in enumerate(design.source):
        if j in place:
            apart[:, place[j]] += middle[:, at]
            spread[place[j]] += varies[at]
    if not spread.sum() > 0:
        return np.zeros_like(apart)
    between = of_vectors(np.log(rates)) - theta[:, 0] - middle.sum(axis=1)
    untold = apart + np.outer(between - (between.mean() if len(between) > 1 else 0.0), spread / spread.sum())
    # Numbers are filled in with their mean, which the design does by itself.
    filled = design.mean - design.centre[: len(design.counted)]
    untold[:, : len(design.counted)] -= said[:, : len(filled)] * filled / design.unit[: len(filled)]
    untold[:, [place[j] for j in design.gaps if j in place]] = 0.0
    return untold


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
    scale, theta = Scaling(record.design.centre, record.design.unit), drawn(record, draws, random_state)
    task = DrawnIntervals(scale, theta, len(record.classes), draws, level, Untold(record.untold))
    lower, upper, cases = engine.map(record.design.chunk(frame), task)
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
class DrawnIntervals(MapTask[DesignRows]):
    """The ends of intervals of class probabilities, and effective cases, by draws of theta."""

    scale: Scaling
    theta: Floats  # (draws * vectors, 1 + p)
    n_classes: int
    draws: int
    level: float
    untold: Untold

    def width(self, stored: int) -> int:
        """A row's cells, and its probabilities at all draws."""
        return stored + self.draws * self.n_classes

    def answers(self, n: int) -> Answers:
        """Lower and upper end, and cases, each (n, g)."""
        return tuple(np.empty((n, self.n_classes)) for _ in range(3))

    def step(self, data: DesignRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        scores = self.scale.scores(data(start, stop), self.theta).reshape(stop - start, self.draws, -1)
        scores += self.untold(data, start, stop)[:, None]
        logs = class_logs(scores.reshape((stop - start) * self.draws, -1))  # a line for each row and draw
        probs = np.ascontiguousarray(np.exp(logs).T).reshape(self.n_classes, -1, self.draws)
        for array, answer in zip(out, interval_of(probs, self.level), strict=True):
            array[:] = answer.T


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
        return self.likelihood.total

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


def record_of(
    design: Design, target: Column, solution: Solution, counts: Floats, mean: Floats
) -> LogisticRecord:
    """The record of a solution, with the number of rows of each class and the mean of the rows."""
    theta = solution.run.at.reshape(n_vectors(len(target.known)), -1)
    return LogisticRecord(
        design,
        target,
        theta,
        solution.covariance,
        counts,
        solution.log_likelihood,
        solution.prior,
        solution.log_evidence,
        solution.unknown,
        untold=untold_scores(design, mean, theta, counts / counts.sum()),
    )


def solve_at(task: Task, start: Floats | None) -> Solution:
    """The coefficients under a prior that is given."""
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
        if (run.gradient**2 / stiff).sum() < NOTHING * task.total:  # what is left to gain is below rounding
            run = replace(run, converged=True)
        said = likelihood(run.at, False).value
        _report(task, run, bool(flat[1:].any()) and said < 1e-6 * task.total)
        return Solution(run, -said, None, None, (), task.prior)
    penalty = _tied(_pinned(given, unknown, shape, task.total), flat, shape, task.total)
    curvature: Floats | None = None
    if start is None and not jeffreys:
        first, curvature = _warm_start(likelihood, penalty, first, task.total)
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
    if jeffreys or unknown:  # the search was for something else, or ended elsewhere
        said = likelihood(run.at, False).value
    else:
        said = run.value - penalty.smooth(run.at).value - penalty.sharp(run.at)
    covariance = covariance_of(run, flat, shape) if smooth else None
    evidence = log_evidence_of(run, given, unknown, shape) if smooth and not jeffreys else None
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
    theta[:, 0] = of_vectors(logs - logs.mean())
    return theta.ravel()


def _warm_start(
    likelihood: Logistic, penalty: Penalty, first: Floats, total: float
) -> tuple[Floats, Floats | None]:
    """The solution of a sample of the rows, and the Hessian that it suggests for all, of weight `total`.

    The sample starts from a sample of its own. The Hessian of m rows is off by about the square root of
    parameters / m, and each step of all rows shrinks the gradient to that share.
    """
    z, (least, most) = likelihood.z, (times * len(first) for times in ROWS_A_PARAMETER)
    m = min(z.n // SAMPLE_SHARE, most)
    if m < max(least, SAMPLE_LEAST):
        return first, None
    chosen = np.sort(np.random.default_rng(0).choice(z.n, m, replace=False))
    codes = likelihood.codes[chosen]
    weight = None if likelihood.weight is None else likelihood.weight[chosen]
    if len(np.unique(codes)) < likelihood.n_classes or (weight is not None and not weight.all()):
        return first, None
    rows = z.some(chosen)
    few = replace(z, rows=Chunk(lambda start, stop: rows[start:stop], m, z.rows.width))
    some = Logistic(few, codes, likelihood.n_classes, weight)
    share = (m if weight is None else float(weight.sum())) / total
    weak = np.full(penalty.precision.shape[0], 1.0)  # rows that can be told apart must not lead to infinity
    less = Penalty(
        penalty.mean,
        penalty.precision * share + (weak if penalty.precision.ndim == 1 else np.diag(weak)),
        penalty.rate * share,
        penalty.centre,
    )
    mine = share * total
    start, curvature = _warm_start(some, less, first, mine)
    run = newton(some, start, less, tol=1e-3 * mine, max_iter=20, hessian=curvature)
    assert run.hessian is not None
    return run.at, (run.hessian - less.matrix) / share


def _unknown(task: Task, flat: NDArray[np.bool_]) -> tuple[int, ...]:
    """Columns of the design without a prior that are constant, or collinear with those before."""
    if not flat[1:].any():
        return ()
    undetermined = (dependent(task.likelihood.gram())[1:] | task.meaning.design.constant) & flat[1:]
    names = [task.meaning.design.names[j] for j in np.flatnonzero(undetermined)]
    if names:
        notice(
            f"no unique maximum: {', '.join(map(repr, names[:5]))}{', ...' if len(names) > 5 else ''} "
            f"{'are' if len(names) > 1 else 'is'} constant or determined by the columns before: the "
            "coefficient is set to 0. A prior, such as Normal(0, 1), makes it unique.",
        )
    return tuple(np.flatnonzero(undetermined).tolist())


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


def _still_moving(task: Task, run: Newton, flat: NDArray[np.bool_]) -> bool:
    """Whether coefficients without a prior still move: classes are separable, the maximum infinite."""
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
        )
    elif not run.converged:
        notice(
            f"the search stopped after {run.n_iter} steps with a gradient of "
            f"{np.abs(run.gradient).max() / task.total:.2g} a row, above tol={task.tol:g}: "
            "raise max_iter, or rescale the columns.",
        )
