"""What is believed beforehand: conjugate priors, smoothing of frequencies, and the unit of default priors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import SUM_TOLERANCE, Distribution
from likely.errors import LikelyError
from likely.stats.groups import Floats
from likely.stats.moments import Moments

LevelNames = Sequence[Sequence[Any] | None] | None  # of each column, or of nobody knows which
FLOOR = 1e-9  # of the column's variance: no group's variance is taken to be less
WEAK = 0.01  # rows: what is believed of a mean is worth so little where groups do not differ
PASSES = 3  # in which a narrow group's row of the typical variance comes near to what groups have
CERTAIN = 2.0**128  # worth so many rows that no data are seen beside it, to the last bit
FLAT = 2.0**-64  # worth so little of a row that any data decide alone, to the last bit
DUST = 8 * float(np.finfo(np.float64).eps)  # relative deviations that rounding alone can make


class Prior(Distribution):
    """What is believed of parameters. It knows nothing of families: they know their priors."""

    @property
    @abstractmethod
    def mode(self) -> Floats:
        """The most probable parameters (the mean where there is no single mode)."""

    @property
    def finite_mean(self) -> Floats:
        """The expected parameters; the mode, where there is no expectation."""
        return self.mean

    @abstractmethod
    def posterior(self, stat: Any) -> Self:
        """What is believed of the parameters of each group and column once the data are seen."""

    @abstractmethod
    def log_evidence(self, stat: Any) -> Floats:
        """The log of the expected likelihood, for each place of the batch."""

    def draw_parameters(self, rng: np.random.Generator, n: int) -> Floats:
        """Parameters drawn n times."""
        return np.asarray(self._draw(rng, (n, *self.batch)))

    def refuse_others(self, stat: Any) -> None:
        """Refuse to be the prior of other columns than those that a statistic is of."""
        batch, shape = self.batch, np.shape(stat.n)
        width = getattr(self, "width", None)  # of a prior of several columns together
        if width is not None:
            batch, shape = (width,), stat.mean.shape[-1:]
        elif self.parameter_axes:
            return  # it looks at places of levels itself
        near = zip(batch[::-1], shape[::-1], strict=False)
        if len(batch) > len(shape) or not all(mine in (theirs, 1) for mine, theirs in near):
            raise LikelyError(
                f"prior={type(self).__name__}(...) is of {batch[-1]} columns, and the data have {shape[-1]}: "
                "give one of as many columns."
            )


class Smoothing(ABC):
    """Pseudo-counts: as a prior, a Beta or a Dirichlet distribution whose mean gives the estimate."""

    strength: float  # 0 for none at all
    even: bool = True  # whether it imagines as much of every level, and so can be that of any levels

    @abstractmethod
    def pseudo_counts(self, k: int, levels: Sequence[Any] | None = None) -> Floats:
        """What is added to the count of each of k levels, (k,); for a Boolean column false, then true."""

    def estimate(self, nc: float, n: float, k: int = 2) -> float:
        """The probability of a level seen nc times out of n, one of k (the last, if they differ)."""
        added = self.pseudo_counts(k)
        total = n + added.sum()
        return float((nc + added[-1]) / total) if total > 0 else 1 / k


@dataclass(frozen=True)
class Laplace(Smoothing):
    """The same pseudo-count for every level: with 1, the Laplace correction.

    >>> Laplace().estimate(9, 10), Laplace(0.5).estimate(4, 10, k=4)
    (0.8333333333333334, 0.375)
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        _check("strength", self.strength)

    def pseudo_counts(self, k: int, levels: Sequence[Any] | None = None) -> Floats:
        """What is added to the count of each of k levels, (k,)."""
        return np.full(k, float(self.strength))


