"""The beta distribution as the prior of a binomial's probability, of so many trials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.numeric.parameters import not_negative
from likely.dist.priors.beta import Beta
from likely.stats.groups import Floats


@dataclass(frozen=True, init=False, eq=False, repr=False)
class BinomialBeta(Beta):
    """Beta(a, b), and how many trials a count is of.

    >>> BinomialBeta(1, 1, trials=10)
    BinomialBeta(a=1.0, b=1.0, trials=10.0)
    """

    trials: Floats

    def __init__(self, a: ArrayLike, b: ArrayLike, trials: ArrayLike) -> None:
        super().__init__(a, b)
        arrays = np.broadcast_arrays(self.a, self.b, not_negative("trials", trials))
        self._set(**dict(zip(("a", "b", "trials"), arrays, strict=True)))
