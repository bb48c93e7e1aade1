"""Rules of decision: from log P(class), (n, g), to the place of the class that is called, (n,)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import probability
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.models.groups.tally import class_place
from likely.stats.groups import Floats

Ints = NDArray[np.intp]


def most_likely(log_p: Floats, base_rate: Floats) -> Ints:
    """The class under which the row is most probable: what the probabilities say without the base rate.

    >>> most_likely(np.log([[0.6, 0.4]]), np.array([0.75, 0.25]))
    array([1])
    """
    known = base_rate > 0
    log_likelihood = np.where(known, log_p - log(np.where(known, base_rate, 1.0)), -np.inf)
    return np.asarray(log_likelihood.argmax(axis=1))


def above_threshold(log_p: Floats, classes: Sequence[Any], positive: object, threshold: float) -> Ints:
    """One class if its probability is at least the threshold, else the most probable other.

    >>> above_threshold(np.log([[0.7, 0.3], [0.9, 0.1]]), ["ham", "spam"], "spam", 0.2)
    array([1, 0])
    """
    if positive is None and len(classes) != 2:
        raise LikelyError(f"rule='threshold': name one of the classes {classes[:10]!r} with positive=.")
    place = 1 if positive is None else class_place(classes, positive, "positive names")
    limit = float(probability("threshold", threshold))
    others = log_p.copy()
    others[:, place] = -np.inf
    return np.where(np.exp(log_p[:, place]) >= limit, place, others.argmax(axis=1))


def expected_costs(log_p: Floats, costs: Floats) -> Floats:
    """What it is expected to cost to call each row each class, (n, g).

    >>> expected_costs(np.log([[0.75, 0.25]]), np.array([[0.0, 10.0], [1.0, 0.0]]))
    array([[0.25, 7.5 ]])
    """
    return np.asarray(np.exp(log_p) @ costs)


def risk_at(risk: Floats, weight: Floats, share: float) -> float:
    """The risk that so great a share of the rows does not exceed.

    >>> risk_at(np.array([0.3, 0.1, 0.2, 0.4]), np.ones(4), 0.5), risk_at(np.array([0.3]), np.ones(1), 0.0)
    (0.2, -inf)
    """
    if share == 0:
        return -np.inf
    order = np.argsort(risk, kind="stable")
    heaped = np.cumsum(weight[order])
    place = int(np.searchsorted(heaped, share * heaped[-1] * (1 - 1e-12)))
    return float(risk[order][min(place, len(risk) - 1)])
