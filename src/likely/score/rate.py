"""A share of rows, and the interval in which it lies."""

from __future__ import annotations

from typing import Any

from likely.dist.distribution import demand, numbers
from likely.dist.numeric.logs import special


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
