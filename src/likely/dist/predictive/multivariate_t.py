"""The multivariate t: what a multivariate normal predicts when its mean and covariance are not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import finite, positive, short
from likely.dist.elliptical import Elliptical, around
from likely.dist.numeric.logs import digamma, log_rising
from likely.stats.groups import Floats, Ints


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MultivariateT(Elliptical):
    """location + normal draws of covariance `scale`, over the root of a mean square of df of them.

    >>> MultivariateT(1, [0, 0], [[1, 0], [0, 1]]).prob([0, 0]) * 2 * np.pi
    np.float64(1.0)
    """

    location: Floats  # (..., d)
    scale: Floats  # (..., d, d)
    df: Floats  # (...)
    location_rest: Floats = field(repr=False)  # (..., d) what rounding took from the location

    def __init__(
        self, df: ArrayLike, location: ArrayLike, scale: ArrayLike, location_rest: ArrayLike = 0.0
    ) -> None:
        centre, matrix = around(finite("location", location), "scale", finite("scale", scale))
        rest = np.broadcast_to(finite("location_rest", location_rest), centre.shape)
        freedom = np.broadcast_to(positive("df", df), centre.shape[:-1])
        self._set(location=centre, scale=matrix, df=freedom, location_rest=rest)

    @property
    def _centre(self) -> Floats:
        return self.location

    @property
    def _centre_rest(self) -> Floats:
        return self.location_rest

    @property
    def _matrix(self) -> Floats:
        return self.scale

    def _slope(self, q: Floats, width: int | Ints) -> Floats:
        with np.errstate(invalid="ignore"):
            fall = np.where(q > 0, np.log1p(q / self.df) / np.where(q > 0, q, 1), 1 / self.df)
        return np.asarray(-(self.df + width) / 2 * fall)

    def _log_height(self, log_det: Floats, width: int | Ints) -> Floats:
        volume = width * np.log(np.pi * self.df) + log_det
        return np.asarray(log_rising(self.df / 2, width / 2) - 0.5 * volume)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        apart = self._draw_apart(rng, shape)
        return np.asarray(self.location + apart / np.sqrt(rng.chisquare(self.df, shape) / self.df)[..., None])

    @cached_property
    def mean(self) -> Floats:
        """NaN where there is none: df <= 1."""
        return np.where(self.df[..., None] > 1, self.location, np.nan)

    @cached_property
    def covariance(self) -> Floats:
        """scale * df / (df - 2); infinite for df <= 2."""
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.where(self.df > 2, self.df / np.maximum(self.df - 2, 0), np.inf)
            return np.asarray(self.scale * factor[..., None, None])

    @cached_property
    def variance(self) -> Floats:
        """Of each column."""
        return np.diagonal(self.covariance, axis1=-2, axis2=-1)

    def entropy(self) -> Floats:
        """In nats."""
        width = self.location.shape[-1]
        half = (self.df + width) / 2
        spread = half * (digamma(half) - digamma(self.df / 2))
        return np.asarray(spread - self._log_height(self._factor.log_det, width))[()]

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "mean 38.2, scale 13.6"."""
        scale = np.sqrt(self.scale[group, column, column])
        return f"mean {short(self.location[group, column])}, scale {short(scale)}"
