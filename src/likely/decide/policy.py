"""A rule of decision with all that it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.decide.rules import above_threshold, expected_costs, most_likely
from likely.errors import LikelyError
from likely.stats.groups import Floats

RULES = ("map", "ml", "threshold", "recalibrated", "cost")


@dataclass(frozen=True)
class Policy:
    """What to call each row, and what that is expected to cost, from log P(class), (n, g).

    >>> costs = np.array([[0.0, 10.0], [1.0, 0.0]])
    >>> policy = Policy("cost", ("ham", "spam"), costs)
    >>> log_p = np.log([[0.25, 0.75], [0.05, 0.95]])
    >>> policy.decided(log_p)
    (array([0, 1]), array([0.75, 0.5 ]), array([False, False]))
    """

    rule: str
    classes: tuple[Any, ...]
    costs: Floats  # (g, g), of a class (down) that is called another (across)
    positive: Any = None  # for "threshold"
    threshold: float = 0.5
    base_rate: Floats | None = None  # (g,), for "ml": what is in the probabilities
    log_weights: Floats | None = None  # (g,), for "recalibrated"
    limit: float | None = None  # the expected cost above which a row is left alone
    price: float = 0.0  # of a row that is left alone

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise LikelyError(f"rule={self.rule!r}: the rules are {', '.join(map(repr, RULES))}.")

    def decided(self, log_p: Floats) -> tuple[NDArray[np.intp], Floats, NDArray[np.bool_]]:
        """What is called in each row, its expected cost, and whether the row is left alone, (n,) each."""
        called = self.called(log_p)
        risk = self.risk(log_p, called)
        alone = np.zeros(len(risk), bool) if self.limit is None else risk > self.limit
        return called, np.where(alone, self.price, risk), alone

    def called(self, log_p: Floats) -> NDArray[np.intp]:
        """The place of the class that the rule calls, (n,)."""
        if self.rule == "ml":
            assert self.base_rate is not None
            return most_likely(log_p, self.base_rate)
        if self.rule == "threshold":
            return above_threshold(log_p, self.classes, self.positive, self.threshold)
        if self.rule == "cost":
            return np.asarray(expected_costs(log_p, self.costs).argmin(axis=1))
        if self.rule == "recalibrated":
            if self.log_weights is None:
                raise LikelyError(
                    "rule='recalibrated' learns its weights: call fit with rows of known class."
                )
            log_p = log_p + self.log_weights
        return np.asarray(log_p.argmax(axis=1))

    def risk(self, log_p: Floats, called: NDArray[np.intp]) -> Floats:
        """The expected cost of what is called, (n,)."""
        return expected_costs(log_p, self.costs)[np.arange(len(called)), called]
