"""What a uniform distribution predicts when its ends are not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from likely.dist.distribution import short
from likely.dist.numeric.pieces import Pieces, just_below
from likely.dist.priors.bilateral_pareto import SeenEnds
from likely.dist.univariate import Univariate
from likely.stats.groups import Floats


@dataclass(frozen=True, init=False, eq=False, repr=False)
class UniformPareto(SeenEnds, Univariate):
    """Uniform from left to right with probability rows / (rows + 2), else beyond by a Pareto tail.

    >>> UniformPareto(0, 1, 2).prob([0.5, 1, 2, -1])
    array([0.5   , 0.5   , 0.0625, 0.0625])
    """

    def _log_prob(self, x: Floats) -> Floats:
        out = np.maximum(np.maximum(self.left - x, x - self.right), 0.0) / self._range
        inside = np.log(self.rows / (self.rows + 2)) - np.log(self._range)
        return np.asarray(inside - (self.rows + 1) * np.log1p(out))

    def _cdf(self, x: Floats) -> Floats:
        return self._up_to(self.left - x)

    def _sf(self, x: Floats) -> Floats:
        return self._up_to(x - self.right)

    def _up_to(self, beyond: Floats) -> Floats:
        """The probability of what lies as far, or farther, beyond one of the ends."""
        out = beyond / self._range
        tail = np.exp(-self.rows * np.log1p(np.maximum(out, 0.0)))
        within = self.rows * np.minimum(-out, 1.0)
        # Past the other end, all but that tail.
        other = -np.expm1(-self.rows * np.log1p(np.maximum(-out - 1, 0.0)))
        return np.asarray(np.where(out > 0, tail, 1 + within + other) / (self.rows + 2))

    def _quantile(self, q: Floats) -> Floats:
        part, upper = np.minimum(q, 1 - q) * (self.rows + 2), q > 0.5
        out = np.expm1(-np.log(np.minimum(part, 1.0)) / self.rows)  # 0 within
        away = self._range * (out - np.maximum(part - 1, 0.0) / self.rows)
        return np.where(upper, self.right + away, self.left - away)

    def pieces(self, column: int) -> Pieces:
        """A step for each group, and logarithms beyond it."""
        parts = (part[:, column].tolist() for part in (self.left, self.right, self.rows, self._range))
        return Pieces.beside([_with_tails(*own) for own in zip(*parts, strict=True)])

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        part = rng.random(shape) * (self.rows + 2)
        within = self.left + self._range * rng.random(shape)
        out = self._range * rng.pareto(self.rows, shape)
        beyond = np.where(part < 1, self.left - out, self.right + out)
        return np.where(part < 2, beyond, within)

    @cached_property
    def mean(self) -> Floats:
        """Half way; NaN where there is none: rows <= 1."""
        return np.where(self.rows > 1, self.left / 2 + self.right / 2, np.nan)

    @cached_property
    def variance(self) -> Floats:
        """Infinite for rows <= 2, NaN for rows <= 1."""
        a, some = self.rows, self.rows > 2
        # Of the distance beyond an end, in ranges: the mean, and the mean square.
        with np.errstate(divide="ignore", invalid="ignore"):
            once, twice = 1 / (a - 1), 2 / ((a - 1) * (a - 2))
            beyond = 0.25 + once + twice
            whole = self._range**2 * (a / 12 + 2 * beyond) / (a + 2)
        return np.where(some, whole, np.where(a > 1, np.inf, np.nan))

    def entropy(self) -> Floats:
        """In nats."""
        a = self.rows
        return np.asarray(np.log(self._range) - np.log(a / (a + 2)) + 2 * (a + 1) / a / (a + 2))

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "from 2.1 to 5.3, beyond 0.02"."""
        one = self.take((group, column))
        left, right, beyond = (short(float(own)) for own in (one.left, one.right, 2 / (one.rows + 2)))
        return f"from {left} to {right}, beyond {beyond}"


def _with_tails(left: float, right: float, rows: float, width: float) -> Pieces:
    """log P(x) of one group: the same from left to right, and falling beyond."""
    constant = float(np.log(rows / (rows + 2)) - np.log(width))
    steps = Pieces.steps(np.append(just_below(left), right), np.full((3, 1), constant))
    logs = np.array([[[-(rows + 1), -1 / width, 0.0]], [[0.0] * 3], [[-(rows + 1), 1 / width, 0.0]]])
    return replace(steps, centre=np.array([[left], [0.0], [right]]), logs=logs)
