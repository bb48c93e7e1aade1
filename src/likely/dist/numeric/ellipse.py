"""Where a normal distribution of two columns has one density: an ellipse, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.dist.numeric.parameters import positive
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
