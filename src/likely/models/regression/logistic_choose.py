"""How strong the prior is: by the evidence, or by predictions of rows that were left out."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.dist import Normal
from likely.errors import LikelyWarning
from likely.infer.folds import stratified
from likely.infer.logistic import Logistic
from likely.models.regression.logistic_fit import LARGEST, Solution, Task, solve_at

Floats = NDArray[np.float64]

WIDEST, NARROWEST = 100.0, 1e-3  # standardised: where the sd is looked for
FOLDS = 5
NEAR = 0.01  # of the logarithm of the sd; its best value is flat
NEAR_VALIDATED = 0.1


def solve_logistic(task: Task, start: Floats | None = None) -> Solution:
    """Choose the prior, if that is asked for, and find the coefficients."""
    if not (isinstance(task.prior, str) and task.prior in ("auto", "validated")):
        return solve_at(task, start)
    if task.prior == "validated" or task.n_parameters > LARGEST:
        return solve_at(replace(task, prior=_validated(task)), start)
    best: list[Solution] = []

    def lack(sd: float) -> float:
        found = solve_at(replace(task, prior=Normal(0, sd)), best[0].run.at if best else start)
        assert found.log_evidence is not None
        if not best or found.log_evidence > (best[0].log_evidence or -np.inf):
            best[:] = [found]
        return -found.log_evidence

    _least(lack, NEAR)
    return best[0]


def _validated(task: Task) -> Normal:
    """The sd under which rows that were left out are most probable, in five parts of the rows."""
    like = task.likelihood
    weight = np.ones(like.z.n) if like.weight is None else like.weight
    fold = stratified(like.codes, FOLDS, np.random.default_rng(0))
    at: list[Floats | None] = [None] * FOLDS

    def lack(sd: float) -> float:
        total = 0.0
        for place in range(FOLDS):
            learnt = replace(like, weight=np.where(fold == place, 0.0, weight))
            found = solve_at(replace(task, likelihood=learnt, prior=Normal(0, sd)), at[place])
            at[place] = found.run.at
            left_out: Logistic = replace(like, weight=np.where(fold == place, weight, 0.0))
            total += left_out(found.run.at, False).value
        return total

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LikelyWarning)  # what there is to say, the last fit says
        return Normal(0, _least(lack, NEAR_VALIDATED))


def _least(lack: Callable[[float], float], near: float) -> float:
    """The sd that lacks least, to so much of its logarithm."""
    from scipy.optimize import minimize_scalar

    bounds = np.log(NARROWEST), np.log(WIDEST)
    found = minimize_scalar(
        lambda log_sd: lack(float(np.exp(log_sd))), bounds=bounds, method="bounded", options={"xatol": near}
    )
    return float(np.exp(found.x))
