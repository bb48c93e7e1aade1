"""A product of tables summed in logs: slower than by matrices, and no part of it is too small.

A number that is a thousand standard deviations from where a level expects it makes that level's likelihood
vanish beside another's, which a table may rule out later. What is left is then below the least number, but
can be. Such sums are made again here, by the same plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import posterior_of_row
from likely.infer.contraction import Plan
from likely.infer.contraction_step import ContractionStep

Floats = NDArray[np.float64]
AT_ONCE = 1 << 20  # cells of all terms of a sum, beyond which they are added up bit by bit


class LogRun:
    """What a plan comes to for the logs of some tables, none of them by row; see `contraction.Run`.

    >>> from likely.infer.contraction import plan_contraction
    >>> plan = plan_contraction([(0,), (0, 1)], [2, 2])
    >>> run = LogRun(plan, [np.array([-5000.0, -np.inf]), np.zeros((2, 2))])
    >>> run.log_total.round(3), run.joints([0])[0]
    (np.float64(-4999.307), array([1., 0.]))
    """

    def __init__(self, plan: Plan, logs: Sequence[Floats]) -> None:
        self.plan = plan
        self.logs: list[Any] = list(logs)
        for step in plan.steps:
            self.logs.append(_forward(step, self.logs))

    @cached_property
    def log_total(self) -> Any:
        """The log of the sum over all variables; -inf if it is 0."""
        return np.sum([np.logaddexp.reduce(self.logs[place], axis=None) for place in self.plan.results])

    @property
    def table(self) -> Floats:
        """The sum by the variables kept, up to a factor; they must be some."""
        logs = self.logs[self.plan.results[-1]]
        possible = bool(logs.max() > -np.inf)
        last = posterior_of_row(logs.ravel()).reshape(logs.shape) if possible else np.zeros_like(logs)
        return np.asarray(last if self.plan.last_turn is None else last.transpose(self.plan.last_turn))

    def joints(self, wanted: Sequence[int], weight: float = 1.0, once: bool = False) -> list[Floats]:
        """Operands times their derivatives: shares of their cells; 0 where the sum is.

        If they are asked for `once`, other results are forgotten on the way.
        """
        plan, first, asked = self.plan, len(self.plan.scopes), set(wanted)
        slopes: list[Any] = [None] * len(self.logs)
        for place in plan.results:
            own = self.logs[place]
            slopes[place] = -own if self.log_total > -np.inf else np.full_like(own, -np.inf)
        for at in range(len(plan.steps) - 1, -1, -1):
            step = plan.steps[at]
            _backward(step, self.logs, slopes[first + at], slopes)
            if first + at not in asked:
                slopes[first + at] = None
            for operand in (step.left, step.right) if once else ():
                if operand >= first and operand not in asked:
                    self.logs[operand] = None
        return [weight * np.exp(self.logs[place] + slopes[place]) for place in wanted]


def log_product(left: Floats, right: Floats) -> Floats:
    """Matrix products of what these are the logs of: (b, i, j) and (b, j, l) to (b, i, l), as logs."""
    b, i, j = left.shape
    cells = b * i * right.shape[2]
    total = np.full((b, i, right.shape[2]), -np.inf)
    many = max(1, AT_ONCE // max(cells, 1))
    for start in range(0, j, many):
        some = slice(start, start + many)
        terms = left[:, :, some, None] + right[:, None, some, :]
        np.logaddexp(total, np.logaddexp.reduce(terms, axis=2), out=total)
    return total


def as_matrices(step: ContractionStep, values: Sequence[Any]) -> tuple[Floats, Floats]:
    """The operands of a product, (b, a, k) and (b, k, c)."""
    assert step.turn_right is not None
    left, right = step.turn_left.there(values[step.left]), step.turn_right.there(values[step.right])
    return (left[None], right[None]) if step.how == "dot" else (left, right)


def _forward(step: ContractionStep, logs: Sequence[Any]) -> Floats:
    if step.turn_right is None:
        own = step.turn_left.there(logs[step.left])
        return np.asarray(np.logaddexp.reduce(own, axis=1).reshape(step.shape))
    return log_product(*as_matrices(step, logs)).reshape(step.shape)


def _backward(step: ContractionStep, logs: Sequence[Any], slope: Any, slopes: list[Any]) -> None:
    if step.turn_right is None:
        shape = step.turn_left.matrix
        slopes[step.left] = step.turn_left.home(np.broadcast_to(slope.reshape(-1, 1), shape))
        return
    left, right = as_matrices(step, logs)
    cube = slope.reshape(left.shape[0], left.shape[1], right.shape[2])
    slopes[step.left] = step.turn_left.home(log_product(cube, right.transpose(0, 2, 1)))
    slopes[step.right] = step.turn_right.home(log_product(left.transpose(0, 2, 1), cube))
