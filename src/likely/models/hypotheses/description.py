"""The most probable hypothesis as the shortest description of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.format.words import shown, table

Floats = NDArray[np.float64]

SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False)
class DescriptionLengths:
    """Bits to name each hypothesis, bits of the data given it, and their sum; the least is MAP.

    >>> DescriptionLengths(("spam", "ham"), np.array([1.0, 1.0]), np.array([1.32, 3.06]))
    in bits  hypothesis  data given it  total
    <BLANKLINE>
    spam           1.00           1.32   2.32  shortest
    ham            1.00           3.06   4.06
    """

    names: tuple[str, ...]  # (h,)
    of_hypothesis: Floats  # (h,) -log2 P(hypothesis)
    of_data: Floats  # (h,) -log2 P(data given hypothesis)

    @property
    def total(self) -> Floats:
        """The bits of both."""
        return self.of_hypothesis + self.of_data

    @property
    def shortest(self) -> str:
        """The hypothesis with the least bits; the first of several."""
        return self.names[int(np.argmin(self.total))]

    def to_frame(self) -> dict[str, Any]:
        """One line for each hypothesis."""
        names = np.empty(len(self.names), object)
        names[:] = self.names
        return {
            "hypothesis": names,
            "bits of hypothesis": self.of_hypothesis,
            "bits of data": self.of_data,
            "bits": self.total,
        }

    def __str__(self) -> str:
        order = np.argsort(self.total, kind="stable")[:SHOWN]
        head = ["in bits", "hypothesis", "data given it", "total", ""]
        lines = []
        for i in order.tolist():
            mark = "shortest" if self.names[i] == self.shortest else ""
            bits = (self.of_hypothesis[i], self.of_data[i], self.total[i])
            lines.append([shown(self.names[i], 60), *(f"{number + 0.0:.2f}" for number in bits), mark])
        more = len(self.names) - SHOWN
        rest = [f"and {more} more: to_frame() has all"] if more > 0 else []
        first, *others = table([head, *lines], "<>>><").split("\n")
        return "\n".join([first, "", *others, *rest])

    __repr__ = __str__
