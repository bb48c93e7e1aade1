"""The prior of normal distributions whose columns have each one variance, the same in all groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.column_variance import CERTAIN
from likely.dist.numeric.logs import log, log_rising
from likely.dist.priors.normal_inverse_gamma import LARGEST, LOG_2PI, NormalInverseGamma, pulled
from likely.stats.groups import Floats
from likely.stats.moments import Moments


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SharedDiagonal(NormalInverseGamma):
    """One variance a column, inverse gamma(a, b); given it, the groups' means are independent and normal.

    What it says of any one group is a `NormalInverseGamma`; a and b are the same in all groups.

    >>> stat = Moments(np.array([[2.0], [3.0]]), np.array([[2.0], [5.0]]), np.array([[1.0], [3.0]]))
    >>> SharedDiagonal(3, 1, 2, 1).posterior(stat).b
    array([[4.83333333],
           [4.83333333]])
    """

    @property
    def _groups(self) -> int:
        return self.batch[0] if self.batch else 1

    def posterior(self, stat: Moments) -> SharedDiagonal:
        """What is believed once the data are seen: the scatter of all groups tells of the variance."""
        location, rest, kappa, between = pulled(self, stat)
        b = self.b + (stat.scatter + between).sum(axis=0, keepdims=True) / 2
        return SharedDiagonal(location, kappa, self.a + stat.n.sum(axis=0, keepdims=True) / 2, b, rest)

    @property
    def mode(self) -> Floats:
        """Of all means and the variance together."""
        return np.stack([self.location, self.b / (self.a + 1 + self._groups / 2)], axis=-1)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        if len(self.batch) < 2:
            return super()._draw(rng, shape)
        one = (*shape[:-2], 1, shape[-1])  # the same in every group
        with np.errstate(divide="ignore", over="ignore"):
            variance = np.minimum(self.b[:1] / rng.standard_gamma(self.a[:1], one), LARGEST)
        variance = np.broadcast_to(variance, shape)
        return np.stack([rng.normal(self.location, np.sqrt(variance / self.kappa)), variance], axis=-1)

    def log_natural(self, mean: Floats, mean_rest: Floats, variance: Floats) -> Floats:
        """As of a `NormalInverseGamma`, the variance counted once: in equal shares by the groups."""
        apart = (mean - self.location) + (mean_rest - self.location_rest)
        shared = -(self.a - 1) * np.log(variance) - self.b / variance
        own = self.kappa / 2 * apart**2 / variance
        return np.where(self.kappa >= CERTAIN, 0.0, shared / len(mean) - own)

    def log_evidence(self, stat: Moments) -> Floats:
        """The log density of the values of all groups together, means and variances summed out, (1, d)."""
        seen, half = self.posterior(stat), stat.n.sum(axis=0, keepdims=True) / 2
        a, b = (np.broadcast_to(x, seen.batch)[:1] for x in (self.a, self.b))
        return np.asarray(
            log_rising(a, half)
            - a * log(seen.b[:1] / b)
            - half * (np.log(seen.b[:1]) + LOG_2PI)
            + 0.5 * np.log(self.kappa / seen.kappa).sum(axis=0, keepdims=True)
        )
