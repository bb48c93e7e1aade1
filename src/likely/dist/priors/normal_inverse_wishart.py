"""The prior of a multivariate normal's mean and covariance, also where groups share the covariance."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import demand, finite, positive
from likely.dist.elliptical import Factor, SecondMoments, around
from likely.dist.numeric.logs import digamma, log_gamma, log_rising
from likely.dist.prior import Prior
from likely.dist.priors.normal_inverse_gamma import LOG_2PI
from likely.stats.groups import Floats, two_sum
from likely.stats.pooled_scatter import Within
from likely.stats.scatter import Scatter

LOG_2, LOG_PI = float(np.log(2)), float(np.log(np.pi))


@dataclass(frozen=True, init=False, eq=False, repr=False)
class NormalInverseWishart(Prior):
    """The covariance is inverse Wishart(df, scale); given it, the mean is normal, of covariance over kappa.

    A value is a matrix (d, 1 + d): x[..., 0] is the mean, x[..., 1:] the covariance.

    >>> stat = Scatter(np.array([2.0]), np.array([[2.0]]), np.array([[[2.0]]]))
    >>> NormalInverseWishart([0], 1, 4, [[2]]).posterior(stat).mean[0]  # as NormalInverseGamma(0, 1, 2, 1)
    array([[1.33333333, 1.66666667]])
    """

    parameter_axes = 1
    event_axes = 2

    location: Floats  # (..., d)
    kappa: Floats  # (...): how many rows the belief about the mean is worth
    df: Floats  # (...)
    scale: Floats  # (..., d, d)
    location_rest: Floats = field(repr=False)  # (..., d) what rounding took from the location

    def __init__(
        self,
        location: ArrayLike,
        kappa: ArrayLike,
        df: ArrayLike,
        scale: ArrayLike,
        location_rest: ArrayLike = 0.0,
    ) -> None:
        centre, matrix = around(finite("location", location), "scale", finite("scale", scale))
        batch, least = centre.shape[:-1], centre.shape[-1] - 1
        freedom = positive("df", df)
        demand("df", freedom, freedom > least, f"it must be above {least}, one less than the columns")
        worth = positive("kappa", kappa)
        self._set(
            location=centre,
            kappa=np.broadcast_to(worth, batch),
            df=np.broadcast_to(freedom, batch),
            scale=matrix,
            location_rest=np.broadcast_to(finite("location_rest", location_rest), centre.shape),
        )

    @classmethod
    def of(cls, prior: NormalInverseWishart) -> Self:
        """The same belief, of each group's covariance or of the one that they share, as the class says."""
        if type(prior) is cls:
            return prior
        return cls(prior.location, prior.kappa, prior.df, prior.scale, prior.location_rest)

    @property
    def width(self) -> int:
        """The number d of columns."""
        return int(self.location.shape[-1])

    @cached_property
    def _factor(self) -> Factor:
        return Factor.of(self.scale)

    @cached_property
    def _halves(self) -> Floats:
        """The arguments of the gamma functions of an inverse Wishart, (..., d)."""
        return np.asarray((self.df[..., None] - np.arange(self.width)) / 2)

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """Any mean; a symmetric positive definite covariance."""
        covariance = np.where(np.isfinite(x), x, 0.0)[..., 1:]
        even = np.abs(covariance - np.swapaxes(covariance, -1, -2)).max(axis=(-1, -2), initial=0.0)
        good = (even <= 1e-9 * np.abs(covariance).max(axis=(-1, -2), initial=0.0)) & (
            np.linalg.eigvalsh(covariance).min(axis=-1) > 0
        )
        return np.asarray(np.isfinite(x) & good[..., None, None])

    def _log_prob(self, x: Floats) -> Floats:
        d = self.width
        factor = Factor.of(np.where(np.isnan(x[..., 1:]), np.eye(d), x[..., 1:]))
        log_wishart = self.df / 2 * (self._factor.log_det - d * LOG_2) - self._log_gamma()
        trace = np.einsum("...ij,...jk,...ik->...", factor.whiten, self.scale, factor.whiten)
        log_wishart = log_wishart - (self.df + d + 1) / 2 * factor.log_det - trace / 2
        apart = (factor.whiten @ (x[..., 0] - self.location)[..., None])[..., 0]
        q = self.kappa * (apart**2).sum(axis=-1)
        return np.asarray(log_wishart + 0.5 * (d * (np.log(self.kappa) - LOG_2PI) - factor.log_det - q))

    def _log_gamma(self) -> Floats:
        """The log of the multivariate gamma function of df / 2."""
        d = self.width
        return np.asarray(d * (d - 1) / 4 * LOG_PI + log_gamma(self._halves).sum(axis=-1))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        d = self.width
        # Bartlett: chi-squares on the diagonal and normals below it, whose inverse takes the scale.
        below = np.tril(rng.standard_normal((*shape, d, d)), -1)
        chi = np.sqrt(rng.chisquare(2 * self._halves, (*shape, d)))
        inverse = np.swapaxes(np.linalg.inv(below + np.eye(d) * chi[..., None, :]), -1, -2)
        root = np.linalg.inv(self._factor.whiten) @ inverse
        mean = root @ rng.standard_normal((*shape, d, 1)) / np.sqrt(self.kappa)[..., None, None]
        covariance = root @ np.swapaxes(root, -1, -2)
        return np.concatenate([self.location[..., None] + mean, covariance], axis=-1)

    def entropy(self) -> Floats:
        """Of the mean and the covariance together, in nats."""
        d = self.width
        log_det, spread = self._factor.log_det - d * LOG_2, digamma(self._halves).sum(axis=-1)
        wishart = self._log_gamma() + self.df * d / 2 + (d + 1) / 2 * log_det
        wishart = wishart - (self.df + d + 1) / 2 * spread
        return np.asarray(wishart + 0.5 * (d * (LOG_2PI + 1 - np.log(self.kappa)) + log_det - spread))[()]

    def _at(self, divisor: Floats) -> Floats:
        """The location, and the scale over this."""
        covariance = self.scale / divisor[..., None, None]
        return np.concatenate([self.location[..., None], covariance], axis=-1)

    @cached_property
    def mean(self) -> Floats:
        """Infinite for covariances with df <= d + 1."""
        divisor = self.df - self.width - 1
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where((divisor > 0)[..., None, None], self._at(np.maximum(divisor, 0)), np.inf)

    @cached_property
    def variance(self) -> Floats:
        """Infinite where df is too small: d + 1 for the mean, d + 3 for the covariance."""
        free = (self.df - self.width)[..., None, None]
        own = np.diagonal(self.scale, axis1=-2, axis2=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            top = (free + 1) * self.scale**2 + (free - 1) * own[..., :, None] * own[..., None, :]
            of_covariance = np.where(free > 3, top / (free * (free - 1) ** 2 * (free - 3)), np.inf)
            of_mean = np.where(free[..., 0] > 1, own / (free[..., 0] - 1), np.inf) / self.kappa[..., None]
        return np.concatenate([of_mean[..., None], of_covariance], axis=-1)

    @property
    def mode(self) -> Floats:
        """Of the mean and the covariance together."""
        return self._at(self.df + self.width + 2)

    def posterior(self, stat: SecondMoments) -> Self:
        """What is believed once the data are seen."""
        kappa = self.kappa + stat.n
        seen = (stat.n > 0)[:, None]
        # From the group's mean rather than a weighted sum of two: a shift of the data costs no digits.
        apart = (self.location - stat.mean) + (self.location_rest - stat.mean_rest)
        apart = np.where(seen, apart, 0.0)
        moved = two_sum(stat.mean, stat.mean_rest + apart * (self.kappa / kappa)[:, None])
        own = np.broadcast_arrays(self.location, self.location_rest, stat.mean)[:2]
        location, rest = np.where(seen, moved, own)
        between = apart[:, :, None] * apart[:, None, :] * (self.kappa * stat.n / kappa)[:, None, None]
        scale = self.scale + self._gathered(stat.scatter) + self._gathered(between)
        return type(self)(location, kappa, self.df + self._gathered(stat.n), scale, rest)

    def _gathered(self, of_groups: Floats) -> Floats:
        """What groups (g, ...) have to say of each covariance."""
        return of_groups

    @property
    def finite_mean(self) -> Floats:
        """The expected mean and covariance; the mode where df <= d + 1."""
        expected = self.df > self.width + 1
        return np.where(expected[..., None, None], self.mean, self.mode)

    def log_natural(self, mean: Floats, mean_rest: Floats, factor: Factor) -> Floats:
        """-1/2 ((df - d - 1) log|covariance| + trace(scale / covariance) + kappa distance^2)."""
        d = self.width
        apart = (mean - self.location) + (mean_rest - self.location_rest)
        q = np.square((factor.whiten @ apart[..., None])[..., 0]).sum(axis=-1)
        trace = np.einsum("...ij,...jk,...ik->...", factor.whiten, self.scale, factor.whiten)
        return np.asarray(-0.5 * ((self.df - d - 1) * factor.log_det + trace + self.kappa * q))

    def log_evidence(self, stat: Scatter) -> Floats:
        """The log density of the rows, mean and covariance integrated out."""
        seen, d = self.posterior(stat), self.width
        gammas = log_rising(self._halves, stat.n[:, None] / 2).sum(axis=-1)
        grown = seen._factor.log_det - self._factor.log_det
        log_det = self.df / 2 * grown + stat.n / 2 * (seen._factor.log_det + d * LOG_PI)
        return np.asarray(gammas - log_det + d / 2 * np.log(self.kappa / seen.kappa))


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SharedCovariance(NormalInverseWishart):
    """One covariance, inverse Wishart(df, scale); given it, the groups' means are independent and normal.

    What it says of any one group is a `NormalInverseWishart`; df and scale are the same in all.

    >>> stat = Within(np.array([2.0, 3.0]), np.array([[2.0], [5.0]]), np.array([[[4.0]]]))
    >>> SharedCovariance([3], 1, 4, [[2]]).posterior(stat)
    SharedCovariance(location=array([[2.33333333],
           [4.5       ]]), kappa=array([3., 4.]), df=array([9., 9.]), scale=array([[[9.66666667]],
    <BLANKLINE>
           [[9.66666667]]]))
    """

    def _gathered(self, of_groups: Floats) -> Floats:
        return np.asarray(of_groups.sum(axis=0, keepdims=True))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        if not self.batch:
            return super()._draw(rng, shape)
        covariance = self.take(0)._draw(rng, shape[:-1])[..., None, :, 1:]
        white = rng.standard_normal((*shape, self.width, 1))
        mean = np.linalg.cholesky(covariance) @ white / np.sqrt(self.kappa)[..., None, None]
        whole = np.broadcast_to(covariance, (*shape, self.width, self.width))
        return np.concatenate([self.location[..., None] + mean, whole], axis=-1)

    def log_natural(self, mean: Floats, mean_rest: Floats, factor: Factor) -> Floats:
        """As of a `NormalInverseWishart`, the covariance counted once: in equal shares by the groups."""
        d, groups = self.width, len(mean)
        apart = (mean - self.location) + (mean_rest - self.location_rest)
        q = np.square((factor.whiten @ apart[..., None])[..., 0]).sum(axis=-1)
        trace = np.einsum("...ij,...jk,...ik->...", factor.whiten, self.scale, factor.whiten)
        shared = (self.df - d - 1) * factor.log_det + trace
        return np.asarray(-0.5 * (shared / groups + self.kappa * q))

    def log_evidence(self, stat: Within) -> Floats:  # type: ignore[override]
        """The log density of the rows of all groups together, means and covariance integrated out, (1,)."""
        seen, d, n = self.posterior(stat).take([0]), self.width, stat.n.sum()
        own = self.take([0]) if self.batch else self
        gammas = log_rising(own._halves, n / 2).sum(axis=-1)
        grown = seen._factor.log_det - own._factor.log_det
        log_det = own.df / 2 * grown + n / 2 * (seen._factor.log_det + d * LOG_PI)
        kept = np.log(self.kappa / (self.kappa + stat.n)).sum()
        return np.atleast_1d(gammas - log_det + d / 2 * kept)
