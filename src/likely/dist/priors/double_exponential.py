"""The double exponential distribution, also called Laplace's: the prior that makes coefficients exactly 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import finite, positive, short, together
from likely.dist.univariate import Univariate
from likely.stats.groups import Floats


@dataclass(frozen=True, init=False, eq=False, repr=False)
class DoubleExponential(Univariate):
    """Density exp(-|x - location| / scale) / (2 scale). (`likely.Laplace` is a smoothing of counts.)

    As a prior of the coefficients of a regression it is the L1 penalty |coefficient| / scale.

    >>> DoubleExponential(0, 1).quantile(0.75).round(4)
    np.float64(0.6931)
    """

    location: Floats
    scale: Floats

    def __init__(self, location: ArrayLike = 0.0, scale: ArrayLike = 1.0) -> None:
        arrays = together(finite("location", location), positive("scale", scale))
        self._set(location=arrays[0], scale=arrays[1])

    def _z(self, x: Floats) -> Floats:
        """How many scales above the location."""
        return np.asarray((x - self.location) / self.scale)

    def _log_prob(self, x: Floats) -> Floats:
        return np.asarray(-np.abs(self._z(x)) - np.log(2 * self.scale))

    def _cdf(self, x: Floats) -> Floats:
        z = self._z(x)
        return np.where(z < 0, np.exp(np.minimum(z, 0)) / 2, 1 - np.exp(-np.maximum(z, 0)) / 2)

    def _sf(self, x: Floats) -> Floats:
        z = self._z(x)
        return np.where(z < 0, 1 - np.exp(np.minimum(z, 0)) / 2, np.exp(-np.maximum(z, 0)) / 2)

    def _quantile(self, q: Floats) -> Floats:
        away = np.where(q < 0.5, np.log(2 * q), -np.log(2 * (1 - q)))
        return np.asarray(self.location + self.scale * away)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.laplace(self.location, self.scale, shape)

    @cached_property
    def mean(self) -> Floats:
        """The location."""
        return self.location

    @cached_property
    def variance(self) -> Floats:
        """Twice the square of the scale."""
        return 2 * self.scale**2

    def entropy(self) -> Floats:
        """In nats."""
        return np.asarray(1 + np.log(2) + np.log(self.scale))

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "location 38.2, scale 13.6"."""
        return f"location {short(self.location[group, column])}, scale {short(self.scale[group, column])}"
