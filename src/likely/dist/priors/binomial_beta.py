"""The beta distribution as the prior of a binomial's probability, of so many trials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.priors.beta import Beta
from likely.dist.predictive.beta_binomial import BetaBinomial
from likely.dist.numeric.counting import log_ways
from likely.dist.distribution import Grouped
from likely.dist.numeric.parameters import not_negative
from likely.errors import LikelyError
from likely.stats.binned import Cells
from likely.stats.groups import Floats
from likely.stats.sums import Sums


@dataclass(frozen=True, init=False, eq=False, repr=False)
class BinomialBeta(Beta):
    """Beta(a, b), and how many trials a count is of.

    >>> BinomialBeta(1, 1, trials=10).predictive().prob(7).round(4)
    np.float64(0.0909)
    """

    trials: Floats

    def __init__(self, a: ArrayLike, b: ArrayLike, trials: ArrayLike) -> None:
        super().__init__(a, b)
        arrays = np.broadcast_arrays(self.a, self.b, not_negative("trials", trials))
        self._set(**dict(zip(("a", "b", "trials"), arrays, strict=True)))

    def _tried(self, stat: Cells) -> Sums:
        """The trials and the successes behind the counts."""
        trials = np.broadcast_to(self.trials, stat.power.shape).reshape(-1)[stat.where]
        if (stat.centre > trials).any():
            most = float(stat.centre.max())
            raise LikelyError(f"a count of {most:g} is more than trials={trials.max():g}: give more trials.")
        return Sums(stat.n * self.trials, stat.total)

    def posterior(self, stat: Any) -> Self:
        """What is believed once the counts are seen."""
        return super().posterior(self._tried(stat))

    def at(self, parameters: Floats) -> Grouped:
        """The binomial distribution of this p."""
        from likely.dist.families.binomial import Binomial

        return Binomial(parameters, self.trials)

    def predictive(self) -> Grouped:
        """The beta-binomial distribution."""
        return BetaBinomial(self.a, self.b, self.trials)

    def log_evidence(self, stat: Any) -> Floats:
        """The log-probability of the counts, p summed out: of the trials, times the ways to order them."""
        trials = np.broadcast_to(self.trials, stat.power.shape).reshape(-1)[stat.where]
        ways = stat.sum(stat.weight * log_ways(trials, stat.centre))
        return np.asarray(super().log_evidence(self._tried(stat)) + ways)
