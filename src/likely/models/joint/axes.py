"""Arithmetic on a table with one axis a variable: sum axes out, keep some places, put axes together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.models.joint.variables import Columns, known_name, listed_names, places

Floats = NDArray[np.float64]


def axes_of(columns: Columns, names: str | Sequence[str]) -> tuple[int, ...]:
    """The axes of one variable or several, each named once."""
    known = [column.name for column in columns]
    axes = tuple(known.index(known_name(name, known)) for name in listed_names(names))
    if len(set(axes)) < len(axes):
        raise LikelyError(f"{list(names)!r} names a variable twice: name each once.")
    return axes


def summed(probs: Floats, axes: Sequence[int]) -> Floats:
    """The probabilities of some variables, their axes in this order; the others are summed out.

    >>> summed(np.array([[0.1, 0.2], [0.3, 0.4]]), [1]).round(12)
    array([0.4, 0.6])
    """
    kept = sorted(axes)
    left = probs.sum(axis=tuple(axis for axis in range(probs.ndim) if axis not in kept))
    return np.array(left.transpose([kept.index(axis) for axis in axes]), order="C")


def sides(columns: Columns, probs: Floats, *asked: str | Sequence[str]) -> Floats:
    """The probabilities with one axis for each side: several variables, or on the first side none."""
    names = [listed_names(side) for side in asked]
    if not all(names[1:]):
        raise LikelyError("a side of the question names no variable: name one variable at least.")
    axes = axes_of(columns, [name for side in names for name in side])
    sizes = [math.prod(len(columns[axis].levels or ()) for axis in axes_of(columns, side)) for side in names]
    return summed(probs, axes).reshape(sizes)


def allowed(columns: Columns, *said: Mapping[str, Any]) -> dict[int, list[int]]:
    """The places among the levels that all statements allow, by the axis of their variable."""
    chosen: dict[int, list[int]] = {}
    for values in said:
        for name, value in values.items():
            (axis,) = axes_of(columns, [name])
            here = places(columns[axis], value)
            before = chosen.get(axis, here)
            chosen[axis] = [place for place in here if place in before]
    return chosen


def within(probs: Floats, chosen: Mapping[int, Sequence[int]]) -> Floats:
    """The cells at the chosen places of some axes; every axis stays.

    >>> within(np.array([[0.1, 0.2], [0.3, 0.4]]), {1: [0]})
    array([[0.1],
           [0.3]])
    """
    for axis, at in chosen.items():
        if len(at) == 1:  # a view, which is faster than taking out
            probs = probs[(slice(None),) * axis + (slice(at[0], at[0] + 1),)]
        else:
            probs = probs.take(np.asarray(at, np.intp), axis=axis)
    return probs
