"""Rules of decision: from log P(class), (n, g), to the class that is called, (n,); and what errors cost."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import probability
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.models.groups.tally import class_place
from likely.stats.groups import Floats

Ints = NDArray[np.intp]
_PAIR = re.compile(r"\s*(.+?)\s*->\s*(.+?)\s*=\s*([^=,]+?)\s*")
RULES = ("map", "ml", "threshold", "recalibrated", "cost")


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


def cost_matrix(costs: Mapping[tuple[Any, Any], float] | str | None, classes: Sequence[Any]) -> Floats:
    """The cost of calling a row of each class (down) each class (across), (g, g).

    A mistake costs 1 and being right costs 0 unless the pair is named, as ("ham", "spam"): 10 or in a text
    "ham->spam=10": a row of ham that is called spam.

    >>> cost_matrix("spam->ham=1, ham->spam=10", ["ham", "spam"])
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    matrix = 1.0 - np.eye(len(classes))
    for (true, called), cost in _pairs(costs, classes).items():
        if isinstance(cost, bool) or not isinstance(cost, int | float | np.number) or not math.isfinite(cost):
            raise LikelyError(f"the cost of {true!r} called {called!r} is {cost!r}: give a finite number.")
        place = [class_place(classes, label, "costs names") for label in (true, called)]
        matrix[place[0], place[1]] = cost
    return matrix


def _pairs(costs: object, classes: Sequence[Any]) -> Mapping[tuple[Any, Any], Any]:
    if costs is None:
        return {}
    if isinstance(costs, str):
        return _read(costs, classes)
    if isinstance(costs, Mapping) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in costs):
        return costs
    raise LikelyError(
        f"costs={costs!r}: give a cost by pairs of true and called class, such as "
        f"{{({classes[0]!r}, {classes[-1]!r}): 10}}, or the text '{classes[0]}->{classes[-1]}=10'."
    )


def _read(text: str, classes: Sequence[Any]) -> dict[tuple[Any, Any], float]:
    by_text = {str(label): label for label in classes}
    pairs = {}
    for part in text.split(","):
        match = _PAIR.fullmatch(part)
        try:
            if match is None:
                raise ValueError
            cost = float(match[3])
        except ValueError:
            raise LikelyError(
                f"costs: {part.strip()!r} is not understood; write 'true->called=cost', separated by commas."
            ) from None
        pairs[by_text.get(match[1], match[1]), by_text.get(match[2], match[2])] = cost
    return pairs


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
