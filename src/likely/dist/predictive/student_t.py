"""Student's t: what a normal distribution predicts when its mean and variance are not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import finite, positive, short, together
from likely.dist.numeric.logs import digamma, log_rising, special
from likely.dist.numeric.pieces import Pieces
from likely.dist.univariate import Univariate
from likely.stats.groups import Floats


@dataclass(frozen=True, init=False, eq=False, repr=False)
class StudentT(Univariate):
    """location + scale * t with df degrees of freedom.

    >>> StudentT(1).cdf(1).round(12)  # Cauchy
    np.float64(0.75)
    """

    df: Floats
    location: Floats
    scale: Floats
    location_rest: Floats = field(repr=False)  # what rounding took from the location

    def __init__(
        self,
        df: ArrayLike,
        location: ArrayLike = 0.0,
        scale: ArrayLike = 1.0,
        location_rest: ArrayLike = 0.0,
    ) -> None:
        arrays = positive("df", df), finite("location", location), positive("scale", scale)
        names = ("df", "location", "scale", "location_rest")
        self._set(**dict(zip(names, together(*arrays, finite("location_rest", location_rest)), strict=True)))

    @cached_property
    def _log_height(self) -> Floats:
        """The log density at the location."""
        return np.asarray(log_rising(self.df / 2, 0.5) - 0.5 * np.log(np.pi * self.df) - np.log(self.scale))

    def _log_prob(self, x: Floats) -> Floats:
        z = self._z(x)
        return self._log_height - (self.df + 1) / 2 * np.log1p(z * z / self.df)

    def _z(self, x: Floats) -> Floats:
        """How many scales above the location."""
        return np.asarray(((x - self.location) - self.location_rest) / self.scale)

    def _cdf(self, x: Floats) -> Floats:
        return special("stdtr", self.df, self._z(x))

    def _sf(self, x: Floats) -> Floats:
        return special("stdtr", self.df, -self._z(x))

    def _quantile(self, q: Floats) -> Floats:
        away = self.scale * special("stdtrit", self.df, q)
        return np.asarray(self.location + (self.location_rest + away))

    def pieces(self, column: int) -> Pieces:
        """The logarithm of a quadratic, around each location."""
        df, scale, rest = (part[:, column] for part in (self.df, self.scale, self.location_rest))
        # 1 + ((u - rest) / scale)^2 / df, as a multiple of 1 + a u + b u^2.
        off, k = rest / scale, -(df + 1) / 2
        whole = 1 + off * off / df
        a, b = -2 * off / scale / df / whole, 1 / scale / scale / df / whole
        one = Pieces.quadratic(
            self._log_height[:, column] + k * np.log(whole), 0.0, 0.0, self.location[:, column]
        )
        return replace(one, logs=np.stack([k, a, b], axis=-1)[None])

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return self.location + self.scale * rng.standard_t(self.df, shape)

    @cached_property
    def mean(self) -> Floats:
        """NaN where there is none: df <= 1."""
        return np.where(self.df > 1, self.location, np.nan)

    @cached_property
    def variance(self) -> Floats:
        """Infinite for df <= 2, NaN for df <= 1."""
        with np.errstate(divide="ignore"):
            variance = self.scale**2 * np.where(self.df > 2, self.df / np.maximum(self.df - 2, 0), np.inf)
        return np.where(self.df > 1, variance, np.nan)

    def entropy(self) -> Floats:
        """In nats."""
        half = self.df / 2
        spread = digamma(half + 0.5) - digamma(half)
        return np.asarray((half + 0.5) * spread - self._log_height)

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "mean 38.2, scale 13.6, 12 degrees of freedom"."""
        one = self.take((group, column))
        location, scale, df = (short(float(own)) for own in (one.location, one.scale, one.df))
        return f"mean {location}, scale {scale}, {df} degrees of freedom"
