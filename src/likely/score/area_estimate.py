"""An area under a ROC curve, and the interval in which it lies."""

from __future__ import annotations

import math
from typing import Any

from likely.dist.numeric.logs import special
from likely.score.estimate import Score
from likely.score.rate import known_level

ROUNDING = 1e-12  # of sums of weights


class Area(Score):
    """An area under a ROC curve: a `Score` that also knows its `interval`.

    >>> tuple(round(end, 3) for end in Area(0.875, 40, 0.05, 20).interval())
    (0.741, 0.945)
    """

    fewest: int  # rows of the smallest class

    def __new__(cls, value: float, n: int, standard_error: float, fewest: int) -> Area:
        """An area over n rows."""
        made = super().__new__(cls, value, n, standard_error)
        assert isinstance(made, Area)
        made.fewest = fewest
        return made

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Where the area of all rows of such kind lies, with the probability `level`.

        DeLong's standard error is taken to the log-odds of the area, so that the ends stay between 0 and 1.
        Where all comparisons come out alike it is 0 and tells nothing: an area of 1 is then as sure as that
        many of that many rows of the smallest class, and so is one of 0.
        """
        tail, value = (1 - known_level(level)) / 2, float(self)
        if math.isinf(self.standard_error):
            return 0.0, 1.0
        if min(value, 1 - value) < ROUNDING:
            least = tail ** (1 / self.fewest)
            return (least, 1.0) if value > 0.5 else (0.0, 1 - least)
        middle, reach = math.log(value / (1 - value)), self.standard_error / (value * (1 - value))
        z = float(special("ndtri", 1 - tail))
        low, high = (float(special("expit", middle + side * z * reach)) for side in (-1, 1))
        return low, high

    def __reduce__(self) -> tuple[Any, ...]:
        return Area, (float(self), self.n, self.standard_error, self.fewest)
