"""The formulas, each written once: whoever has masses, of probabilities or of data, calls them.

Entropies of sets of variables, added with signs, make the rest: H(x | z) = H(x, z) - H(z), and
I(x; y | z) = H(x, z) + H(y, z) - H(x, y, z) - H(z). Without z, H(z) is 0: nothing is one certain level.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from likely.dist.numeric.logs import special
from likely.stats.groups import Floats

LOG_2 = math.log(2)

Terms = Sequence[tuple[int, tuple[str, ...]]]  # signs, and the roles of the variables in each entropy

ENTROPY: Terms = ((1, ("x",)),)
CONDITIONAL: Terms = ((1, ("x", "given")), (-1, ("given",)))
MUTUAL: Terms = ((1, ("x", "given")), (1, ("y", "given")), (-1, ("x", "y", "given")), (-1, ("given",)))


def total(terms: Terms, mass: Callable[[tuple[str, ...]], Floats]) -> tuple[float, int]:
    """The sum of entropies in bits, and the same sum of the levels that occur beyond the first.

    `mass` gives the probabilities of the levels of variables taken together. None of the sums above can
    be negative: what is, is rounding.

    >>> total(CONDITIONAL, lambda roles: np.full(8 if "x" in roles else 2, 1 / 8 if "x" in roles else 1 / 2))
    (2.0, 6)
    """
    bits, beyond = 0.0, 0
    for sign, roles in terms:
        masses = mass(roles)
        bits += sign * float(special("entr", masses).sum()) / LOG_2
        beyond += sign * (int(np.count_nonzero(masses)) - 1)
    return max(0.0, bits), beyond


def divergence(p: Floats, q: Floats) -> float:
    """The Kullback-Leibler divergence in bits; infinite if q rules out what p allows.

    >>> divergence(np.array([1.0, 0.0]), np.array([0.25, 0.75])), divergence(np.ones(1), np.zeros(1))
    (2.0, inf)
    """
    return max(0.0, float(special("rel_entr", p, q).sum()) / LOG_2)
