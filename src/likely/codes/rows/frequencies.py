"""Probabilities -> whole numbers that every machine agrees on.

Exponentials, logarithms and matrix products differ in their last digits between machines. So a probability
is rounded to 17 significant bits, which hides such differences unless it lies next to where rounding turns.
The encoder writes down which way those few went (an *exception*): a decoder whose numbers differ by less than
one part in 10^11 comes to the same whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIGITS = 17  # significant bits
NEAR = 2.0**-20  # of the distance between neighbours: so close to the middle may turn either way
SCALE = 57  # a probability of 1 is 2^57 parts: the least has all its digits
LEAST = 2.0**-40  # what is called impossible can be told all the same


@dataclass(slots=True)
class Exceptions:
    """Which way roundings went that another machine might do otherwise, in the order they come in."""

    ways: list[bool] = field(default_factory=list)  # up?
    read: int | None = None  # how many were read so far; None: they are written

    def settle(self, up: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The ways of these roundings: as they go here, or as they went where they were written."""
        if self.read is None:
            self.ways += up.tolist()
            return up
        told = self.ways[self.read : self.read + len(up)]
        self.read += len(up)
        return np.array(told + up[len(told) :].tolist(), bool)


def whole_frequencies(p: Floats, exceptions: Exceptions) -> Ints:
    """Whole numbers in proportion to probabilities, each at least 1, of any shape.

    >>> whole_frequencies(np.array([0.5, 0.25, 0.0]), Exceptions()) // 2**17
    array([549755813888, 274877906944,            1])
    """
    mantissa, exponent = np.frexp(np.maximum(p, LEAST))
    scaled = mantissa * 2.0**DIGITS  # exact: a power of two
    below = np.floor(scaled)
    up = scaled - below >= 0.5
    near = np.abs(scaled - below - 0.5) <= NEAR
    if near.any():
        up[near] = exceptions.settle(up[near])
    whole = below.astype(np.int64) + up
    shift = SCALE - DIGITS + exponent.astype(np.int64)
    return np.maximum(np.where(shift >= 0, whole << np.maximum(shift, 0), whole >> np.maximum(-shift, 0)), 1)
