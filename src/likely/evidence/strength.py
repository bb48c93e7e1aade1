"""Which evidence is the strongest, and how strong it is beside the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

from likely.errors import LikelyError


def strongest(evidence: Sequence[float]) -> list[int]:
    """The places of evidence by strength; what is undefined counts as infinite, for it needs a look.

    >>> strongest([1.0, -2.0, math.nan, 0.0])
    [2, 1, 0, 3]
    """
    return sorted(
        range(len(evidence)), key=lambda i: -math.inf if math.isnan(evidence[i]) else -abs(evidence[i])
    )


def first(top: int | None, places: list[int]) -> list[int]:
    """The first `top` places, or all.

    >>> first(2, [5, 3, 4]), first(None, [5, 3, 4])
    ([5, 3], [5, 3, 4])
    """
    if top is not None and top < 0:
        raise LikelyError(f"top is {top}: the number to show is 0 or more, or None for all")
    return places[:top]


def shares(amounts: Sequence[float]) -> list[float]:
    """Amounts as shares of the largest finite one; infinities stay infinite.

    >>> shares([1.0, -4.0, -math.inf])
    [0.25, -1.0, -inf]
    """
    largest = max((abs(a) for a in amounts if math.isfinite(a)), default=0.0) or 1.0
    return [a / largest for a in amounts]
