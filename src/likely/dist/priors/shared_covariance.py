"""The prior of multivariate normal distributions that have one covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.logs import log_rising
from likely.dist.numeric.matrices import Factor
from likely.dist.priors.normal_inverse_wishart import LOG_PI, NormalInverseWishart
from likely.stats.groups import Floats
from likely.stats.pooled_scatter import Within


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
