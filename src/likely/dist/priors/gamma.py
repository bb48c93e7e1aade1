"""The gamma distribution: the prior of a rate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import positive, together
from likely.dist.numeric.logs import digamma, log_gamma, log_rising, special, x_log_y
from likely.dist.prior import Prior
from likely.dist.univariate import Ends, Univariate
from likely.stats.groups import Floats
from likely.stats.sums import CountSums, Sums


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Gamma(Univariate, Prior):
    """The density of r proportional to r^(shape-1) exp(-rate r): as if `shape` were counted in `rate` rows.

    >>> Gamma(3, 2).mean, Gamma(3, 2).mode
    (array(1.5), array(1.))
    """

    shape: Floats
    rate: Floats

    def __init__(self, shape: ArrayLike, rate: ArrayLike) -> None:
        counted, rows = together(positive("shape", shape), positive("rate", rate))
        self._set(shape=counted, rate=rows)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """From 0 on."""
        return np.asarray((x >= 0) & (x < np.inf))

    def _log_prob(self, x: Floats) -> Floats:
        scaled = x * self.rate
        return np.log(self.rate) + x_log_y(self.shape - 1, scaled) - scaled - log_gamma(self.shape)

    def ends(self) -> Ends:
        """From 0 on."""
        return 0.0, np.inf

    def _cdf(self, x: Floats) -> Floats:
        return special("gammainc", self.shape, x * self.rate)

    def _sf(self, x: Floats) -> Floats:
        return special("gammaincc", self.shape, x * self.rate)

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(special("gammaincinv", self.shape, q) / self.rate)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.standard_gamma(self.shape, shape) / self.rate

    @cached_property
    def mean(self) -> Floats:
        """shape / rate."""
        return np.asarray(self.shape / self.rate)

    @cached_property
    def variance(self) -> Floats:
        """shape / rate^2."""
        return np.asarray(self.shape / self.rate**2)

    @property
    def mode(self) -> Floats:
        """(shape - 1) / rate; 0 where the shape is below 1."""
        return np.asarray(np.maximum(self.shape - 1, 0) / self.rate)

    def entropy(self) -> Floats:
        """In nats."""
        shape = self.shape
        return shape - np.log(self.rate) + log_gamma(shape) + (1 - shape) * digamma(shape)

    def posterior(self, stat: Sums | CountSums) -> Gamma:
        """What is believed once `total` events are seen in `n` rows, or in so long a time."""
        return Gamma(self.shape + stat.total, self.rate + stat.n)

    def log_natural(self, rate: Floats) -> Floats:
        """shape log r - rate r."""
        return np.asarray(x_log_y(self.shape, rate) - self.rate * rate)

    def log_evidence(self, stat: Sums | CountSums) -> Floats:
        """The log of the expected r^total exp(-n r)."""
        rate = self.rate + stat.n
        counted = log_rising(self.shape, stat.total) - stat.total * np.log(rate)
        return np.asarray(counted - self.shape * np.log1p(stat.n / self.rate))
