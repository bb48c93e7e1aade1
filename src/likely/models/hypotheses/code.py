"""A prior from a code (what takes few bits is probable), and the shortest description of the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.format.words import shown, table
from likely.infer import bayes_rule

Floats = NDArray[np.float64]
SHOWN = 10


@dataclass(frozen=True)
class Code:
    """The prior 2^-bits, made to add up to 1; the most probable hypothesis is the shortest description.

    Parameters
    ----------
    bits : mapping, numbers or function
        How many bits it takes to write each hypothesis; infinitely many if it cannot be written.

    Examples
    --------
    >>> from likely import hypotheses
    >>> likelihood = {"short": {1: 0.5}, "long": {1: 1.0}}
    >>> code = hypotheses.Code({"short": 1, "long": 3})
    >>> belief = hypotheses.Space(["short", "long"], likelihood, prior=code)
    >>> belief.to_frame()["prior"]
    array([0.8, 0.2])
    >>> belief.update([1]).map, belief.update([1, 1, 1]).map
    ('short', 'long')
    """

    bits: Mapping[Any, float] | Sequence[float] | Callable[[Any], float]

    def lengths(self, hypotheses: Sequence[Any]) -> Floats:
        """The bits of each hypothesis, (h,)."""
        if callable(self.bits):
            given: Any = [self.bits(hypothesis) for hypothesis in hypotheses]
        elif isinstance(self.bits, Mapping):
            for name in hypotheses:
                if name not in self.bits:
                    raise LikelyError(f"Code: hypothesis {name!r} has no bits; give a number for each.")
            given = [self.bits[name] for name in hypotheses]
        else:
            given = self.bits
        try:
            bits = np.asarray(given, np.float64)
        except (TypeError, ValueError):
            bits = np.array(np.nan)
        if bits.shape != (len(hypotheses),) or not (bits >= 0).all() or np.isinf(bits).all():
            raise LikelyError(
                f"Code: bits={given!r}: give 0 or more for each of {len(hypotheses)} hypotheses, and not "
                "infinitely many for all of them."
            )
        return bits

    def log_prior(self, hypotheses: Sequence[Any]) -> Floats:
        """Log P(hypothesis), (h,)."""
        return np.asarray(bayes_rule(-np.log(2) * self.lengths(hypotheses)[None])[0][0])


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
