"""How to add and multiply along a chain: probabilities as they are, their logs, or the best of logs.

What runs along chains (see `passes`) is written once for all three. Arrays are (..., states, chunks).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Semiring(Protocol):
    """An addition and a multiplication."""

    zero: float
    one: float
    costs: float  # an addition, beside one of numbers as they are

    def of(self, logs: Floats) -> Floats:
        """From logs."""

    def log(self, values: Floats) -> Floats:
        """To logs."""

    def times(self, a: Floats, b: Floats, out: Floats | None = None) -> Floats:
        """The product, cell by cell."""

    def inverse(self, values: Floats) -> Floats:
        """One over each."""

    def total(self, values: Floats, axis: int) -> Floats:
        """The sum along an axis."""

    def move(self, matrix: Floats, values: Floats, out: Floats) -> Floats:
        """The product of a matrix (s, s) with vectors (..., s, w)."""

    def level(self, values: Floats) -> Floats:
        """Divide vectors (..., s, w) by their sums, in place; the sums, or one where they are zero."""

    def pairs(self, matrix: Floats, before: Floats, after: Floats, weight: Floats | None) -> Floats:
        """The sum over w, as a number, of before (s, w) times matrix (s, s) times after (s, w), (s, s)."""


class ScaledSums:
    """Probabilities as they are, brought to scale now and then."""

    zero, one, costs = 0.0, 1.0, 1.0

    def of(self, logs: Floats) -> Floats:
        """From logs."""
        return np.exp(logs)

    def log(self, values: Floats) -> Floats:
        """To logs."""
        with np.errstate(divide="ignore"):
            return np.log(values)

    def times(self, a: Floats, b: Floats, out: Floats | None = None) -> Floats:
        """The product, cell by cell."""
        return np.multiply(a, b, out)

    def inverse(self, values: Floats) -> Floats:
        """One over each: a division takes four times as long as a product, so one for all states."""
        return np.reciprocal(values)

    def total(self, values: Floats, axis: int) -> Floats:
        """The sum along an axis."""
        return np.asarray(np.add.reduce(values, axis))

    def move(self, matrix: Floats, values: Floats, out: Floats) -> Floats:
        """The product of a matrix (s, s) with vectors (..., s, w)."""
        return np.matmul(matrix, values, out=out)

    def level(self, values: Floats) -> Floats:
        """Divide vectors (..., s, w) by their sums, in place; the sums, or one where they are zero."""
        size: Floats = np.add.reduce(values, -2)
        size[size == 0.0] = 1.0
        np.divide(values, size[..., None, :], out=values)
        return size

    def pairs(self, matrix: Floats, before: Floats, after: Floats, weight: Floats | None) -> Floats:
        """The sum over w of before (s, w) times matrix (s, s) times after (s, w), (s, s)."""
        return matrix * ((before if weight is None else before * weight) @ after.T)


class LogSums:
    """Logs of probabilities: as far apart as they may be, at ten times the time."""

    zero, one, costs = -np.inf, 0.0, 40.0

    def of(self, logs: Floats) -> Floats:
        """From logs."""
        return logs

    def log(self, values: Floats) -> Floats:
        """To logs."""
        return values

    def times(self, a: Floats, b: Floats, out: Floats | None = None) -> Floats:
        """The product, cell by cell."""
        return np.add(a, b, out)

    def inverse(self, values: Floats) -> Floats:
        """One over each."""
        return np.negative(values)

    def total(self, values: Floats, axis: int) -> Floats:
        """The sum along an axis."""
        highest = values.max(axis=axis, keepdims=True)
        anchor = np.where(np.isneginf(highest), 0.0, highest)
        with np.errstate(divide="ignore"):
            logs = np.log(np.exp(values - anchor).sum(axis=axis, keepdims=True))
        return np.asarray(np.squeeze(logs + anchor, axis=axis))

    def move(self, matrix: Floats, values: Floats, out: Floats) -> Floats:
        """The product of a matrix (s, s) with vectors (..., s, w)."""
        out[...] = self.total(matrix[:, :, None] + values[..., None, :, :], -2)
        return out

    def level(self, values: Floats) -> Floats:
        """Divide vectors (..., s, w) by their sums, in place; the sums, or one where they are zero."""
        size = self.total(values, -2)
        size[np.isneginf(size)] = 0.0
        np.subtract(values, size[..., None, :], out=values)
        return size

    def pairs(self, matrix: Floats, before: Floats, after: Floats, weight: Floats | None) -> Floats:
        """The sum over w, as a number, of before (s, w) times matrix (s, s) times after (s, w), (s, s)."""
        sums = np.empty_like(matrix)
        for state, row in enumerate(matrix):
            terms = np.exp(before[state] + row[:, None] + after)
            sums[state] = terms.sum(axis=1) if weight is None else terms @ weight
        return sums


class LogBest(LogSums):
    """Logs of which the sum is the greatest: how probable the best way is."""

    costs = 10.0

    def total(self, values: Floats, axis: int) -> Floats:
        """The greatest along an axis."""
        return np.asarray(values.max(axis=axis))


SUMS, LOG_SUMS, LOG_BEST = ScaledSums(), LogSums(), LogBest()
