"""Parameters as a user gives them: made into arrays, and refused with the name, the value and the remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import LikelyError
from likely.stats.groups import Floats, Ints

SUM_TOLERANCE = 1e-9


def numbers(name: str, value: ArrayLike) -> Floats:
    """The value as an array of floats.

    >>> numbers("rate", "three")
    Traceback (most recent call last):
    likely.errors.LikelyError: rate='three' is not a number: give a number, or an array of numbers.
    """
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise LikelyError(
            f"{name}={value!r} is not a number: give a number, or an array of numbers."
        ) from None


def finite(name: str, value: ArrayLike) -> Floats:
    """The value, if it is finite."""
    array = numbers(name, value)
    return demand(name, array, np.isfinite(array), "it must be finite; leave missing values out")


def positive(name: str, value: ArrayLike) -> Floats:
    """The value, if it is above 0.

    >>> positive("sd", [1.0, -2.0])
    Traceback (most recent call last):
    likely.errors.LikelyError: sd=-2.0: it must be above 0 and finite.
    """
    array = numbers(name, value)
    return demand(name, array, (array > 0) & np.isfinite(array), "it must be above 0 and finite")


def not_negative(name: str, value: ArrayLike) -> Floats:
    """The value, if it is 0 or above."""
    array = numbers(name, value)
    return demand(name, array, (array >= 0) & np.isfinite(array), "it must be 0 or above, and finite")


def weights(value: ArrayLike | None, n: int) -> Floats | None:
    """The weights of n rows, if each is 0 or above; None for none.

    >>> weights([1, -1, 2], 3)
    Traceback (most recent call last):
    likely.errors.LikelyError: weight=-1.0: it must be 0 or above, and finite.
    """
    if value is None:
        return None
    array = not_negative("weight", value)
    if array.shape != (n,):
        raise LikelyError(f"weight of shape {array.shape}: give a list of {n}, one for each value.")
    return array


def probability(name: str, value: ArrayLike) -> Floats:
    """The value, if it is from 0 to 1."""
    array = numbers(name, value)
    return demand(name, array, (array >= 0) & (array <= 1), "a probability is a number from 0 to 1")


def adding_to_one(name: str, value: Floats, total: Floats) -> Floats:
    """The value, if the totals of its probabilities are 1."""
    demand(
        f"the sum of {name}",
        total,
        np.abs(total - 1) <= SUM_TOLERANCE,
        "probabilities add up to 1; divide them by their sum",
    )
    return value


def demand(name: str, array: Floats, good: NDArray[np.bool_], remedy: str) -> Floats:
    """The array, if it is good everywhere; otherwise its first bad value is named."""
    if not good.all():
        raise LikelyError(f"{name}={array[~good].flat[0]}: {remedy}.")
    return array


def together(*arrays: Floats) -> tuple[Any, ...]:
    """The arrays brought to one shape."""
    return np.broadcast_arrays(*arrays)


def places(columns: ArrayLike, width: int) -> Ints:
    """The places of some of the columns, each once."""
    found = np.atleast_1d(np.asarray(columns, np.intp))
    if len(np.unique(found)) < len(found) or not ((found >= 0) & (found < width)).all():
        raise LikelyError(f"columns={found.tolist()!r}: give places from 0 to {width - 1}, each once.")
    return found
