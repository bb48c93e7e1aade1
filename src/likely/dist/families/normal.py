"""The normal distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.affine import halfway, product
from likely.dist.distribution import (
    Distribution,
    Sizes,
    StraightLine,
    dense,
    dense_parts,
    finite,
    positive,
    short,
    together,
    without_missing,
)
from likely.dist.family import Family
from likely.dist.numeric.distances import LARGEST_SD, LEAST_SD, Apart
from likely.dist.numeric.logs import special
from likely.dist.numeric.pieces import Pieces
from likely.dist.numeric.value_grid import Grid
from likely.dist.predictive.student_t import StudentT
from likely.dist.prior import CERTAIN, Prior, Spread
from likely.dist.priors.known_variance import KnownVariance
from likely.dist.priors.normal_inverse_gamma import LARGEST, LOG_2PI, NormalInverseGamma
from likely.dist.priors.shared_variance import SharedVariance
from likely.dist.univariate import Univariate
from likely.stats.groups import Floats, Groups
from likely.stats.moments import MANY, Moments
from likely.stats.products import Products
from likely.table.column.block import Rows, scratch_like
from likely.table.column.kinds import Kind

# Squares around a common centre lose digits with the square of a group's distance from it, in sds:
# beyond this many, those rows that lie near a group are taken by their differences from it.
FAR = 16.0


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Normal(Univariate, Family):
    """The normal distribution with this mean and standard deviation.

    Default prior: normal-inverse-gamma, in the units of the data themselves. The variance is believed,
    with the worth of `strength` rows, to be that within the groups: the expected variance is
    (strength * within + scatter + ...) / (strength + n). The mean is believed to be that of the column, give
    or take ten times as much as the column varies in all: so however far groups lie apart, it does not widen
    them. A constant column has the same mean and variance 1 in every group, so that it is never evidence.

    Maximum likelihood: the variance is at least 1e-9 of the column's; a group without rows has the
    mean and variance of the column.

    >>> Normal.fit([1.0, 2.0, 3.0], prior=None)
    Normal(mean=2.0, sd=0.816496580927726)
    >>> Normal(0, 1).prob(0)
    np.float64(0.3989422804014327)
    """

    name = "normal"
    kinds = (Kind.QUANTITATIVE, Kind.COUNT)
    statistic = Moments
    conjugate = NormalInverseGamma
    predicted_by: ClassVar[type[Distribution] | None] = StudentT
    column_parameters = 2
    story = "a number, normal with mean and sd of the {group}"

    mean: Floats
    sd: Floats
    mean_rest: Floats = field(repr=False)  # what rounding took from the mean

    def __init__(self, mean: ArrayLike, sd: ArrayLike, mean_rest: ArrayLike = 0.0) -> None:
        arrays = finite("mean", mean), positive("sd", sd), finite("mean_rest", mean_rest)
        self._set(**dict(zip(("mean", "sd", "mean_rest"), together(*arrays), strict=True)))

    @classmethod
    def ml(cls, stat: Moments) -> Normal:
        """Mean and scatter / n, floored."""
        column = Spread.of(stat)
        seen = (stat.n > 0) & ~column.constant
        variance = np.where(seen, np.maximum(stat.variance, column.floor), column.total)
        mean = np.where(seen, stat.mean, column.mean)
        return cls(mean, np.sqrt(variance), np.where(seen, stat.mean_rest, column.mean_rest))

    def expect(self, rows: Rows, groups: Groups, sizes: Sizes = None) -> Any:
        """The statistic of rows (b, d); missing cells tell nothing."""
        return Moments.gather(rows, groups)

    @cached_property
    def _log_height(self) -> Floats:
        """The log density at the mean."""
        return np.asarray(-np.log(self.sd) - 0.5 * LOG_2PI)

    def _log_prob(self, x: Floats) -> Floats:
        z = self.z(x)
        return self._log_height - 0.5 * z * z

    def z(self, x: ArrayLike) -> Floats:
        """How many standard deviations x lies above the mean: its z-score.

        >>> Normal(10, 2).z([13, 8])
        array([ 1.5, -1. ])
        """
        return np.asarray(((np.asarray(x, np.float64) - self.mean) - self.mean_rest) / self.sd)[()]

    def _cdf(self, x: Floats) -> Floats:
        return special("ndtr", self.z(x))

    def _sf(self, x: Floats) -> Floats:
        return special("ndtr", -self.z(x))

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(self.mean + (self.mean_rest + self.sd * special("ndtri", q)))

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        apart, shared = self.relative(rows)
        with np.errstate(invalid="ignore"):
            out = apart + np.asarray(shared)[:, None]
        # NaN is only the difference of infinities that an infinite or a huge cell makes.
        return np.where(np.isnan(out), -np.inf, out)

    def relative(self, rows: Rows, evidence: bool = True) -> tuple[Floats, Floats]:
        """Groups that lie near each other are told apart from the first: equal sds leave no squares."""
        if not isinstance(rows, np.ndarray):
            pieces = [self.relative(cells) for _, cells in dense_parts(rows)]
            return np.concatenate([a for a, _ in pieces]), np.concatenate([s for _, s in pieces])
        cells = dense(rows)
        with np.errstate(over="ignore", invalid="ignore"):
            apart, shared = self._sums(cells, None)
            # A cell that is missing or infinite spoils every group, so that looking at one will do.
            if not np.isfinite(apart[:, 0].sum()) and (np.isnan(apart).any() or np.isnan(shared).any()):
                apart, shared = self._sums(cells, np.isnan(cells))
        return apart, shared

    def relative_terms(self, rows: Rows) -> Floats:
        """The terms, of columns whose groups lie near each other less those of the first group, (b, g, d)."""
        cells, far = dense(rows)[:, None, :], self._parts[0]
        with np.errstate(over="ignore", invalid="ignore"):
            far_terms = self._log_prob(cells) - self._log_height[:1] if far.any() else 0.0
            return without_missing(np.where(far, far_terms, self._against_first(cells)))

    @cached_property
    def _height(self) -> Floats:
        """The log density at each group's mean less that at the first's: the same in any unit."""
        return np.asarray(-np.log(self.sd / self.sd[:1]))

    def _against_first(self, cells: Floats) -> Floats:
        """log P(cell given group) - log P(cell given the first group), for cells (b, 1, d): (b, g, d)."""
        z = ((cells - self.mean) - self.mean_rest) / self.sd
        start = ((self.mean - self._centre) + self.mean_rest) / self.sd
        # The difference of the squares as a product: far from all groups they are alike, and huge.
        less = (cells - self._centre) * (1 / self.sd[:1] - 1 / self.sd) + (start - start[:1])
        return np.asarray(0.5 * less * (z[:, :1] + z) + self._height)

    def linear_odds(self, a: int, b: int) -> StraightLine | None:
        """Linear where both groups have the same sds."""
        if (self.sd[a] != self.sd[b]).any():
            return None
        centre, up = halfway(self.mean[[a, b]], self.mean_rest[[a, b]])
        return StraightLine(up / self.sd[a] / self.sd[a], centre, 0.0)

    def pieces(self, column: int) -> Pieces:
        """A quadratic for each group: around its own mean where groups lie apart, else around one centre."""
        one = self.take((slice(None), [column]))
        if one._parts[0].any():
            sd, rest = one.sd[:, 0], one.mean_rest[:, 0]
            off = rest / sd
            return Pieces.quadratic(
                one._height[:, 0] - 0.5 * off * off, off / sd, -0.5 / sd / sd, one.mean[:, 0]
            )
        squares, cells, constant = (part[1:, 0] for part in one._natural)
        return Pieces.quadratic(constant, cells, squares, one._centre[0])

    def _sums(self, cells: Floats, missing: NDArray[np.bool_] | None) -> tuple[Floats, Floats]:
        far, near_ones, far_ones = self._parts
        if not far.any():
            return self._by_products(cells, missing)
        if far.all():
            return self._by_differences(cells, missing)
        gaps = (None, None) if missing is None else (missing[:, ~far], missing[:, far])
        apart, shared = far_ones._by_differences(cells[:, far], gaps[1])
        more, common = near_ones._by_products(cells[:, ~far], gaps[0])
        return apart + more, shared + common

    @cached_property
    def _parts(self) -> tuple[NDArray[np.bool_], Normal, Normal]:
        """Which columns have a group far from the centre, the others' distribution and theirs."""
        extreme = (self.sd < LEAST_SD) | (self.sd > LARGEST_SD)
        away = np.abs(self.mean - self._centre) > FAR * self.sd
        far = np.asarray((away | extreme).any(axis=0))
        return far, self.take((slice(None), ~far)), self.take((slice(None), far))

    @cached_property
    def _centre(self) -> Floats:
        """Where to measure each column from, (d,): 0 if that is near enough, for it costs nothing."""
        near_0 = (np.abs(self.mean) <= FAR * self.sd).all(axis=0)
        # Halved first: the sum of the largest numbers would overflow.
        return np.where(near_0, 0.0, self.mean.min(axis=0) / 2 + self.mean.max(axis=0) / 2)

    @cached_property
    def _natural(self) -> tuple[Floats, Floats, Floats]:
        """What multiplies the squares and the cells, and what is added, each (g + 1, d).

        The first row is the first group's; the others are what each group has beyond it.
        """
        precision, apart = 1 / self.sd**2, (self.mean - self._centre) + self.mean_rest
        whole = -0.5 * precision, precision * apart, -0.5 * precision * apart**2
        of_squares, of_cells, constant = (np.concatenate([w[:1], w - w[:1]]) for w in whole)
        return of_squares, of_cells, constant + np.concatenate([self._log_height[:1], self._height])

    @cached_property
    def _of_products(self) -> Floats:
        """The same for `Products`, (g + 1, 1 + 2 d); filled up to a multiple of 4 rows, which BLAS likes."""
        of_squares, of_cells, constant = self._natural
        coefficients = np.concatenate([constant.sum(axis=1, keepdims=True), of_cells, of_squares], axis=1)
        return np.pad(coefficients, ((0, -len(coefficients) % 4), (0, 0)))

    def _by_products(self, cells: Floats, missing: NDArray[np.bool_] | None) -> tuple[Floats, Floats]:
        of_squares, of_cells, constant = self._natural
        if missing is None and cells.shape[1] <= MANY:
            products = Products.of(cells, self._centre, crossed=False).times(self._of_products)
            return products[1 : len(of_cells)].T, products[0]
        z, work = cells, scratch_like("dist_cells", cells)
        if missing is not None or self._centre.any():
            z = np.subtract(cells, self._centre, out=work)
        if missing is not None:
            np.copyto(z, 0.0, where=missing)
        out = product(z, of_cells)
        out += product(np.multiply(z, z, out=work), of_squares)
        out = _add_constants(out, constant, missing)
        return out[:, 1:], out[:, 0]

    @cached_property
    def _apart(self) -> Apart:
        return Apart(self.mean, self.mean_rest, self.sd, self._centre)

    def _by_differences(self, cells: Floats, missing: NDArray[np.bool_] | None) -> tuple[Floats, Floats]:
        out = -0.5 * self._apart(cells, missing).T
        shared = _add_constants(np.zeros((len(cells), 1)), self._log_height[:1], missing)[:, 0]
        return _add_constants(out, self._height, missing), shared

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.normal(self.mean, self.sd, shape)

    @cached_property
    def variance(self) -> Floats:
        """The square of the sd."""
        return self.sd**2

    def entropy(self) -> Floats:
        """In nats."""
        return 0.5 - self._log_height

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "mean 38.2, sd 13.6"."""
        return f"mean {short(self.mean[group, column])}, sd {short(self.sd[group, column])}"

    def log_points(self, group: int, grid: Grid) -> float:
        """Far from 0 only where the sd is of the order of the step."""
        return grid.log_sum(float(self.mean[group, 0]), float(self.sd[group, 0]))

    @classmethod
    def at(cls, prior: Prior, parameters: Floats) -> Normal:
        """The normal of this mean and variance."""
        assert isinstance(prior, NormalInverseGamma)
        # Of a prior that hardly knows the variance, a draw may overflow.
        variance = np.clip(parameters[..., 1], 1 / LARGEST, LARGEST)
        return Normal(parameters[..., 0], np.sqrt(variance), prior.location_rest)

    @classmethod
    def predictive(cls, prior: Prior) -> Distribution:
        """Student's t."""
        assert isinstance(prior, NormalInverseGamma)
        scale = np.sqrt(prior.b / prior.a * (1 + 1 / prior.kappa))
        return StudentT(2 * prior.a, prior.location, scale, prior.location_rest)

    def log_natural(self, prior: NormalInverseGamma | SharedVariance | KnownVariance) -> Floats:
        """On the scale of the precisions."""
        return prior.log_natural(self.mean, self.mean_rest, self.variance)

    def as_seen(self) -> Moments:
        """A row at the mean, with the variance."""
        return Moments(np.ones_like(self.mean), self.mean, self.variance, self.mean_rest)

    @classmethod
    def default_prior(cls, stat: Moments, strength: float = 1.0, hidden: bool = False) -> NormalInverseGamma:
        """Weak, and in the units of the data; certain where the column is constant."""
        column = Spread.of(stat, typical=hidden)
        kappa = np.where(column.constant, CERTAIN, column.mean_worth * strength)
        a = np.where(column.constant, CERTAIN, 1 + strength / 2)
        b = np.where(column.constant, CERTAIN, column.within * (strength / 2))
        return NormalInverseGamma(column.mean, kappa, a, b, column.mean_rest)

    @classmethod
    def hidden_prior(cls, stat: Moments, strength: float) -> Prior:
        """The default prior in the scale of a typical group."""
        return cls.default_prior(stat, strength, hidden=True)


def _add_constants(out: Floats, constant: Floats, missing: NDArray[np.bool_] | None) -> Floats:
    """With the constants (g, d) of the known cells added, in place."""
    if missing is None:
        out += constant.sum(axis=1)
        return out
    known = scratch_like("dist_cells", missing)
    np.logical_not(missing, out=known)
    out += product(known, constant)
    return out
