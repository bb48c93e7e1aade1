"""What a multivariate normal says of its columns one by one, two by two, and of some given others."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import finite, places, positive
from likely.dist.elliptical import conditioned
from likely.errors import LikelyError
from likely.stats.groups import Floats


@dataclass(frozen=True)
class Ellipse:
    """An ellipse: where its centre is, its half axes, and by how much the first is turned, in radians.

    >>> Ellipse.of([0, 0], [[2, 1], [1, 2]]).angle == np.pi / 4
    True
    """

    x: float
    y: float
    first: float  # half the longer axis
    second: float  # half the shorter
    angle: float  # of the first: tan 2 angle = 2 rho s1 s2 / (s1^2 - s2^2)
    across: tuple[float, float]  # its projections: mean -+ sds times the sd of either column
    up: tuple[float, float]
    sds: float = 1.0  # the Mahalanobis distance of its points from the centre

    @classmethod
    def of(cls, mean: Any, covariance: Any, sds: float = 1.0) -> Ellipse:
        """So many standard deviations around a mean (2,)."""
        far = float(positive("sds", sds))
        (a, b), (_, d) = np.asarray(covariance, np.float64)
        half, spread = (a + d) / 2, np.hypot((a - d) / 2, b)
        # The smaller eigenvalue by the determinant: the difference would lose its digits.
        least = max((a * d - b * b) / (half + spread), 0.0)
        x, y = float(mean[0]), float(mean[1])
        reach = far * np.sqrt([a, d])
        return cls(
            x,
            y,
            far * float(np.sqrt(half + spread)),
            far * float(np.sqrt(least)),
            float(np.arctan2(2 * b, a - d) / 2),
            (float(x - reach[0]), float(x + reach[0])),
            (float(y - reach[1]), float(y + reach[1])),
            far,
        )

    @property
    def share(self) -> float:
        """The probability that it encloses: 1 - exp(-sds^2 / 2).

        >>> round(Ellipse.of([0, 0], np.eye(2)).share, 4)
        0.3935
        """
        return float(-np.expm1(-(self.sds**2) / 2))

    def outline(self, n: int = 100) -> Floats:
        """Points along it, (n, 2), from the end of the first axis on; the last is the first again."""
        t = np.linspace(0, 2 * np.pi, n)
        one, other = self.first * np.cos(t), self.second * np.sin(t)
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.stack([self.x + one * cos - other * sin, self.y + one * sin + other * cos], axis=1)


class SomeColumns:
    """z-scores, correlations and ellipses, marginals and conditionals."""

    mean: Floats  # (..., d)
    covariance: Floats  # (..., d, d)
    mean_rest: Floats  # (..., d)

    @classmethod
    def from_sds(cls, mean: ArrayLike, sds: ArrayLike, correlation: ArrayLike = 0.0) -> Self:
        """The normal distribution of these means, standard deviations and correlation.

        correlation: one number for every pair of columns, or a matrix (d, d) with ones on its diagonal. Of
        two columns, z1 and z2 being their z-scores, the density is exp(-(z1^2 - 2 rho z1 z2 + z2^2) / (2 (1 -
        rho^2))) / (2 pi s1 s2 sqrt(1 - rho^2)) (Flach, eq. 9.3).

        >>> from likely.dist import MultivariateNormal
        >>> MultivariateNormal.from_sds([1, 0], [2, 1], 0.6).covariance
        array([[4. , 1.2],
               [1.2, 1. ]])
        """
        spread, given = positive("sds", sds), finite("correlation", correlation)
        width = spread.shape[-1] if spread.ndim else 0
        if not width or np.shape(mean)[-1:] != (width,):
            raise LikelyError(f"sds={sds!r} and mean={mean!r}: give as many of both, one for each column.")
        one = np.eye(width)
        whole = np.where(one == 1, 1.0, given) if given.ndim == 0 else given
        if whole.shape[-2:] != (width, width) or (np.diagonal(whole, axis1=-2, axis2=-1) != 1).any():
            raise LikelyError(
                f"correlation={correlation!r}: give one number, or {width} rows of {width} with ones on the "
                "diagonal."
            )
        if (np.abs(whole) > 1).any():
            raise LikelyError(f"correlation={correlation!r}: a correlation is a number from -1 to 1.")
        make: Any = cls
        made: Self = make(mean, whole * spread[..., :, None] * spread[..., None, :])
        return made

    @property
    def correlation(self) -> Floats:
        """The correlations of the columns, (..., d, d)."""
        sds = np.sqrt(np.diagonal(self.covariance, axis1=-2, axis2=-1))
        return np.asarray(self.covariance / (sds[..., :, None] * sds[..., None, :]))

    def z(self, x: ArrayLike) -> Floats:
        """How many standard deviations each column of x (..., d) lies above its mean: its z-scores.

        >>> from likely.dist import MultivariateNormal
        >>> MultivariateNormal.from_sds([1, 0], [2, 1], 0.6).z([2.0, -1.5])
        array([ 0.5, -1.5])
        """
        sds = np.sqrt(np.diagonal(self.covariance, axis1=-2, axis2=-1))
        return np.asarray(((np.asarray(x, np.float64) - self.mean) - self.mean_rest) / sds)

    def ellipse(self, sds: float = 1.0, columns: ArrayLike = (0, 1)) -> Ellipse:
        """The points of two columns that lie so many standard deviations (Mahalanobis) from the mean.

        >>> from likely.dist import MultivariateNormal
        >>> one = MultivariateNormal.from_sds([1, 0], [2, 1], 0.6).ellipse()
        >>> one.across, one.up  # mean -+ sd
        ((-1.0, 3.0), (-1.0, 1.0))
        >>> round(float(np.tan(2 * one.angle)), 12)  # 2 rho s1 s2 / (s1^2 - s2^2)
        0.8
        """
        pair = self.marginal(columns)
        if pair.mean.shape != (2,):
            raise LikelyError(
                f"an ellipse is of two columns of one distribution, and these are means of shape "
                f"{pair.mean.shape}: name two columns, and take() one of a batch."
            )
        return Ellipse.of(pair.mean, pair.covariance, sds)

    def marginal(self, columns: ArrayLike) -> Any:
        """The distribution of some of the columns, in the order of their places.

        >>> from likely.dist import MultivariateNormal
        >>> MultivariateNormal([1, 2, 3], np.diag([4.0, 5, 6])).marginal([2, 0]).mean
        array([3., 1.])
        """
        keep = places(columns, self.mean.shape[-1])
        covariance = self.covariance[..., keep[:, None], keep]
        return self._normal(self.mean[..., keep], covariance, self.mean_rest[..., keep])

    def conditional(self, columns: ArrayLike, values: ArrayLike) -> Any:
        """The distribution of the other columns where these have these values: slice and normalise.

        Its mean moves along the regression on the known columns, and its covariance is the Schur complement
        of theirs, whatever the values.

        >>> from likely.dist import MultivariateNormal
        >>> pair = MultivariateNormal([0, 0], [[1, 0.8], [0.8, 1]])
        >>> pair.conditional([0], [2.0])
        MultivariateNormal(mean=array([1.6]), covariance=array([[0.36]]))
        """
        width = self.mean.shape[-1]
        known = places(columns, width)
        others = np.setdiff1d(np.arange(width), known)
        if not len(others):
            raise LikelyError(f"columns={known.tolist()!r} are all there are: leave one to be described.")
        apart = (finite("values", values) - self.mean[..., known]) - self.mean_rest[..., known]
        cross = self.covariance[..., known[:, None], others]
        slope = np.linalg.solve(self.covariance[..., known[:, None], known], cross)
        mean = self.mean[..., others] + (apart[..., None, :] @ slope)[..., 0, :]
        left = self.covariance[..., others[:, None], others] - np.swapaxes(cross, -1, -2) @ slope
        even = (left + np.swapaxes(left, -1, -2)) / 2
        return self._normal(mean, conditioned(even), self.mean_rest[..., others])

    @staticmethod
    @abstractmethod
    def _normal(mean: Floats, covariance: Floats, mean_rest: Floats) -> Any:
        """A multivariate normal, whatever family this is."""
