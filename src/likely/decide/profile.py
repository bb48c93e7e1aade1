"""The interval of one weight of a mixture, whatever the other weights are: its profile likelihood."""

from __future__ import annotations

import numpy as np

from likely.dist.numeric.logs import log, special
from likely.infer import bayes_rule, em
from likely.stats.groups import Floats

HALVINGS = 30  # of the interval in which an end is looked for


def profile_interval(
    log_ratio: Floats, rates: Floats, place: int, best: float, level: float
) -> tuple[float, float]:
    """Where the share of a class may lie: all that make the rows not much less probable than the best.

    `log_ratio`, (n, g), is log P(row given class); `rates`, (g,), are the best weights, and `best` the log
    likelihood they give. The other weights are the best for each share that is tried.

    >>> log_ratio = log([[1.0, 0.0]] * 3 + [[0.0, 1.0]] * 7)  # the classes are seen
    >>> rates = np.array([0.3, 0.7])
    >>> best = float(bayes_rule(log_ratio + log(rates))[1].sum())
    >>> [round(end, 3) for end in profile_interval(log_ratio, rates, 0, best, 0.95)]
    [0.085, 0.607]
    """
    if len(rates) < 2:
        return 1.0, 1.0
    least = best - float(special("chdtri", 1, 1 - level)) / 2
    estimate = float(rates[place])
    others = np.delete(rates, place)
    others = others / others.sum() if others.sum() > 0 else np.full(len(others), 1 / len(others))

    def end(inside: float, outside: float) -> float:
        rest = others
        if _profile(log_ratio, place, outside, rest)[0] >= least:
            return outside
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            log_likelihood, rest = _profile(log_ratio, place, middle, rest)
            inside, outside = (middle, outside) if log_likelihood >= least else (inside, middle)
        return inside

    return end(estimate, 0.0), end(estimate, 1.0)


def _profile(log_ratio: Floats, place: int, share: float, others: Floats) -> tuple[float, Floats]:
    """The log likelihood at a share of one class, and the best weights of the others among themselves."""

    def whole(rest: Floats) -> Floats:
        return np.insert((1 - share) * rest, place, share)

    if len(others) == 1 or share == 1:
        return float(bayes_rule(log_ratio + log(whole(others)))[1].sum()), others

    def e_step(rest: Floats) -> tuple[Floats, float]:
        log_posterior, log_evidence = bayes_rule(log_ratio + log(whole(rest)))
        if not np.isfinite(log_evidence).all():  # some row is of the one class alone
            return rest, -1e300
        mean = np.delete(np.exp(log_posterior).mean(axis=0), place)
        return (mean / mean.sum() if mean.sum() > 0 else rest), float(log_evidence.sum())

    begin = np.maximum(others, 1e-6)
    fitted = em(e_step, lambda rest: rest, begin / begin.sum(), max_iter=500, tol=1e-4)
    return fitted.objective, fitted.parameters
