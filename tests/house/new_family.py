"""A family that the library does not have, as a user would write it: one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likely.dist import Family, Gamma, StudentT, Univariate
from likely.stats import Groups, Sums
from likely.table.column.kinds import Kind

LOG_HEIGHT = 0.5 * np.log(2 / np.pi)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class FoldedT(Univariate):
    """The size of an error whose precision is Gamma(shape, rate)."""

    shape: Any
    rate: Any

    def __init__(self, shape: Any, rate: Any) -> None:
        first, second = np.broadcast_arrays(np.asarray(shape, float), np.asarray(rate, float))
        self._set(shape=first, rate=second)

    @property
    def _t(self) -> StudentT:
        return StudentT(2 * self.shape, 0.0, np.sqrt(self.rate / self.shape))

    @classmethod
    def inside(cls, x: Any) -> Any:
        return (x >= 0) & (x < np.inf)

    def _log_prob(self, x: Any) -> Any:
        return np.log(2) + self._t.log_prob(x)

    def ends(self) -> Any:
        return 0.0, np.inf

    def _cdf(self, x: Any) -> Any:
        return 2 * self._t.cdf(x) - 1

    def _sf(self, x: Any) -> Any:
        return 2 * self._t.sf(x)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        return np.abs(self._t._draw(rng, shape))

    @cached_property
    def mean(self) -> Any:
        """By the quantiles: good enough for a test."""
        return np.mean([self.quantile(np.full(self.batch, q)) for q in (np.arange(200) + 0.5) / 200], axis=0)

    @cached_property
    def variance(self) -> Any:
        return self._t.variance + self._t.mean**2 - self.mean**2

    def entropy(self) -> Any:
        return self._t.entropy() - np.log(2)

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        return f"mean size {self.mean[group, column]:.3g}"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class HalfNormal(Univariate, Family):
    """The size of a normal error of this precision."""

    name = "half_normal"
    kinds = (Kind.QUANTITATIVE,)
    statistic = Sums
    conjugate = Gamma
    predicted_by = FoldedT
    story = "the size of a normal error, with the precision of the {group}"
    outside = "half_normal describes sizes of errors, from 0 on"

    precision: Any

    def __init__(self, precision: Any) -> None:
        self._set(precision=np.asarray(precision, float))

    @classmethod
    def collect(cls, rows: Any, groups: Groups, sizes: Any = None) -> Sums:
        return Sums.collect(np.asarray(rows) ** 2 / 2, groups)

    @classmethod
    def ml(cls, stat: Sums) -> HalfNormal:
        pooled = stat.pooled()
        n, total = np.where(stat.n > 0, (stat.n, stat.total), np.stack([pooled.n, pooled.total]))
        return cls(np.where(total > 0, n, 1.0) / 2 / np.where(total > 0, total, 0.5))

    inside = FoldedT.inside
    ends = FoldedT.ends

    def _log_prob(self, x: Any) -> Any:
        return LOG_HEIGHT + 0.5 * np.log(self.precision) - self.precision * x**2 / 2

    def _z(self, x: Any) -> Any:
        return x * np.sqrt(self.precision / 2)

    def _cdf(self, x: Any) -> Any:
        from scipy.special import erf

        return erf(self._z(x))

    def _sf(self, x: Any) -> Any:
        from scipy.special import erfc

        return erfc(self._z(x))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        return np.abs(rng.standard_normal(shape)) / np.sqrt(self.precision)

    @cached_property
    def mean(self) -> Any:
        return np.sqrt(2 / np.pi / self.precision)

    @cached_property
    def variance(self) -> Any:
        return (1 - 2 / np.pi) / self.precision

    def entropy(self) -> Any:
        return 0.5 - LOG_HEIGHT - 0.5 * np.log(self.precision)

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        return f"mean size {self.mean[group, column]:.3g}"

    def as_seen(self) -> Sums:
        return Sums(np.ones_like(self.precision), 0.5 / self.precision)

    @classmethod
    def told(cls, prior: Gamma, stat: Sums) -> Sums:
        return Sums(n=stat.total, total=stat.n / 2)

    @classmethod
    def log_base(cls, prior: Gamma, stat: Sums) -> Any:
        return stat.n * LOG_HEIGHT

    @classmethod
    def at(cls, prior: Gamma, parameters: Any) -> HalfNormal:
        return cls(parameters)

    @classmethod
    def predictive(cls, prior: Gamma) -> FoldedT:
        return FoldedT(prior.shape, prior.rate)

    def log_natural(self, prior: Gamma) -> Any:
        return prior.log_natural(self.precision)

    @classmethod
    def default_prior(cls, stat: Sums, strength: float = 1.0) -> Gamma:
        pooled = stat.pooled()
        return Gamma(strength / 2 + 0 * pooled.n, strength * pooled.total / np.maximum(pooled.n, 1.0))
