"""The Lomax distribution: what an exponential distribution predicts when its rate is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import positive, short, together
from likely.dist.numeric.pieces import Pieces, just_below
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Lomax(Univariate):
    """A waiting time, exponential with a rate that is Gamma(shape, scale): a Pareto distribution from 0 on.

    >>> Lomax(1, 2).sf([0, 2, 6])  # scale / (scale + x)
    array([1.  , 0.5 , 0.25])
    """

    shape: Floats
    scale: Floats

    def __init__(self, shape: ArrayLike, scale: ArrayLike) -> None:
        first, second = together(positive("shape", shape), positive("scale", scale))
        self._set(shape=first, scale=second)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """From 0 on."""
        return np.asarray((x >= 0) & (x < np.inf))

    def _log_prob(self, x: Floats) -> Floats:
        return np.asarray(
            np.log(self.shape) - np.log(self.scale) - (self.shape + 1) * np.log1p(x / self.scale)
        )

    def ends(self) -> Ends:
        """From 0 on."""
        return 0.0, np.inf

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(-np.expm1(-self.shape * np.log1p(x / self.scale)))

    def _sf(self, x: Floats) -> Floats:
        return np.exp(-self.shape * np.log1p(x / self.scale))

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(self.scale * np.expm1(-np.log1p(-q) / self.shape))

    def pieces(self, column: int) -> Pieces:
        """A logarithm, from 0 on."""
        shape, scale = self.shape[:, column], self.scale[:, column]
        one = Pieces.quadratic(np.log(shape) - np.log(scale), 0.0, 0.0)
        logs = np.stack([-(shape + 1), 1 / scale, np.zeros_like(scale)], axis=-1)[None]
        return replace(one, logs=logs).only(above=float(just_below(0.0)))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        # By its quantiles: a rate that rounds to 0 would wait for ever.
        return np.asarray(self.scale * np.expm1(rng.standard_exponential(shape) / self.shape))

    @cached_property
    def mean(self) -> Floats:
        """scale / (shape - 1); infinite for a shape of 1 or below."""
        some = self.shape > 1
        return np.where(some, self.scale / np.where(some, self.shape - 1, 1.0), np.inf)

    @cached_property
    def variance(self) -> Floats:
        """Infinite for a shape of 2 or below."""
        some = self.shape > 2
        factor = np.where(some, self.shape / np.where(some, self.shape - 2, 1.0), np.inf)
        return np.where(some, self.mean**2 * np.where(some, factor, 1.0), np.inf)

    def entropy(self) -> Floats:
        """In nats."""
        return np.asarray(1 + 1 / self.shape + np.log(self.scale) - np.log(self.shape))

    def describe(self, group: int, column: int, levels: Sequence[object] | None = None) -> str:
        """As "mean 3.2, median 2.1"."""
        one = self.take((group, column))
        return f"mean {short(float(one.mean))}, median {short(float(one.quantile(0.5)))}"
