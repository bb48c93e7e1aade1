"""How far the parameters of a model are known: an interval of every class probability of every row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.format import words
from likely.table.build import to_table

Floats = NDArray[np.float64]

SHOWN = 10  # lines that are printed


@dataclass(frozen=True, eq=False)
class Intervals:
    """Where each class probability lies, as far as the parameters are known; prints itself.

    >>> one = np.array([[0.25, 0.75]])
    >>> Intervals(("no", "yes"), 0.9, 1000, one, one - 0.1, one + 0.1, np.array([[12.5, 12.5]]))
    class probabilities of 1 row, with 90 % intervals
    <BLANKLINE>
    row  class  probability  lower  upper  cases
      0     no         0.25   0.15   0.35   12.5
      0    yes         0.75   0.65   0.85   12.5
    """

    classes: tuple[Any, ...]  # (g,)
    level: float  # the probability that the interval covers
    draws: int  # from the posterior of the parameters
    probability: Floats  # (n, g), as predict_proba gives them
    lower: Floats  # (n, g)
    upper: Floats  # (n, g)
    cases: Floats  # (n, g): p (1 - p) / Var(p) - 1, infinite where nothing varies
    library: str = "numpy"

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.lower)

    def to_frame(self) -> Any:
        """One line for each row and class, in the library of the table that was asked about.

        >>> one = np.array([[0.25, 0.75]])
        >>> Intervals((0, 1), 0.9, 1000, one, one - 0.1, one + 0.1, one).to_frame()["class"]
        array([0, 1])
        """
        labels = [words.plain(label) for label in self.classes]
        kinds = {type(label) for label in labels}
        names = np.array(labels, object if kinds == {str} else None) if len(kinds) == 1 else _texts(labels)
        columns = {
            "row": np.repeat(np.arange(len(self)), len(labels)),
            "class": np.tile(names, len(self)),
            "probability": self.probability.reshape(-1),
            "lower": self.lower.reshape(-1),
            "upper": self.upper.reshape(-1),
            "cases": self.cases.reshape(-1),
        }
        return to_table(columns, self.library)

    def __str__(self) -> str:
        g = len(self.classes)
        lines = [["row", "class", "probability", "lower", "upper", "cases"]]
        for at in range(min(SHOWN, self.lower.size)):
            i, j = divmod(at, g)
            p = float(self.probability[i, j])
            ends = (float(end[i, j]) for end in (self.lower, self.upper))
            shares = [words.probability(share, 1 - share) for share in (p, *ends)]
            lines.append([str(i), words.shown(self.classes[j]), *shares, _cases(self.cases[i, j])])
        title = (
            f"class probabilities of {words.many(len(self), 'row')}, with {100 * self.level:g} % intervals"
        )
        more = self.lower.size - SHOWN
        rest = [f"and {words.many(more, 'other line')}: to_frame() has all"] if more > 0 else []
        return "\n".join([title, "", words.table(lines, ">>>>>>"), *rest])

    __repr__ = __str__


def _texts(labels: list[Any]) -> NDArray[Any]:
    return np.array([str(label) for label in labels], object)  # a column of a frame has one type


def _cases(number: float) -> str:
    """As many digits as a number of cases deserves."""
    if math.isinf(number):
        return "inf"
    return f"{number:.1f}" if number < 100 else f"{number:.3g}" if number >= 1e6 else f"{number:.0f}"
