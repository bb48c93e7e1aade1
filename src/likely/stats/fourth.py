"""Third and fourth moments beside the scatter: what says how far a covariance can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.stats.deviations import members
from likely.stats.groups import Floats, Groups
from likely.stats.scatter import Scatter
from likely.stats.statistic import Statistic


@dataclass(frozen=True, slots=True)
class Fourth(Statistic):
    """A scatter matrix, and the sums of z_j^2 z_k and z_j^2 z_k^2, z being how far a row is off the mean.

    The third moments are there so that the fourth can be moved to another mean, and so be added.

    >>> Fourth.collect(np.array([[1.0], [3.0]]), Groups.one(2)).fourths.item()
    2.0
    """

    n: Floats  # (g,) weight of the complete rows
    mean: Floats  # (g, d), 0 where n is 0
    scatter: Floats  # (g, d, d)
    cubes: Floats  # (g, d, d): z_j^2 z_k
    fourths: Floats  # (g, d, d): z_j^2 z_k^2
    mean_rest: Floats  # (g, d) what rounding took from the mean

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Fourth:
        """Nothing seen yet."""
        none = np.zeros((n_groups, width, width))
        return cls._of(Scatter.empty(n_groups, width), none, none)

    @classmethod
    def _of(cls, second: Scatter, cubes: Floats, fourths: Floats) -> Fourth:
        return cls(second.n, second.mean, second.scatter, cubes, fourths, second.mean_rest)

    @classmethod
    def collect(cls, rows: Any, groups: Groups) -> Fourth:
        """Take the products of rows (b, d), dense or sparse; rows with NaN are left out."""
        rows = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
        second = Scatter.collect(rows, groups)
        found = cls._of(second, np.zeros_like(second.scatter), np.zeros_like(second.scatter))
        complete = ~np.isnan(rows).any(axis=1)
        for group, mine, weight in members(rows[complete], groups.where(complete)):
            own = (mine - second.mean[group]) - second.mean_rest[group]
            squares = own * own
            weighed = squares if weight is None else squares * weight[:, None]
            with np.errstate(over="ignore", invalid="ignore"):  # beyond 1e75
                found.cubes[group] = weighed.T @ own
                found.fourths[group] = weighed.T @ squares
        return found

    @property
    def second(self) -> Scatter:
        """The scatter alone."""
        return Scatter(self.n, self.mean, self.scatter, self.mean_rest)

    @property
    def scatter_n(self) -> Floats:
        """The weight behind each scatter matrix, (g,)."""
        return self.n

    @property
    def covariance(self) -> Floats:
        """The maximum-likelihood covariance, (g, d, d)."""
        return self.second.covariance

    def __add__(self, other: Fourth) -> Fourth:
        whole = self.second + other.second
        cubes, fourths = _around(self, whole)
        more_cubes, more_fourths = _around(other, whole)
        return self._of(whole, cubes + more_cubes, fourths + more_fourths)

    def __sub__(self, other: Fourth) -> Fourth:
        left = self.second - other.second
        cubes, fourths = _around(other, self.second)
        # What is left is still measured from the mean of the whole: back to its own.
        off = _off(left, self.second)
        own_cubes = self.cubes - cubes - _more_cubes(off, left)
        own_fourths = self.fourths - fourths - _more_fourths(off, left, own_cubes)
        some = (left.n > 0)[:, None, None]
        return self._of(left, np.where(some, own_cubes, 0.0), np.where(some, own_fourths, 0.0))

    def __mul__(self, factor: float) -> Fourth:
        return self._of(self.second * factor, self.cubes * factor, self.fourths * factor)


def _off(part: Any, whole: Scatter) -> Floats:
    """How far the mean of a part is off that of the whole, (g, d); 0 for no part."""
    off = (part.mean - whole.mean) + (part.mean_rest - whole.mean_rest)
    return np.where((part.n > 0)[:, None], off, 0.0)


@np.errstate(over="ignore", invalid="ignore")
def _around(part: Fourth, whole: Scatter) -> tuple[Floats, Floats]:
    """The cubes and fourths of a part around the mean of the whole."""
    off = _off(part, whole)
    return part.cubes + _more_cubes(off, part), part.fourths + _more_fourths(off, part, part.cubes)


def _more_cubes(off: Floats, part: Any) -> Floats:
    """What (z_j + off_j)^2 (z_k + off_k) sums to beyond z_j^2 z_k; the z themselves sum to 0."""
    j, k = off[:, :, None], off[:, None, :]
    own = np.diagonal(part.scatter, axis1=1, axis2=2)
    return np.asarray(2 * j * part.scatter + k * own[:, :, None] + part.n[:, None, None] * (j * j * k))


def _more_fourths(off: Floats, part: Any, cubes: Floats) -> Floats:
    """What (z_j + off_j)^2 (z_k + off_k)^2 sums to beyond z_j^2 z_k^2."""
    j, k = off[:, :, None], off[:, None, :]
    own = np.diagonal(part.scatter, axis1=1, axis2=2)
    odd = 2 * k * cubes
    squares = k * k * own[:, :, None]
    even = squares + np.swapaxes(squares, 1, 2) + 4 * j * k * part.scatter
    return np.asarray(odd + np.swapaxes(odd, 1, 2) + even + part.n[:, None, None] * (j * j * k * k))
