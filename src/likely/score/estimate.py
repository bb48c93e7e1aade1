"""Numbers estimated from rows, and how far off chance may have put them: means, shares, areas."""

from __future__ import annotations

import math
from typing import Any

from likely.dist.distribution import demand, numbers
from likely.dist.numeric.logs import special
from likely.stats.groups import Floats

ROUNDING = 1e-12  # of sums of weights


class Score(float):
    """A score of predictions: a float that also knows its rows `n` and its `standard_error`.

    The standard error is infinite where the rows cannot tell, as with a single one. Arithmetic gives plain
    floats.

    >>> loss = Score(0.5215, 2201, 0.0093)
    >>> loss
    0.521 ± 0.009 from 2201 rows
    >>> loss.n, loss.standard_error, loss + 0.5
    (2201, 0.0093, 1.0215)
    """

    n: int  # rows that count
    standard_error: float

    def __new__(cls, value: float, n: int, standard_error: float) -> Score:
        """A score over n rows."""
        made = super().__new__(cls, value)
        made.n, made.standard_error = n, standard_error
        return made

    @property
    def error_text(self) -> str:
        """The standard error as it is printed, and a word where the rows cannot tell it.

        >>> Score(0.5, 1, math.inf).error_text
        'unknown'
        """
        return f"{self.standard_error:.3f}" if math.isfinite(self.standard_error) else "unknown"

    def __repr__(self) -> str:
        rows = f"{self.n} row{'' if self.n == 1 else 's'}"
        return f"{float(self):.3f} ± {self.error_text} from {rows}"

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (float(self), self.n, self.standard_error)


def mean_score(of_rows: Floats, weight: Floats) -> Score:
    """The weighted mean of a number of each row; rows without weight are no rows.

    The standard error is the standard deviation over the square root of n, or with weights its analogue
    for a ratio of sums.

    >>> import numpy as np
    >>> mean_score(np.array([0.0, 1.0, 1.0, 9.0]), np.array([1.0, 1.0, 1.0, 0.0]))
    0.667 ± 0.333 from 3 rows
    """
    counted = weight > 0
    numbers, weight = of_rows[counted], weight[counted]
    n, share = len(numbers), weight / weight.sum()
    mean = float(share @ numbers)
    if n < 2 or not math.isfinite(mean):
        return Score(mean, n, math.inf)
    return Score(mean, n, math.sqrt(variance_of_mean(numbers, share)))


def variance_of_mean(numbers: Floats, share: Floats) -> float:
    """The squared standard error of a mean of two rows or more; shares add up to 1.

    >>> import numpy as np
    >>> variance_of_mean(np.array([0.0, 1.0, 1.0]), np.full(3, 1 / 3)) * 9
    1.0
    """
    n = len(numbers)
    off = share * (numbers - share @ numbers)
    return float(off @ off) * n / (n - 1)


class Rate(float):
    """A share of rows: a float that also knows `n`, of how many, and the `interval` that covers `level`.

    >>> Rate(0.8, 10, (0.5, 0.95), 0.95)
    0.800 (0.500 to 0.950) of 10
    """

    n: float
    interval: tuple[float, float]
    level: float

    def __new__(cls, value: float, n: float, interval: tuple[float, float], level: float) -> Rate:
        """A share of n rows."""
        made = super().__new__(cls, value)
        made.n, made.interval, made.level = n, interval, level
        return made

    def __repr__(self) -> str:
        return f"{float(self):.3f} ({self.interval[0]:.3f} to {self.interval[1]:.3f}) of {self.n:g}"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rate, (float(self), self.n, self.interval, self.level)


def rate(hits: float, n: float, level: float) -> Rate:
    """The share hits / n, with the central interval of its posterior under Jeffreys' prior Beta(1/2, 1/2).

    The end on the side where nothing was seen is 0 or 1 itself. Of no rows the share is 0, and anything is
    possible.

    >>> rate(8, 10, 0.95), rate(0, 10, 0.95), rate(0, 0, 0.95)
    (0.800 (0.497 to 0.956) of 10, 0.000 (0.000 to 0.217) of 10, 0.000 (0.000 to 1.000) of 0)
    """
    rest = max(n - hits, 0.0)
    tail = (1 - level) / 2
    low = float(special("betaincinv", hits + 0.5, rest + 0.5, tail)) if hits > 0 else 0.0
    high = float(special("betaincinv", hits + 0.5, rest + 0.5, 1 - tail)) if rest > 0 else 1.0
    return Rate(hits / n if n else 0.0, n, (low, high), level)


def known_level(level: float) -> float:
    """The level of intervals, if it is one.

    >>> known_level(0.9)
    0.9
    """
    given = numbers("level", level)
    return float(demand("level", given, (given > 0) & (given < 1), "it lies between 0 and 1, such as 0.95"))


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
