"""Probabilities -> whole numbers that every machine agrees on.

Exponentials, logarithms and matrix products differ in their last digits between machines. So a probability
is rounded to 17 significant bits, which hides such differences unless it lies next to where rounding turns.
The encoder writes down which those few were and which way they went (*exceptions*): a decoder whose numbers
differ by less than 7 parts in 10^12 (`NEAR` of the last digit) comes to the same whole numbers.
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
    """Which way roundings went that another machine might do otherwise, by their places among all."""

    ways: dict[int, bool] = field(default_factory=dict)  # up?
    written: bool = True  # are they written, or read?
    passed: int = 0  # probabilities so far

    def settle(self, up: NDArray[np.bool_], near: NDArray[np.bool_]) -> None:
        """Note the ways of these roundings, or let them go as they went where they were written."""
        start, flat = self.passed, up.reshape(-1)
        self.passed += len(flat)
        if self.written:
            at = np.flatnonzero(near)
            self.ways.update(zip((start + at).tolist(), flat[at].tolist(), strict=True))
        elif self.ways:
            own = [place for place in self.ways if start <= place < self.passed]
            flat[np.array(own, np.intp) - start] = [self.ways[place] for place in own]


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
    exceptions.settle(up, near)
    whole = below.astype(np.int64) + up
    shift = SCALE - DIGITS + exponent.astype(np.int64)
    return np.maximum(np.where(shift >= 0, whole << np.maximum(shift, 0), whole >> np.maximum(-shift, 0)), 1)
