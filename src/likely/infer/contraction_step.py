"""One step of a product of tables: two operands become one, as a product of matrices, and the way back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Shape = tuple[int, ...]


class Turn(NamedTuple):
    """How an operand is laid out for its step, and back: axes in the order of the step, then as a matrix."""

    axes: Shape | None  # None: they are in order
    matrix: Shape
    shape: Shape  # of the turned operand
    back: Shape | None

    def there(self, array: Floats) -> Floats:
        """As a matrix."""
        if self.axes is not None:
            array = array.transpose(self.axes)
        return array.reshape(self.matrix)

    def home(self, matrix: Floats) -> Floats:
        """As the operand was."""
        array = matrix.reshape(self.shape)
        return array if self.back is None else array.transpose(self.back)


class ContractionStep(NamedTuple):
    """Two operands, by their places among tables and results, become one; or one is summed (right < 0)."""

    left: int
    right: int
    turn_left: Turn
    turn_right: Turn | None
    how: str  # "dot", "batch", "times" or "rows"
    shape: Shape  # of the result: sizes of its variables, and -1 for rows
    rescale: bool


def forward(step: ContractionStep, values: list[Any]) -> Any:
    """What a step comes to."""
    left = step.turn_left.there(values[step.left])
    if step.turn_right is None:
        return left.sum(axis=1).reshape(step.shape)
    right = step.turn_right.there(values[step.right])
    match step.how:
        case "dot":
            product = left.dot(right)
        case "rows":
            product = np.einsum("bakn,bkcn->bacn", left, right)
        case "times":
            product = left * right
        case _:
            product = left @ right
    return product.reshape(step.shape)


def backward(
    step: ContractionStep, values: list[Any], slope: Any, needed: list[bool], slopes: list[Any]
) -> None:
    """The slopes of a step's operands from that of its result."""
    turn_left, turn_right = step.turn_left, step.turn_right
    left = turn_left.there(values[step.left])
    if turn_right is None:
        spread = np.broadcast_to(slope.reshape(left.shape[0], 1, *left.shape[2:]), left.shape)
        slopes[step.left] = turn_left.home(spread)
        return
    right = turn_right.there(values[step.right])
    if step.how == "dot":
        matrix = slope.reshape(left.shape[0], right.shape[1])
        if needed[step.left]:
            slopes[step.left] = turn_left.home(matrix.dot(right.T))
        if needed[step.right]:
            slopes[step.right] = turn_right.home(left.T.dot(matrix))
        return
    if step.how == "rows":
        cube = slope.reshape(left.shape[0], left.shape[1], right.shape[2], -1)
        if needed[step.left]:
            slopes[step.left] = turn_left.home(np.einsum("bacn,bkcn->bakn", cube, right))
        if needed[step.right]:
            slopes[step.right] = turn_right.home(np.einsum("bakn,bacn->bkcn", left, cube))
        return
    cube = slope.reshape(left.shape[0], left.shape[1], right.shape[2])
    if needed[step.left]:
        slopes[step.left] = turn_left.home(cube @ right.transpose(0, 2, 1))
    if needed[step.right]:
        slopes[step.right] = turn_right.home(left.transpose(0, 2, 1) @ cube)
