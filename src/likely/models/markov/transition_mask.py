"""Which states may follow which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# A word, or a matrix (states, states) whose zeros are the moves that cannot be; None: every state may follow.
Transitions = str | Sequence[Any] | NDArray[Any] | None

LEFT_TO_RIGHT = "left-to-right"


def allowed(transitions: Transitions, states: int) -> Bools:
    """Which states may begin (first), and which may follow each, (1 + s, s).

    >>> allowed("left-to-right", 3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [0, 1, 1],
           [0, 0, 1]])
    """
    mask = np.ones((1 + states, states), bool)
    if transitions is None:
        return mask
    if is_left_to_right(transitions):
        mask[0] = np.arange(states) == 0
        ahead = np.arange(states) - np.arange(states)[:, None]
        mask[1:] = (ahead == 0) | (ahead == 1)
        return mask
    mask[1:] = given_moves(transitions, states) > 0
    return mask


def is_left_to_right(transitions: Transitions) -> bool:
    """Whether states come one after the other."""
    return isinstance(transitions, str) and transitions == LEFT_TO_RIGHT


def given_moves(transitions: Transitions, states: int) -> Floats:
    """The matrix that a user gave, or an error that says what is wrong with it."""
    try:
        given = np.asarray(transitions, np.float64)
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.shape != (states, states):
        raise LikelyError(
            f"transitions={transitions!r}: give 'left-to-right', or a matrix of {states} by {states} whose "
            "zeros are the moves that cannot be."
        )
    if not (np.isfinite(given) & (given >= 0)).all():
        raise LikelyError("transitions: every entry must be 0 or more.")
    if not given.any(axis=1).all():
        stuck = int(np.argmin(given.any(axis=1)))
        raise LikelyError(
            f"transitions: nothing may follow state {stuck}: let it follow itself, if it is the last."
        )
    return given
