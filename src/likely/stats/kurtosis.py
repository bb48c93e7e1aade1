"""Third and fourth moments beside the scatter: what says how far a covariance can be trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from likely.stats.groups import Floats, Groups, Statistic
from likely.stats.products import members
from likely.stats.scatter import Scatter
from likely.table.column.block import Rows

STEP = 128  # powers of two from one unit to the next: far more than the data of a column span, as a rule


@dataclass(frozen=True, slots=True)
class Fourth(Statistic):
    """A scatter matrix, and the sums of z_j^2 z_k and z_j^2 z_k^2, z being how far a row is off the mean.

    The third moments are there so that the fourth can be moved to another mean, and so be added. They are
    in units of 2^power, so that they are numbers also where the fourth powers of the values are none.

    >>> Fourth.collect(np.array([[1.0], [3.0]]), Groups.one(2)).fourths.item()
    2.0
    """

    n: Floats  # (g,) weight of the complete rows
    mean: Floats  # (g, d), 0 where n is 0
    scatter: Floats  # (g, d, d)
    cubes: Floats  # (g, d, d): z_j^2 z_k, in units
    fourths: Floats  # (g, d, d): z_j^2 z_k^2, in units
    mean_rest: Floats  # (g, d) what rounding took from the mean
    power: Floats = None  # type: ignore[assignment]  # (g, d) of the unit of each column

    def __post_init__(self) -> None:
        if self.power is None:
            object.__setattr__(self, "power", np.zeros_like(self.mean))

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Fourth:
        """Nothing seen yet."""
        none = np.zeros((n_groups, width, width))
        return cls._of(Scatter.empty(n_groups, width), none, none, np.zeros((n_groups, width)))

    @classmethod
    def _of(cls, second: Scatter, cubes: Floats, fourths: Floats, power: Floats) -> Fourth:
        return cls(second.n, second.mean, second.scatter, cubes, fourths, second.mean_rest, power)

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> Fourth:
        """Take the products of rows (b, d), dense or sparse; rows with NaN are left out."""
        rows = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
        second = Scatter.collect(rows, groups)
        none = np.zeros_like(second.scatter)
        fourth = cls._of(second, none, none.copy(), _power(second))
        complete = ~np.isnan(rows).any(axis=1)
        for group, mine, weight in members(rows[complete], groups.where(complete)):
            own = (mine - second.mean[group]) - second.mean_rest[group]
            own = _times(own, -fourth.power[group])
            squares = own * own
            weighed = squares if weight is None else squares * weight[:, None]
            fourth.cubes[group] = weighed.T @ own
            fourth.fourths[group] = weighed.T @ squares
        return fourth

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

    def at(self, power: Floats) -> Fourth:
        """The same in units of these powers of two, (g, d)."""
        j, k = (self.power - power)[:, :, None], (self.power - power)[:, None, :]
        cubes, fourths = _times(self.cubes, 2 * j + k), _times(self.fourths, 2 * j + 2 * k)
        return replace(self, cubes=cubes, fourths=fourths, power=power)

    def __add__(self, other: Fourth) -> Fourth:
        whole = self.second + other.second
        some, more = (self.n > 0)[:, None], (other.n > 0)[:, None]
        power = np.where(
            some & more, np.maximum(self.power, other.power), np.where(some, self.power, other.power)
        )
        cubes, fourths = _around(self.at(power), whole)
        more_cubes, more_fourths = _around(other.at(power), whole)
        return self._of(whole, cubes + more_cubes, fourths + more_fourths, power)

    def __sub__(self, other: Fourth) -> Fourth:
        left = self.second - other.second
        cubes, fourths = _around(other.at(self.power), self.second)
        # What is left is still measured from the mean of the whole: back to its own.
        off = _off(left, self.second, self.power)
        scatter = _in_units(left.scatter, self.power)
        own_cubes = self.cubes - cubes - _more_cubes(off, left.n, scatter)
        own_fourths = self.fourths - fourths - _more_fourths(off, left.n, scatter, own_cubes)
        some = left.n > 0
        own_cubes, own_fourths = np.where(some[:, None, None], (own_cubes, own_fourths), 0.0)
        return self._of(left, own_cubes, own_fourths, np.where(some[:, None], self.power, 0.0))

    def __mul__(self, factor: float) -> Fourth:
        second = self.second * factor
        power = np.where((second.n > 0)[:, None], self.power, 0.0)
        return self._of(second, self.cubes * factor, self.fourths * factor, power)


def _power(second: Scatter) -> Floats:
    """The unit of each column, (g, d): 1, unless it varies by powers of powers of ten more or less."""
    variance = np.diagonal(second.covariance, axis1=1, axis2=2)
    _, exponent = np.frexp(np.sqrt(np.maximum(variance, 0.0)))
    return np.asarray(STEP * np.rint(exponent / STEP))


def _times(values: Floats, power: Floats) -> Floats:
    """The values times 2^power."""
    return np.ldexp(values, power.astype(np.intp)) if power.any() else values


def _in_units(scatter: Floats, power: Floats) -> Floats:
    return _times(scatter, -(power[:, :, None] + power[:, None, :]))


def _off(part: Scatter | Fourth, whole: Scatter, power: Floats) -> Floats:
    """How far the mean of a part is off that of the whole, (g, d), in units; 0 for no part."""
    off = (part.mean - whole.mean) + (part.mean_rest - whole.mean_rest)
    return np.where((part.n > 0)[:, None], _times(off, -power), 0.0)


def _around(part: Fourth, whole: Scatter) -> tuple[Floats, Floats]:
    """The cubes and fourths of a part around the mean of the whole."""
    off, scatter = _off(part, whole, part.power), _in_units(part.scatter, part.power)
    more = _more_fourths(off, part.n, scatter, part.cubes)
    return part.cubes + _more_cubes(off, part.n, scatter), part.fourths + more


def _more_cubes(off: Floats, n: Floats, scatter: Floats) -> Floats:
    """What (z_j + off_j)^2 (z_k + off_k) sums to beyond z_j^2 z_k; the z themselves sum to 0."""
    j, k = off[:, :, None], off[:, None, :]
    own = np.diagonal(scatter, axis1=1, axis2=2)
    return np.asarray(2 * j * scatter + k * own[:, :, None] + n[:, None, None] * (j * j * k))


def _more_fourths(off: Floats, n: Floats, scatter: Floats, cubes: Floats) -> Floats:
    """What (z_j + off_j)^2 (z_k + off_k)^2 sums to beyond z_j^2 z_k^2."""
    j, k = off[:, :, None], off[:, None, :]
    own = np.diagonal(scatter, axis1=1, axis2=2)
    odd = 2 * k * cubes
    squares = k * k * own[:, :, None]
    even = squares + np.swapaxes(squares, 1, 2) + 4 * j * k * scatter
    return np.asarray(odd + np.swapaxes(odd, 1, 2) + even + n[:, None, None] * (j * j * k * k))
