"""One figure of a worked example: the true value, and what the source prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Step:
    """A figure that must come out.

    `exact` is the true value: a number, or a word. `book` is what the source prints, if it does, as it prints
    it. Where the source is wrong, `wrong` says so. What is found by iterations may be off by a `tolerance`.

    >>> Step("P(+ and ill)", 0.00784, ".0078").agrees(0.00784)
    True
    """

    label: str
    exact: Any
    book: str = ""
    wrong: str = ""
    tolerance: float = TOLERANCE

    def right(self, ours: object) -> bool:
        """Whether our figure is the true value, to nine digits or as the tolerance says."""
        if isinstance(self.exact, str | bool):
            return bool(ours == self.exact)
        a, b = np.asarray(ours, np.float64), np.asarray(self.exact, np.float64)
        return a.shape == b.shape and bool(np.allclose(a, b, rtol=self.tolerance, atol=self.tolerance))

    def agrees(self, ours: object) -> bool | None:
        """Whether our figure, rounded as the source rounds, is the source's; None if it prints none."""
        if not self.book:
            return None
        parts = self.book.replace("(", "").replace(")", "").split(",")
        values = [ours] if isinstance(ours, str | bool) else np.asarray(ours).reshape(-1).tolist()
        return len(parts) == len(values) and all(map(_same, parts, values))


def _same(printed: str, ours: float) -> bool:
    """Whether a number is what is printed, rounded to as many decimals; or a word is."""
    text = printed.strip()
    if isinstance(ours, str | bool):
        return text == str(ours)
    percent = text.endswith("%")
    text = text.rstrip("% ")
    if "/" in text:
        above, below = text.split("/")
        return bool(abs(ours - float(above) / float(below)) < TOLERANCE)
    decimals = len(text.split(".")[1]) if "." in text else 0
    # Half a unit of the last decimal, and a little for numbers on the edge.
    return bool(abs((100 * ours if percent else ours) - float(text)) <= 0.5 * 10.0**-decimals * (1 + 1e-9))
