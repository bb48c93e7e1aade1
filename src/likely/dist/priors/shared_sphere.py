"""The prior of normal distributions that have one variance in all columns and all groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.logs import log, log_rising
from likely.dist.priors.normal_inverse_gamma import LARGEST, LOG_2PI, pulled
from likely.dist.priors.shared_variance import SharedVariance
from likely.stats.groups import Floats
from likely.stats.moments import Moments


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SharedSphere(SharedVariance):
    """One variance, inverse gamma(a, b); given it, all means of all groups are independent and normal.

    What it says of any one group is a `SharedVariance`; a and b are the same in all groups.

    >>> stat = Moments(np.array([[2.0], [3.0]]), np.array([[2.0], [5.0]]), np.array([[1.0], [3.0]]))
    >>> SharedSphere([3], 1, 2, 1).posterior(stat).b
    array([4.83333333, 4.83333333])
    """

    def posterior(self, stat: Moments) -> SharedSphere:
        """What is believed once the data are seen: every cell tells of the variance."""
        location, rest, kappa, between = pulled(self, stat)
        b = self.b + (stat.scatter + between).sum() / 2
        return SharedSphere(location, kappa, self.a + stat.n.sum() / 2, b, rest)

    @property
    def mode(self) -> Floats:
        """Of all means and the variance together."""
        means = self.width * (self.batch[0] if self.batch else 1)
        return self._with_variance(self.b / (self.a + 1 + means / 2))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        if not self.batch:
            return super()._draw(rng, shape)
        with np.errstate(divide="ignore", over="ignore"):
            variance = np.minimum(self.b[0] / rng.standard_gamma(self.a[0], (*shape[:-1], 1, 1)), LARGEST)
        variance = np.broadcast_to(variance, (*shape, 1))  # the same in every group
        means = rng.normal(self.location, np.sqrt(variance / self.kappa), (*shape, self.width))
        return np.concatenate([means, variance], axis=-1)

    def log_natural(self, mean: Floats, mean_rest: Floats, variance: Floats) -> Floats:
        """As of a `SharedVariance`, the variance counted once: in equal shares by the groups."""
        apart, one = (mean - self.location) + (mean_rest - self.location_rest), variance[..., 0]
        own = (self.kappa * apart**2).sum(axis=-1) / 2 / one
        shared = -(self.a - 1) * np.log(one) - self.b / one
        return np.asarray(shared / len(mean) - own)

    def log_evidence(self, stat: Moments) -> Floats:
        """The log density of the values of all groups together, means and variance summed out, (1,)."""
        seen, half = self.posterior(stat), stat.n.sum() / 2
        a, b = (np.broadcast_to(x, seen.batch)[:1] for x in (self.a, self.b))
        return np.asarray(
            log_rising(a, half)
            - a * log(seen.b[:1] / b)
            - half * (np.log(seen.b[:1]) + LOG_2PI)
            + 0.5 * np.log(self.kappa / seen.kappa).sum()
        )
