"""Expectation-maximisation: guess what is hidden, learn as if it were seen, and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from likely.engine.memory import progress
from likely.errors import LikelyError

P = TypeVar("P")  # parameters
H = TypeVar("H")  # what is expected of the hidden values
Watch = Callable[[int, float], Any]  # told the iteration and the objective

FALL = 1e-10  # relative: the objective may fall by so much through rounding


@dataclass(frozen=True, slots=True)
class EM(Generic[P]):
    """What a run of EM came to.

    The objective is what the user's E step gives: the log-likelihood, with the log prior if there is one.
    """

    parameters: P
    history: tuple[float, ...]  # the objective before each iteration, and after the last
    converged: bool
    interrupted: bool = False
    before: int = 0  # iterations that the history leaves out, since they climbed something else

    @property
    def objective(self) -> float:
        """Of the final parameters."""
        return self.history[-1]

    @property
    def n_iter(self) -> int:
        """How many times the parameters were learnt anew."""
        return self.before + len(self.history) - 1

    def __repr__(self) -> str:
        how = "interrupted" if self.interrupted else "converged" if self.converged else "not converged"
        return (
            f"EM({how} after {self.n_iter} iterations, objective {self.objective:.8g})\n{self.parameters!r}"
        )


def em(
    e_step: Callable[[P], tuple[H, float]],
    m_step: Callable[[H], P],
    start: P | None = None,
    *,
    hidden: H | None = None,
    max_iter: int = 200,
    tol: float = 1e-6,
    watch: Watch | None = None,
    rounding: Callable[[P], float] | None = None,
) -> EM[P]:
    """Run EM from parameters, or from hidden values, until the objective gains no more than `tol`.

    Parameters
    ----------
    e_step : function
        From parameters to what is expected of the hidden values given the data, and the objective of these
        parameters: the log-likelihood, plus the log prior where the M step maximises under one.
    m_step : function
        From what is expected of the hidden values to the parameters that maximise.
    start : parameters, optional
        Where to begin. Give this or `hidden`.
    hidden : optional
        What the first M step takes for the expected hidden values.
    max_iter : int
        The most iterations.
    tol : float
        The gain of the objective at which to stop; 0 runs all iterations.
    watch : function, optional
        Called with the iteration and the objective; without it a terminal shows a progress bar.
    rounding : function, optional
        From parameters to how far their objective may be off through rounding, where that is more than
        1e-10 of it: a smaller fall is none.

    Returns
    -------
    EM
        Parameters, the history of the objective, and whether it converged. An interrupt (Ctrl-C) ends the run
        with the best found so far.

    Examples
    --------
    Of 40 things 20 are of class A or B, 10 of C and 10 of D, with probabilities (1/2, beta, 2 beta,
    1/2 - 3 beta). How many are of class B is hidden.

    >>> from math import log
    >>> def e_step(beta):
    ...     seen = 20 * log(0.5 + beta) + 10 * log(2 * beta) + 10 * log(0.5 - 3 * beta)
    ...     return 20 * beta / (0.5 + beta), seen
    >>> def m_step(b):
    ...     return (b + 10) / (6 * (b + 10 + 10))
    >>> run = em(e_step, m_step, hidden=5.0, tol=0)
    >>> round(run.parameters, 7)
    0.0947882
    """
    if (start is None) is (hidden is None):
        raise LikelyError("em needs one of start (parameters) and hidden (values to begin with).")
    parameters: P = m_step(hidden) if hidden is not None else start  # type: ignore[assignment]
    expected, objective = e_step(parameters)
    _refuse_nan(objective, 0)
    history, converged = [objective], False
    with _watched(watch, max_iter) as tell:
        try:
            while len(history) <= max_iter and not converged:
                better = m_step(expected)
                expected, objective = e_step(better)
                _refuse_nan(objective, len(history))
                gain = objective - history[-1]
                dust = 0.0 if rounding is None else rounding(parameters) + rounding(better)
                if gain < -max(FALL * max(1.0, abs(objective)), dust):
                    raise _fallen(history[-1], objective, len(history))
                parameters, converged = better, gain <= tol and tol > 0
                history.append(objective)
                tell(len(history) - 1, history[-1])
        except KeyboardInterrupt:
            return EM(parameters, tuple(history), False, interrupted=True)
    return EM(parameters, tuple(history), converged)


def em_restarts(
    e_step: Callable[[P], tuple[H, float]],
    m_step: Callable[[H], P],
    starts: Iterable[P],
    *,
    max_iter: int = 200,
    tol: float = 1e-6,
    trial: int = 10,
    watch: Watch | None = None,
    rounding: Callable[[P], float] | None = None,
) -> tuple[EM[P], tuple[EM[P], ...]]:
    """Try every start for a few iterations and carry on with the best, and with the first.

    So more starts never end lower than the first alone, if a run converges.

    Parameters
    ----------
    e_step, m_step, max_iter, tol, watch, rounding
        As in `em`.
    starts : iterable
        Parameters to begin with, one after another.
    trial : int
        The most iterations of a trial; they count among those of the run that is carried on.

    Returns
    -------
    EM, tuple of EM
        What the best came to, and what the trials did. An interrupt (Ctrl-C) ends all with the best so far.

    Examples
    --------
    Two means of four numbers: a start with equal means never parts them.

    >>> import numpy as np
    >>> x = np.array([-5.0, -4.0, 4.0, 5.0])
    >>> def e_step(means):
    ...     density = np.exp(-((x[:, None] - means) ** 2) / 2)
    ...     return density / density.sum(axis=1, keepdims=True), np.log(density.sum(axis=1)).sum()
    >>> def m_step(share):
    ...     return (share * x[:, None]).sum(axis=0) / share.sum(axis=0)
    >>> best, trials = em_restarts(e_step, m_step, [np.array([1.0, 1.0]), np.array([-1.0, 0.5])])
    >>> best.parameters.round(3)
    array([-4.5,  4.5])
    """
    trials: list[EM[P]] = []

    def run(start: P, most: int) -> EM[P]:
        return em(e_step, m_step, start, max_iter=most, tol=tol, watch=watch, rounding=rounding)

    try:
        for start in starts:
            trials.append(run(start, min(trial, max_iter)))
            if trials[-1].interrupted:
                raise KeyboardInterrupt
        ends = []
        best = _best(trials)
        for tried in (best,) if best is trials[0] else (best, trials[0]):
            ends.append(_carried_on(tried, run, max_iter))
            if ends[-1].interrupted:
                break
    except KeyboardInterrupt:
        if not trials:
            raise
        return replace(_best(trials), converged=False, interrupted=True), tuple(trials)
    interrupted = any(end.interrupted for end in ends)
    return replace(_best(ends), interrupted=interrupted), tuple(trials)


def _carried_on(tried: EM[P], run: Callable[[P, int], EM[P]], max_iter: int) -> EM[P]:
    if tried.converged or tried.n_iter >= max_iter:
        return tried
    rest = run(tried.parameters, max_iter - tried.n_iter)
    return replace(rest, history=tried.history + rest.history[1:])


def _best(trials: Sequence[EM[P]]) -> EM[P]:
    if not trials:
        raise LikelyError("em_restarts needs parameters to begin with: starts has none.")
    return max(trials, key=lambda run: run.objective)


def _refuse_nan(objective: float, iteration: int) -> None:
    if np.isnan(objective) or objective == np.inf:
        raise LikelyError(
            f"the objective is {objective} after {iteration} iterations: a hidden group has collapsed onto a "
            "point. Give a prior, or a floor for variances, that is fixed before the run."
        )


def _fallen(before: float, after: float, iteration: int) -> LikelyError:
    return LikelyError(
        f"the objective fell from {before:.12g} to {after:.12g} in iteration {iteration}: the M step does "
        "not maximise what the E step measures. Check that both use the same model, and that the objective "
        "has the log prior in it if the M step does."
    )


@contextmanager
def _watched(watch: Watch | None, max_iter: int) -> Iterator[Watch]:
    """Whom to tell of an iteration: the user's function, or a progress bar."""
    if watch is not None:
        yield watch
        return
    with progress("EM", max_iter) as show:
        yield lambda iteration, objective: show(iteration, f"objective {objective:.8g}")
