"""Expectation-maximisation: guess what is hidden, learn as if it were seen, and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from likely.errors import LikelyError

P = TypeVar("P")  # parameters
H = TypeVar("H")  # what is expected of the hidden values

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

    @property
    def objective(self) -> float:
        """Of the final parameters."""
        return self.history[-1]

    @property
    def n_iter(self) -> int:
        """How many times the parameters were learnt anew."""
        return len(self.history) - 1

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
    watch: Callable[[int, float], Any] | None = None,
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
        Called with the iteration and the objective, for a progress bar.

    Returns
    -------
    EM
        Parameters, the history of the objective, and whether it converged. An interrupt (Ctrl-C) ends the run
        with the best found so far.

    Examples
    --------
    Of 40 words 20 are a or b, 10 are c and 10 are d, with probabilities (1/2, beta, 2 beta, 1/2 - 3 beta).
    How many are b is hidden.

    >>> from math import log
    >>> def e_step(beta):
    ...     seen = 20 * log(0.5 + beta) + 10 * log(2 * beta) + 10 * log(0.5 - 3 * beta)
    ...     return 20 * beta / (0.5 + beta), seen
    >>> def m_step(b):
    ...     return (b + 10) / (6 * (b + 10 + 10))
    >>> found = em(e_step, m_step, hidden=5.0, tol=0)
    >>> round(found.parameters, 7)
    0.0947882
    """
    if (start is None) is (hidden is None):
        raise LikelyError("em needs one of start (parameters) and hidden (values to begin with).")
    parameters: P = m_step(hidden) if hidden is not None else start  # type: ignore[assignment]
    expected, objective = e_step(parameters)
    _refuse_nan(objective, 0)
    history, converged = [objective], False
    try:
        while len(history) <= max_iter and not converged:
            better = m_step(expected)
            expected, objective = e_step(better)
            _refuse_nan(objective, len(history))
            gain = objective - history[-1]
            if gain < -FALL * max(1.0, abs(objective)):
                raise LikelyError(
                    f"the objective fell from {history[-1]:.12g} to {objective:.12g} in iteration "
                    f"{len(history)}: the M step does not maximise what the E step measures. Check that both "
                    "use the same model, and that the objective has the log prior in it if the M step does."
                )
            parameters, converged = better, gain <= tol and tol > 0
            history.append(objective)
            if watch is not None:
                watch(len(history) - 1, history[-1])
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
    watch: Callable[[int, float], Any] | None = None,
) -> tuple[EM[P], tuple[EM[P], ...]]:
    """Try every start for a few iterations and carry on with the best; also what the trials came to."""
    trials: list[EM[P]] = []
    for start in starts:
        trials.append(em(e_step, m_step, start, max_iter=min(trial, max_iter), tol=tol))
        if trials[-1].interrupted:
            break
    best = max(trials, key=lambda run: run.objective)
    if best.converged or best.interrupted or best.n_iter >= max_iter:
        return best, tuple(trials)
    rest = em(e_step, m_step, best.parameters, max_iter=max_iter - best.n_iter, tol=tol, watch=watch)
    whole = EM(rest.parameters, best.history + rest.history[1:], rest.converged, rest.interrupted)
    return whole, tuple(trials)


def _refuse_nan(objective: float, iteration: int) -> None:
    if np.isnan(objective) or objective == np.inf:
        raise LikelyError(
            f"the objective is {objective} after {iteration} iterations: a hidden group has collapsed onto a "
            "point. Give a prior, or a floor for variances, that is fixed before the run."
        )
