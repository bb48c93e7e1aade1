"""The most probable values of all variables of a product of tables, by the plan that sums it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer.contraction import Plan
from likely.infer.contraction_step import ContractionStep
from likely.infer.log_contraction import as_matrices

Floats = NDArray[np.float64]


def most_probable(plan: Plan, logs: Sequence[Floats]) -> tuple[dict[int, int], float]:
    """The values that make the product largest, by variable, and the log of it there; -inf if it is 0.

    The steps of the plan with the largest in place of the sum, in logs, of which none gets too small; then
    back through them, each telling the values of what it took the largest of, at the values that are known by
    then.

    >>> from likely.infer.contraction import plan_contraction
    >>> logs = [np.log([0.6, 0.4]), np.log([[0.5, 0.5], [0.1, 0.9]])]
    >>> sorted(most_probable(plan_contraction([(0,), (0, 1)], [2, 2]), logs)[0].items())
    [(0, 1), (1, 1)]
    """
    values: list[Any] = list(logs)
    scopes = [list(scope) for scope in plan.scopes]
    for step in plan.steps:
        values.append(_largest(step, values))
        scopes.append(_scope(plan, step, scopes))
    log_largest = float(sum(values[place] for place in plan.results))
    at: dict[int, int] = {}
    for step in reversed(plan.steps):
        operands = [place for place in (step.left, step.right) if place >= 0]
        names = sorted({v for place in operands for v in scopes[place] if v not in at})
        if not names:
            continue
        product = np.zeros([plan.sizes[v] for v in names])
        for place in operands:
            own = values[place][tuple(at.get(v, slice(None)) for v in scopes[place])]
            left = [v for v in scopes[place] if v not in at]
            order = sorted(range(len(left)), key=left.__getitem__)
            shape = [plan.sizes[v] if v in left else 1 for v in names]
            product = product + own.transpose(order).reshape(shape)
        best = np.unravel_index(int(product.argmax()), product.shape)
        at.update({v: int(i) for v, i in zip(names, best, strict=True)})
    return at, log_largest


def _scope(plan: Plan, step: ContractionStep, scopes: list[list[int]]) -> list[int]:
    """The variables of a step's result, in the order of its axes."""
    ours = scopes[step.left]
    if step.right < 0 or step.turn_right is None:
        turned = [ours[axis] for axis in step.turn_left.axes or range(len(ours))]
        return turned[: len(step.shape)]
    theirs = scopes[step.right]
    left = [ours[axis] for axis in step.turn_left.axes or range(len(ours))]
    right = [theirs[axis] for axis in step.turn_right.axes or range(len(theirs))]
    other = [v for v in right if v not in left]
    return [*left[: len(step.shape) - len(other)], *other]


def _largest(step: ContractionStep, values: list[Any]) -> Floats:
    """The result of a step, with the largest in place of the sum."""
    if step.turn_right is None:
        return np.asarray(step.turn_left.there(values[step.left]).max(axis=1).reshape(step.shape))
    left, right = as_matrices(step, values)
    result = left[:, :, 0, None] + right[:, 0, None, :]
    for i in range(1, left.shape[2]):  # one by one: no table of all of them
        np.maximum(result, left[:, :, i, None] + right[:, i, None, :], out=result)
    return np.asarray(result.reshape(step.shape))
