"""Multivariate normals whose covariance is shrunk by as much as the data themselves recommend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.dist.families.multivariate_normal import MultivariateNormal, spread_of
from likely.dist.families.tied_normal import Tied, TiedNormal
from likely.dist.family import PriorWord
from likely.dist.prior import LevelNames, Prior
from likely.dist.priors.normal_inverse_wishart import SharedCovariance
from likely.dist.shrinkage import ALL, Shrinkage, towards_balls
from likely.stats.groups import Floats
from likely.stats.kurtosis import Fourth
from likely.stats.pooled_scatter import Within


def ledoit_wolf(n: Floats, covariance: Floats, fourths: Floats) -> Floats:
    """The share to shrink covariances (g, d, d) of n (g,) rows by, given the means of z_j^2 z_k^2.

    How far a covariance is expected to be off, as the rows' own products scatter around it, over how far
    it is from a ball: Ledoit and Wolf (2004). All of it, where both are 0.
    """
    d = max(covariance.shape[-1], 1)
    variance = np.trace(covariance, axis1=-2, axis2=-1) / d
    squares = np.square(covariance).sum(axis=(-2, -1))
    off = (fourths.sum(axis=(-2, -1)) - squares) / np.maximum(n, 1.0)
    apart = squares - d * variance**2
    with np.errstate(all="ignore"):
        share = np.where(off >= apart, 1.0, np.maximum(off, 0.0) / apart)
    return np.where(np.isfinite(share), share, 1.0)


class _ByLedoitWolf:
    """What the two families have in common: the statistic, and the prior made of it."""

    statistic: ClassVar[Any] = Fourth
    conjugate: ClassVar[Any]

    @classmethod
    def default_prior(cls, stat: Any, strength: float = 1.0, hidden: bool = False) -> Any:
        """As many rows as Ledoit and Wolf recommend, times the strength."""
        power = stat.power.max(axis=0, keepdims=True, where=(stat.n > 0)[:, None], initial=-np.inf)
        power = np.where(np.isfinite(power), power, 0.0)  # one unit for all groups, of each column
        second, fourths = cls._pooled(stat.at(np.broadcast_to(power, stat.power.shape)))
        column, n = spread_of(second), second.scatter_n
        units = np.sqrt(column.within[0])
        square, per_row = units[:, None] * units, np.maximum(n, 1.0)[:, None, None]
        varying = np.flatnonzero(~column.constant[0])
        both = (slice(None), varying[:, None], varying)
        standard, own = second.covariance / square, np.ldexp(units, -power[0].astype(np.intp))
        trust = fourths / per_row / np.square(own[:, None] * own)
        share = ledoit_wolf(n, standard[both], trust[both])
        with np.errstate(divide="ignore"):
            rows = np.minimum(strength * share / (1 - share), ALL) * np.maximum(n, 1.0)
        return towards_balls(cls, second, column, units, rows)

    @classmethod
    def _pooled(cls, stat: Fourth) -> tuple[Any, Floats]:
        """The statistic of the covariances, and the fourth moments that go with each."""
        return stat.second, stat.fourths


@dataclass(frozen=True, init=False, eq=False, repr=False)
class LedoitWolfNormal(_ByLedoitWolf, MultivariateNormal):
    """A `MultivariateNormal` whose covariance is shrunk, in each group by its own Ledoit-Wolf share.

    Columns are measured in their sds within the groups. Default prior: worth share / (1 - share) times
    the rows seen, so that the expected covariance is (1 - share) * covariance + share * ball.
    `prior=None` is maximum likelihood, without shrinkage (`GaussianClassifier` takes the default instead).
    """

    name = "ledoit_wolf_normal"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class LedoitWolfTied(_ByLedoitWolf, Tied, MultivariateNormal):
    """A `TiedNormal` whose covariance is shrunk, by the Ledoit-Wolf share of rows off their group's mean."""

    name = "ledoit_wolf_tied"
    conjugate = SharedCovariance

    @classmethod
    def _pooled(cls, stat: Fourth) -> tuple[Any, Floats]:
        return Within.of(stat.second), stat.fourths.sum(axis=0, keepdims=True)

    @classmethod
    def ml(cls, stat: Fourth) -> MultivariateNormal:  # type: ignore[override]
        """As of a `TiedNormal`."""
        return TiedNormal.ml(Within.of(stat.second))

    @classmethod
    def choose_prior(cls, stat: Any, prior: PriorWord = "default", levels: LevelNames = None) -> Prior | None:
        """As of a `TiedNormal`, unless the share is to be found."""
        tied = Within.of(stat.second) if isinstance(prior, Shrinkage) else stat
        return super().choose_prior(tied, prior, levels)
