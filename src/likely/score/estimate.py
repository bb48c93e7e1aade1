"""A number that was estimated from rows, and how far off chance may have put it."""

from __future__ import annotations

import math
from typing import Any

from likely.stats.groups import Floats


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
