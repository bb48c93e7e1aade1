"""The beta distribution as the prior of a geometric distribution's probability."""

from __future__ import annotations

from dataclasses import dataclass

from likely.dist.priors.beta import Beta


@dataclass(frozen=True, init=False, eq=False, repr=False)
class GeometricBeta(Beta):
    """Beta(a, b) that says what it is about: how many trials it takes until the first success.

    >>> GeometricBeta(1, 3).mean
    array(0.25)
    """
