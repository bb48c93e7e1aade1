"""How strong the prior is: by the evidence, or by predictions of rows that were left out."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likely.dist import Normal
from likely.engine import one_blas_thread
from likely.errors import LikelyWarning
from likely.infer.folds import stratified
from likely.infer.logistic import Logistic
from likely.infer.logistic_rows import row_evidence
from likely.infer.newton import solve
from likely.infer.standard import row_products
from likely.models.regression.logistic.fit import LARGEST, Solution, Task, log_evidence_of, solve_at
from likely.models.regression.prior import DEFAULT_SD

Floats = NDArray[np.float64]

TRIED = 1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0  # standardised: where the sd is looked for
FOLDS = 5
NEAR = 0.02  # of the logarithm of the sd; its best value is flat
NEAR_VALIDATED = 0.1
NEAR_PARABOLA = 0.05  # from one solution to the next
ROUNDS = 6
SHAPE, SCALE = 1.5, 0.6  # of the sd beforehand: by log loss on rows of noise and of many tables
MOST_ROWS, MOST_CELLS = 2000, 1 << 25  # of a table whose rows are all multiplied with each other
FEW = 10**7  # rows times squared parameters: what a pass over all rows costs


def solve_logistic(task: Task, start: Floats | None = None) -> Solution:
    """Choose the prior, if that is asked for, and find the coefficients."""
    if not (isinstance(task.prior, str) and task.prior in ("default", "auto", "validated")):
        return solve_at(task, start)
    large = task.n_parameters > LARGEST
    if task.prior == "default" and large:
        sd = _by_rows(task) if _few_rows(task) else DEFAULT_SD
        return solve_at(replace(task, prior=Normal(0, sd)), start)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LikelyWarning)  # what there is to say, the last fit says
        if task.prior == "validated" or large:
            chosen, steps = Normal(0, _validated(task)), 0
        else:
            tries = Tries(task, start)
            solution = tries.chosen()
            if solution.run.converged:
                return solution
            chosen, start, steps = solution.prior, solution.run.at, solution.run.n_iter
    last = solve_at(replace(task, prior=chosen), start)
    return replace(last, run=replace(last.run, n_iter=steps + last.run.n_iter))


def log_hyperprior(sd: float) -> float:
    """The log density of the sd itself, up to a constant: gamma with this shape and scale.

    Where columns tell all rows apart the evidence hardly falls, however large the sd, but predictions
    become rash; and a handful of rows would soon be said to tell nothing at all.

    >>> log_hyperprior(1.0) > log_hyperprior(100.0), log_hyperprior(1.0) > log_hyperprior(0.001)
    (True, True)
    """
    return (SHAPE - 1) * float(np.log(sd)) - sd / SCALE


@dataclass
class Tries:
    """Solutions under several sds, and the best of them by its evidence and that of the sd."""

    task: Task
    start: Floats | None
    best: Solution | None = None
    lack: float = np.inf  # of the best
    steps: int = 0

    def at(self, sd: float) -> float:
        """What an sd lacks, once its coefficients are found from the best so far."""
        start = self.start if self.best is None else self.best.run.at
        solution = solve_at(replace(self.task, prior=Normal(0, sd)), start)
        assert solution.log_evidence is not None
        self.steps += solution.run.n_iter
        lack = -solution.log_evidence - log_hyperprior(sd)
        if lack < self.lack:
            self.best, self.lack = solution, lack
        return lack

    def chosen(self) -> Solution:
        """The solution under the best sd; its steps are those of all tries."""
        few = self.task.likelihood.z.n * self.task.n_parameters**2 <= FEW
        if few or not self._near():
            _least(self.at, NEAR)
        assert self.best is not None
        return replace(self.best, run=replace(self.best.run, n_iter=self.steps))

    def _near(self) -> bool:
        """Whether trying sds on parabolas, which takes no pass over the rows, came to an end.

        With many rows the log-likelihood is one; where the columns tell nearly all rows apart it is not.
        """
        self.at(DEFAULT_SD)
        for _ in range(ROUNDS):
            assert self.best is not None
            last = self.best
            sd = _least(_parabola(self.task, last), NEAR)
            if abs(np.log(sd / float(last.prior.sd))) < NEAR_PARABOLA:
                return True
            self.at(sd)
            if self.best is last:
                return False
        return False


def _parabola(task: Task, solution: Solution) -> Callable[[float], float]:
    """What an sd lacks, if the log-likelihood is a parabola with the curvature of a solution."""
    shape, run, old = task.meaning.shape, solution.run, task.meaning.penalty(solution.prior)
    assert run.hessian is not None
    curvature, before = run.hessian - old.matrix, old.smooth(run.at)
    slope = run.gradient - before.gradient
    target = curvature @ run.at - slope

    def lack(sd: float) -> float:
        penalty = task.meaning.penalty(Normal(0, sd))
        whole = curvature + penalty.matrix
        at = solve(whole, target)
        step = at - run.at
        rise = float(slope @ step + step @ curvature @ step / 2)
        value = run.value - before.value + rise + penalty.smooth(at).value
        there = replace(run, at=at, value=value, hessian=whole)
        return -log_evidence_of(there, penalty, (), shape) - log_hyperprior(sd)

    return lack


def _few_rows(task: Task) -> bool:
    """Whether all products of rows are quickly had; there are fewer of them than of columns."""
    z = task.likelihood.z
    return z.n <= MOST_ROWS and z.n * z.rows.width <= MOST_CELLS


def _by_rows(task: Task) -> float:
    """The best sd by the evidence, of more columns than any matrix of curvatures can be made of.

    Of more than two classes, by the evidence of each against the others, together.
    """
    like = task.likelihood
    weight = np.ones(like.z.n) if like.weight is None else like.weight
    products = row_products(like.z)
    classes = range(1, 2) if like.n_classes == 2 else range(like.n_classes)
    is_second = [np.equal(like.codes, place).astype(np.float64) for place in classes]
    pull: list[Floats | None] = [None] * len(is_second)

    def lack(sd: float) -> float:
        total = -log_hyperprior(sd)
        for place, mine in enumerate(is_second):
            there = row_evidence(products, mine, weight, sd, pull[place])
            pull[place] = there.pull
            total -= there.log_evidence
        return total

    with one_blas_thread:
        return _least(lack, NEAR_VALIDATED, patience=2)


def _validated(task: Task) -> float:
    """The sd under which rows that were left out are most probable, in five parts of the rows."""
    like = task.likelihood
    weight = np.ones(like.z.n) if like.weight is None else like.weight
    fold = stratified(like.codes, FOLDS, np.random.default_rng(0))
    at: list[Floats | None] = [None] * FOLDS

    def lack(sd: float) -> float:
        total = 0.0
        for place in range(FOLDS):
            learnt = replace(like, weight=np.where(fold == place, 0.0, weight))
            solution = solve_at(replace(task, likelihood=learnt, prior=Normal(0, sd)), at[place])
            at[place] = solution.run.at
            left_out: Logistic = replace(like, weight=np.where(fold == place, weight, 0.0))
            total += left_out(solution.run.at, False).value
        return total

    return _least(lack, NEAR_VALIDATED)


def _least(lack: Callable[[float], float], near: float, patience: int = len(TRIED)) -> float:
    """The sd that lacks least, to so much of its logarithm: between the neighbours of the best of a few.

    So many that lack more than the best are enough to try no larger ones.
    """
    from scipy.optimize import minimize_scalar

    tried: list[float] = []
    for sd in TRIED:
        tried.append(lack(sd))
        if len(tried) > int(np.argmin(tried)) + patience:
            break
    place = int(np.argmin(tried))
    ends = np.log(TRIED[max(place - 1, 0)]), np.log(TRIED[min(place + 1, len(TRIED) - 1)])
    least = minimize_scalar(
        lambda log_sd: lack(float(np.exp(log_sd))), bounds=ends, method="bounded", options={"xatol": near}
    )
    return float(np.exp(least.x)) if least.fun <= tried[place] else TRIED[place]