@dataclass(frozen=True)
class MEstimate(Smoothing):
    """(nc + m p) / (n + m): m imagined rows (the equivalent sample size), shared out by p.

    p: None for equal shares; a number, the share of true in a Boolean column; or one share per level,
    in order or by name.

    >>> MEstimate(2, 0.5).estimate(3, 5) == 4 / 7, MEstimate(0).estimate(3, 5)
    (True, 0.6)
    """

    m: float
    p: float | Sequence[float] | Mapping[Any, float] | None = None

    def __post_init__(self) -> None:
        _check("m", self.m)
        if self.p is not None:
            for share in self._shares():
                if not 0 <= _number(share) <= 1:
                    raise LikelyError(f"p={self.p!r}: {share!r} is not a share: give numbers from 0 to 1.")

    def _shares(self) -> list[Any]:
        if isinstance(self.p, Mapping):
            return list(self.p.values())
        return list(self.p) if isinstance(self.p, Sequence | np.ndarray) else [self.p]

    @property
    def strength(self) -> float:  # type: ignore[override]
        """How many rows are imagined."""
        return self.m

    @property
    def even(self) -> bool:  # type: ignore[override]
        """Whether as much is imagined of every level: no shares are given."""
        return self.p is None

    def pseudo_counts(self, k: int, levels: Sequence[Any] | None = None) -> Floats:
        """What is added to the count of each of k levels, (k,)."""
        if self.p is None:
            return np.full(k, self.m / max(k, 1))
        if isinstance(self.p, Mapping):
            names = list(range(k) if levels is None else levels)
            unnamed = [name for name in names if name not in self.p]
            if unnamed:
                raise LikelyError(f"p={self.p!r} has no share for level {unnamed[0]!r}: give it one.")
            shares = np.array([self.p[name] for name in names], np.float64)
        else:
            shares = np.asarray(self.p, np.float64)
            if not shares.ndim and k == 2:
                shares = np.array([1 - shares, shares])
        if shares.shape != (k,) or (shares < 0).any() or not abs(shares.sum() - 1) <= SUM_TOLERANCE:
            raise LikelyError(f"p={self.p!r}: give {k} shares, one for each level, that add up to 1.")
        return self.m * shares


def _check(name: str, value: float) -> None:
    if not 0 <= _number(value) < np.inf:
        raise LikelyError(f"{name}={value!r}: a number of imagined rows is 0 or above.")


def _number(value: object) -> float:
    """The value, if it is a number that a float holds, else NaN, which is in no range."""
    try:
        return float(value) if isinstance(value, Real) else np.nan
    except OverflowError:
        return np.nan


@dataclass(frozen=True, slots=True)
class Spread:
    """Each column's pooled mean and variances, (1, d); 1 for the variances of a constant column."""

    mean: Floats
    mean_rest: Floats  # what rounding took from the mean
    total: Floats  # variance around the pooled mean
    within: Floats  # variance around the groups' own means, floored
    constant: NDArray[np.bool_]

    @classmethod
    def of(cls, stat: Moments, typical: bool = False) -> Spread:
        """A column is constant if it varies no more than rounding does, or if nothing was seen of it.

        With `typical` the variance within groups is that of a typical one: their geometric mean.
        """
        pooled = stat.pooled()
        dust = (DUST * np.abs(pooled.mean)) ** 2
        # A floor that underflows is no floor.
        constant = (pooled.variance <= dust) | (pooled.variance * FLOOR < np.finfo(np.float64).tiny)
        within = stat.scatter.sum(axis=0, keepdims=True) / np.maximum(pooled.n, 1e-300)
        # One row a group says nothing of the variance within: the column's own stands in for it.
        lone = (pooled.n <= (stat.n > 0).sum(axis=0)) & (within == 0)
        within = np.where(lone, pooled.variance, within)
        within = np.where(constant, 1.0, np.maximum(within, FLOOR * pooled.variance))
        if typical:
            narrower = np.maximum(_typical(stat, within), FLOOR * pooled.variance)
            within = np.where(constant | lone, within, narrower)
        total = np.where(constant, 1.0, pooled.variance)
        return cls(pooled.mean, pooled.mean_rest, total, within, constant)

    def is_of(self, columns: int) -> bool:
        """Whether this can be the spread of so many columns: what a file says is not believed before."""
        numbers = (self.mean, self.mean_rest, self.total, self.within)
        shaped = all(array.shape == (1, columns) for array in (*numbers, self.constant))
        return shaped and all(np.isfinite(n).all() for n in numbers) and bool((self.total > 0).all())

    @property
    def mean_worth(self) -> Floats:
        """How many rows the belief that a group's mean is the column's is worth, (1, d).

        So few that a mean may lie ten times as far off as the column varies in all, however little of that
        is within the groups: what is far away must not widen a group.
        """
        return np.asarray(WEAK * self.within / np.maximum(self.total, self.within))

    @property
    def floor(self) -> Floats:
        """The least variance of a group."""
        return FLOOR * self.total


def _typical(stat: Moments, within: Floats) -> Floats:
    """The geometric mean of the groups' variances, each with a row of the typical one, (1, d).

    The variance within all groups is that of the widest, beside which a narrow group that is looked for would
    lose its own. Of classes that are told it is the safer guess: measured on real tables, narrow ones are
    narrow by chance more often than not.
    """
    share = stat.n / np.maximum(stat.n.sum(axis=0), 1e-300)
    times = np.ones_like(within)  # the variance within: a ratio is the same in any unit, to the last bit
    for _ in range(PASSES):
        own = (stat.scatter / within + times) / (stat.n + 1)
        times = np.exp((share * np.log(own)).sum(axis=0, keepdims=True))
    return np.asarray(within * np.minimum(times, 1.0))
