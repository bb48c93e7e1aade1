"""The bits that it takes to tell somebody who has a classifier which of its answers are wrong."""

from __future__ import annotations

import math

from likely.errors import LikelyError


def error_bits(wrong: int, n: int, classes: int = 2, *, way: str = "which") -> float:
    """Bits that put k wrong answers of n right.

    "which": how many are wrong, log2(n + 1); which ones, log2 of n over k; and of more than two classes which
    other class each has. Of two classes this is -log2 of the Beta(1, 1) evidence of the row of right and
    wrong. "count": one bit a wrong answer, as is often said; it cannot be decoded.

    >>> round(error_bits(10, 100), 6), error_bits(10, 100, way="count")
    (50.634908, 10.0)
    """
    if not 0 <= wrong <= n or classes < 1:
        raise LikelyError(f"wrong={wrong!r} of n={n!r}, classes={classes!r}: give counts, wrong at most n.")
    if way == "count":
        return float(wrong)
    if way != "which":
        raise LikelyError(f"way={way!r}: use 'which' or 'count'.")
    which = math.lgamma(n + 1) - math.lgamma(wrong + 1) - math.lgamma(n - wrong + 1)
    if n <= 1000:  # exactly
        which = math.log(math.comb(n, wrong))
    other = wrong * math.log2(max(classes - 1, 1))
    return which / math.log(2) + math.log2(n + 1) + other
