"""The multivariate normal distribution: columns that vary together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.affine import LinearOdds, halfway
from likely.dist.distribution import Distribution, Sizes, StraightLine, dense, finite, short
from likely.dist.elliptical import (
    Elliptical,
    Factor,
    SecondMoments,
    around,
    between_over_within,
    common_covariance,
    conditioned,
    floored,
)
from likely.dist.family import Family, PriorWord
from likely.dist.numeric.conditional import FilledRows, GivenKnown
from likely.dist.numeric.distances import Quadratic
from likely.dist.numeric.gap_patterns import GapPatterns
from likely.dist.numeric.own_group import OwnGroup
from likely.dist.predictive.multivariate_t import MultivariateT
from likely.dist.prior import WEAK, LevelNames, Prior, Spread
from likely.dist.priors.normal_inverse_gamma import LOG_2PI
from likely.dist.priors.normal_inverse_wishart import NormalInverseWishart
from likely.dist.shrinkage import Shrinkage
from likely.dist.some_columns import SomeColumns
from likely.errors import renamed
from likely.stats.groups import Floats, Groups, Ints
from likely.stats.moments import Moments
from likely.stats.products import Gathered, with_weight
from likely.stats.scatter import Scatter
from likely.table.column.block import Rows
from likely.table.column.kinds import Kind


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MultivariateNormal(SomeColumns, Elliptical, Family):
    """The normal distribution of d columns with this mean (d,) and covariance (d, d).

    Default prior: normal-inverse-Wishart, in the units of the data. The covariance is believed, with
    the worth of `strength` rows for each of the d columns, to be that within all groups, whose correlations
    are drawn towards none where rows are few (`common_covariance`). The expected covariance is (strength * d
    * common + scatter + ...) / (strength * d + n). The mean is believed to be that of the columns, give or
    take ten times as much as they vary in all: so however far groups lie apart, it does not widen them. A
    constant column counts as having variance 1 and the same mean in every group.

    Maximum likelihood, among covariances of which no direction varies less than 1e-9 of the columns'
    variances: of columns that determine each other, too. A group without rows has mean and covariance of all.

    >>> MultivariateNormal.fit([[0, 0], [2, 0], [0, 2], [2, 2]], prior=None).covariance
    array([[1., 0.],
           [0., 1.]])
    """

    name = "multivariate_normal"
    kinds = (Kind.QUANTITATIVE,)
    joint = True
    statistic = Scatter
    conjugate = NormalInverseWishart
    predicted_by = MultivariateT
    story = "together, normal with mean and covariance of the {group}"

    mean: Floats  # (..., d)
    covariance: Floats  # (..., d, d)
    mean_rest: Floats = field(repr=False)  # (..., d) what rounding took from the mean

    def __init__(self, mean: ArrayLike, covariance: ArrayLike, mean_rest: ArrayLike = 0.0) -> None:
        centre, matrix = around(finite("mean", mean), "covariance", finite("covariance", covariance))
        rest = np.broadcast_to(finite("mean_rest", mean_rest), centre.shape)
        self._set(mean=centre, covariance=matrix, mean_rest=rest)

    @staticmethod
    def _normal(mean: Floats, covariance: Floats, mean_rest: Floats) -> MultivariateNormal:
        return MultivariateNormal(mean, covariance, mean_rest)

    @classmethod
    def ml(cls, stat: SecondMoments, column: Spread | None = None) -> MultivariateNormal:
        """Mean and scatter / n, floored; by a floor that was set before, if one is given."""
        stat = cls.steady(stat)
        column = spread_of(stat) if column is None else column
        pooled, seen = stat.pooled(), (stat.n > 0)[:, None]
        whole = pooled.covariance[0] if pooled.n[0] > 0 else np.eye(stat.mean.shape[1])
        covariance = np.where((stat.scatter_n > 0)[:, None, None], stat.covariance, whole)
        mean, rest = np.where(seen, (stat.mean, stat.mean_rest), np.stack([column.mean, column.mean_rest]))
        return cls(mean, floored(covariance, column.floor[0]), rest)

    def expect(self, rows: Rows, groups: Groups, sizes: Sizes = None) -> Any:
        """The statistic to be expected of rows (b, d), missing cells as the known ones of the row suggest."""
        cells = dense(rows)
        expected: Any = self.statistic.gather(cells, groups)  # of the complete rows
        if isinstance(expected, Gathered):
            return expected  # there were no others
        for filled in self._filled(cells):
            expected = expected + self._own_statistic(self._completed(filled, cells, groups))
        return expected

    @classmethod
    def _own_statistic(cls, stat: Scatter) -> Any:
        """A scatter matrix for each group as the family's own statistic."""
        return stat

    def _completed(self, filled: FilledRows, cells: Floats, groups: Groups) -> Scatter:
        """The expected statistic of rows that each lack a cell at least."""
        own, sds = cells[filled.rows], self._standard.sds
        gaps = np.isnan(own)
        scatter = Scatter.empty(*sds.shape)
        for group, (mean, rest, apart) in enumerate(
            zip(self.mean, self.mean_rest, filled.apart, strict=True)
        ):
            full = np.where(gaps, mean + (apart * sds[group] + rest), own)
            scatter.take_alone(group, *with_weight(full, groups.column(group)[filled.rows]))
        scatter.scatter[...] += filled.covariances(groups, sds)
        return scatter

    def given_patterns(self, cells: Floats, some: GapPatterns) -> tuple[Floats, Floats]:
        """Given the known cells of a table: in each group the means (g, p, r, m) of the others, and their
        covariances (g, p, m, m)."""
        own = GivenKnown.of(some, self._standard)
        sds, mean, rest = (
            np.asarray(array[:, some.gaps]) for array in (self._standard.sds, self.mean, self.mean_rest)
        )  # (g, p, m)
        apart = (self._apart(some, some.cells(cells)) @ own.slope).swapaxes(0, 1)
        spread = own.spread.swapaxes(0, 1) * (sds[..., :, None] * sds[..., None, :])
        return mean[:, :, None] + (apart * sds[:, :, None] + rest[:, :, None]), spread

    def given(self, group: int, cells: Floats, known: Ints) -> tuple[Floats, Floats]:
        """`given_patterns` of one group and one pattern of gaps, as release 0.1 had it: (b, m), (m, m)."""
        renamed("MultivariateNormal.given", "MultivariateNormal.given_patterns")
        gaps = np.setdiff1d(np.arange(self.mean.shape[-1]), known)
        one = GapPatterns(np.arange(len(cells))[None], np.asarray(known)[None], gaps[None])
        mean, spread = self.take([group]).given_patterns(cells, one)
        return mean[0, 0], spread[0, 0]

    @classmethod
    def of_marginals(cls, n: Floats, columns: Moments) -> Any:
        """The statistic of n rows (g,) whose columns have these moments, and do not vary together."""
        scatter = np.eye(columns.mean.shape[1]) * (columns.variance * n[:, None])[:, None, :]
        return cls._own_statistic(Scatter(n, columns.mean, scatter, columns.mean_rest))

    def relative(self, rows: Rows, evidence: bool = True) -> tuple[Floats, Floats | float]:
        """Groups of one covariance are told apart by straight lines, and share the first one's density."""
        if not self._one_covariance:
            return super().relative(rows, evidence)
        apart = np.empty((rows.shape[0], len(self.mean)))
        for inside, known, cells, factor in self._patterns(rows):
            own = self.mean[:, known], self.mean_rest[:, known], factor.whiten[0], self.variance[0, known]
            apart[inside] = LinearOdds.of(*own)(cells)
        return apart, self.take([0]).group_log_prob(rows)[:, 0] if evidence else 0.0

    def own_group(self, log_weights: Floats) -> OwnGroup | None:
        """By the distance from every centre along the line to a row's own."""
        own = OwnGroup(self._whole, log_weights)
        return own if own.lie_apart else None

    def linear_odds(self, a: int, b: int) -> StraightLine | None:
        """Linear where both groups have the same covariance."""
        if (self.covariance[a] != self.covariance[b]).any():
            return None
        centre, up = halfway(self.mean[[a, b]], self.mean_rest[[a, b]])
        whiten = self._factor.whiten[a]
        return StraightLine(whiten.T @ (whiten @ up), centre, 0.0)

    @cached_property
    def _one_covariance(self) -> bool:
        return len(self.covariance) > 1 and bool((self.covariance == self.covariance[:1]).all())

    @property
    def _centre(self) -> Floats:
        return self.mean

    @property
    def _centre_rest(self) -> Floats:
        return self.mean_rest

    @property
    def _matrix(self) -> Floats:
        return self.covariance

    def _slope(self, q: Floats, width: int | Ints) -> Floats:
        return np.asarray(-0.5)

    def _quadratic(self, known: Ints, factor: Factor) -> Quadratic:
        height = self._log_height(factor.log_det, len(known))
        return replace(super()._quadratic(known, factor), slope=-0.5, height=height)

    def _log_density(self, quadratic: Quadratic, cells: Floats, factor: Factor) -> Floats:
        return quadratic(cells)  # it is linear in the squared distance

    def _log_height(self, log_det: Floats, width: int | Ints) -> Floats:
        return -0.5 * (width * LOG_2PI + log_det)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return self.mean + self._draw_apart(rng, shape)

    @cached_property
    def variance(self) -> Floats:
        """Of each column."""
        return np.diagonal(self.covariance, axis1=-2, axis2=-1)

    def entropy(self) -> Floats:
        """In nats."""
        width = self.mean.shape[-1]
        return np.asarray(width / 2 - self._log_height(self._factor.log_det, width))[()]

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "mean 38.2, sd 13.6"."""
        return f"mean {short(self.mean[group, column])}, sd {short(self.sd[group, column])}"

    @classmethod
    def free_parameters(cls, stat: Scatter) -> tuple[int, int]:
        """Means, variances and covariances."""
        d = int(stat.mean.shape[1])
        return d + d * (d + 1) // 2, 0

    @classmethod
    def choose_prior(
        cls, stat: SecondMoments, prior: PriorWord = "default", levels: LevelNames = None
    ) -> Prior | None:
        """The prior that the user's word means; a shrinkage is one."""
        if isinstance(prior, Shrinkage):
            chosen: Prior | None = prior.prior(cls, stat, spread_of(stat))
            return chosen
        return None if isinstance(prior, Spread) else super().choose_prior(stat, prior, levels)

    @classmethod
    def hidden_prior(cls, stat: SecondMoments, strength: float) -> Prior:
        """The default prior in the scale of a typical group."""
        return cls.default_prior(stat, strength, hidden=True)

    @classmethod
    def decide_prior(
        cls, stat: SecondMoments, prior: PriorWord = "default", levels: LevelNames = None
    ) -> Any:
        """Without a prior, the floor: EM's guesses at missing cells would move one made of them."""
        chosen = super().decide_prior(stat, prior, levels)
        return spread_of(stat) if chosen is None else chosen

    @classmethod
    def estimate(
        cls, stat: SecondMoments, prior: PriorWord = "default", how: str = "mean", levels: LevelNames = None
    ) -> Distribution:
        """As of any family; above the floor, if that is decided."""
        if isinstance(prior, Spread):
            return cls.ml(stat, prior)
        return super().estimate(stat, prior, how, levels)

    @classmethod
    def at(cls, prior: NormalInverseWishart, parameters: Floats) -> MultivariateNormal:
        """The normal of this mean and covariance."""
        return MultivariateNormal(parameters[..., 0], conditioned(parameters[..., 1:]), prior.location_rest)

    @classmethod
    def predictive(cls, prior: NormalInverseWishart) -> MultivariateT:
        """The multivariate t."""
        df = prior.df - prior.width + 1
        spread = (1 + 1 / prior.kappa) / df
        scale = conditioned(prior.scale * spread[..., None, None])
        return MultivariateT(df, prior.location, scale, prior.location_rest)

    def log_natural(self, prior: NormalInverseWishart) -> Floats:
        """On the scale of the precisions."""
        return prior.log_natural(self.mean, self.mean_rest, self._factor)

    def as_seen(self) -> Any:
        """A row at the mean, with the covariance."""
        return self._own_statistic(Scatter(np.ones(len(self.mean)), self.mean, self.covariance.copy()))

    @classmethod
    def default_prior(
        cls, stat: SecondMoments, strength: float = 1.0, hidden: bool = False
    ) -> NormalInverseWishart:
        """Weak, and in the units of the data: as many rows of what groups have in common as columns."""
        stat = cls.steady(stat)
        column, rows = spread_of(stat, typical=hidden), strength * stat.mean.shape[1]
        within = common_covariance(stat, column)
        worth, df = WEAK * strength / between_over_within(stat, within), stat.mean.shape[1] + 1 + rows
        return cls.conjugate(column.mean[0], worth, df, rows * within, column.mean_rest[0])

    @classmethod
    def own_prior(cls, prior: NormalInverseWishart, stat: SecondMoments) -> NormalInverseWishart:
        """The prior of covariances of which each group has its own, or, in a tied family, of the one."""
        return cls.conjugate.of(prior)

    @classmethod
    def constant_columns(cls, stat: Scatter) -> list[int]:
        """Which columns hold one value only."""
        return [int(j) for j in np.flatnonzero(spread_of(stat).constant[0])]

    @classmethod
    def steady(cls, stat: SecondMoments) -> Any:
        """The statistic as if constant columns had variance 1 and went with no other."""
        column = spread_of(stat)
        if not column.constant.any():
            return stat
        varying = ~column.constant[0]
        scatter = stat.scatter * (varying[:, None] & varying)
        scatter = scatter + np.diag(1.0 * ~varying) * stat.scatter_n[:, None, None]
        own = varying | (stat.n == 0)[:, None]
        rest = np.where(own, stat.mean_rest, column.mean_rest)
        mean = np.where(own, stat.mean, column.mean)
        return replace(stat, mean=mean, scatter=scatter, mean_rest=rest)


def spread_of(stat: SecondMoments, typical: bool = False) -> Spread:
    """How much the columns vary, by a statistic that has scatter matrices."""
    n = np.broadcast_to(stat.n[:, None], stat.mean.shape)
    # One scatter matrix of all groups counts for each by its weight: only the sum is asked for.
    share = np.divide(stat.n, stat.scatter_n, out=np.zeros_like(stat.n), where=stat.scatter_n > 0)
    own = np.diagonal(stat.scatter, axis1=-2, axis2=-1) * share[:, None]
    return Spread.of(Moments(n, stat.mean, own, stat.mean_rest), typical)
