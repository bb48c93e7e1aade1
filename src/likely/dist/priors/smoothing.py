"""Smoothing of relative frequencies, said as people say it: so many imagined rows of each level."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from likely.dist.numeric.parameters import SUM_TOLERANCE
from likely.errors import LikelyError
from likely.stats.groups import Floats

LevelNames = Sequence[Sequence[Any] | None] | None  # of each column, or of nobody knows which


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
