"""Class weights learnt on data, one class at a time: recalibrated likelihood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats

SWEEPS = 20  # over all classes, at most; each one is better than the last


def class_weights(log_p: Floats, codes: NDArray[np.intp], costs: Floats, weight: Floats) -> Floats:
    """Log-weights of the classes, (g,): the class with the highest log P(class) + log-weight is called.

    They have the lowest cost on the rows that changing one weight at a time can reach, beginning with no
    weights. For two classes this is the best point of the ROC curve.

    Parameters
    ----------
    log_p : (n, g)
        Of the rows.
    codes : (n,)
        Their classes.
    costs : (g, g)
        Of a class (down) that is called another (across).
    weight : (n,)
        How much each row counts.

    Examples
    --------
    >>> log_p = np.log([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]])
    >>> log_weights = class_weights(log_p, np.array([0, 0, 1, 1]), 1 - np.eye(2), np.ones(4))
    >>> (log_p + log_weights).argmax(axis=1)
    array([0, 0, 1, 1])
    """
    g = log_p.shape[1]
    weights = np.zeros(g)
    lowest = _cost(log_p, weights, codes, costs, weight)
    for _ in range(SWEEPS):
        before = lowest
        for place in range(1 if g == 2 else 0, g):
            weights, lowest = _one_class(log_p, weights, place, codes, costs, weight, lowest)
        if lowest >= before:
            break
    return weights


def _cost(log_p: Floats, weights: Floats, codes: NDArray[np.intp], costs: Floats, weight: Floats) -> float:
    return float(weight @ costs[codes, (log_p + weights).argmax(axis=1)])


def _one_class(
    log_p: Floats,
    weights: Floats,
    place: int,
    codes: NDArray[np.intp],
    costs: Floats,
    weight: Floats,
    lowest: float,
) -> tuple[Floats, float]:
    """The best weight of one class, the others as they are; a row is called it above its own threshold."""
    rest = log_p + weights
    rest[:, place] = -np.inf
    rival = rest.argmax(axis=1)
    with np.errstate(invalid="ignore"):
        needed = rest[np.arange(len(rest)), rival] - log_p[:, place]  # (n,), the weight that wins the row
    needed = np.where(np.isnan(needed), np.inf, needed)
    gain = weight * (costs[codes, place] - costs[codes, rival])
    order = np.argsort(needed, kind="stable")
    at = needed[order]
    heaped = np.concatenate([[0.0], np.cumsum(gain[order])]) + float(weight @ costs[codes, rival])
    # A weight between two thresholds; rows with the same threshold are won together.
    apart = np.flatnonzero(np.concatenate([[True], at[1:] > at[:-1], [True]]))
    last = np.concatenate([[-np.inf], at])[apart]  # the highest threshold that is passed
    reached = apart[last < np.inf]
    best = int(reached[np.argmin(heaped[reached])])
    chosen = weights.copy()
    chosen[place] = _between(at[best - 1] if best else -np.inf, at[best] if best < len(at) else np.inf)
    cost = _cost(log_p, chosen, codes, costs, weight)
    return (chosen, cost) if cost < lowest else (weights, lowest)


def _between(low: float, high: float) -> float:
    """A number above one threshold and below the next."""
    if np.isfinite(low) and np.isfinite(high):
        return low / 2 + high / 2
    if np.isfinite(low):
        return low + 1.0
    return high - 1.0 if np.isfinite(high) else 0.0
