"""A prior from a code: what takes few bits to write is probable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.infer import bayes_rule

Floats = NDArray[np.float64]


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
