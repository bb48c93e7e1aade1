"""The formulas of information, each written once, and numbers of bits: learnt from data, or code lengths.

A code length has two parts. The values of a class are coded by its distribution at maximum likelihood, a
value of probability P by -log2 P bits. A parameter is sent to the precision that n rows give it: 1/2 log2 n
bits, or log2 n for an end of a range, which n rows fix to 1/n and not to 1/sqrt(n) of its width. What all
families must send alike (the step between the values, the least and the greatest of them, the classes) is
left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from likely.dist import Family
from likely.dist.numeric.logs import special
from likely.dist.numeric.value_grid import Grid
from likely.stats.binned import Cells
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


class Bits(float):
    """Bits from data: a float that also knows its rows `n` and its first-order `bias`.

    The bias is how far the estimate lies above the truth on average (below it, if negative): frequencies
    look more regular than the probabilities behind them. Arithmetic gives plain floats.

    >>> gain = Bits(0.2467, 14, 0.103)
    >>> gain
    0.25 bits from 14 rows; biased high by about 0.1
    >>> gain.n, gain.bias, round(gain.corrected, 4), gain + 1
    (14, 0.103, 0.1437, 1.2467)
    """

    n: float  # rows that were counted, or their weight if they have weights
    bias: float

    def __new__(cls, bits: float, n: float, bias: float) -> Bits:
        """A number of bits from n rows."""
        made = super().__new__(cls, bits)
        made.n, made.bias = n, bias
        return made

    @property
    def corrected(self) -> float:
        """The bits less their bias (Miller and Madow); below 0 stands for nothing to be seen."""
        return float(self) - self.bias

    def __repr__(self) -> str:
        rows = f"{self.n:.0f}" if float(self.n).is_integer() else f"{self.n:.6g}"
        said = f"{_shown(self)} bits from {rows} row{'' if self.n == 1 else 's'}"
        if not self.bias or self.bias == float("inf"):
            return said
        size = abs(self.bias)
        about = f"{size:.1g}" if size < 1 else f"{size:.1f}"
        return f"{said}; biased {'low' if self.bias < 0 else 'high'} by about {about}"

    def __reduce__(self) -> tuple[Any, ...]:
        return Bits, (float(self), self.n, self.bias)


def _shown(bits: float) -> str:
    """Two decimals, or two figures where that would hide the number; rounding error is nothing."""
    number = float(bits)
    return f"{number:.2f}" if number >= 0.1 else f"{number if number > 1e-12 else 0:.2g}"


def code_length(family: type[Family], cells: Cells, grid: Grid) -> float:
    """The bits of one column, whose values in each group lie in the cells (g, 1) and on the grid.

    >>> from likely.dist import Categorical
    >>> from likely.stats.groups import Groups
    >>> cells = Cells.collect(np.array([[1.0], [1.0], [2.0], [1.0]]), Groups.one(4))
    >>> round(code_length(Categorical, cells, Grid.of(cells)), 4)  # 4 x 0.8113, and 1/2 log2 4
    4.2451
    """
    fitted = family.ml(family.of_cells(cells, grid))
    bits = family.naming_bits(grid)
    for group in np.flatnonzero(cells.n[:, 0] > 0).tolist():
        own = cells.packed(group, 0)
        row_bits = max(float(np.log2(own.weight.sum())), 0.0)
        parameters, log_mass = fitted.coded(group, own, grid)
        if not np.isfinite(log_mass).all():
            return np.inf  # beyond the range of the numbers, there is nothing to compare
        bits += parameters * row_bits - float((own.weight * np.minimum(log_mass, 0.0)).sum()) / LOG_2
    return bits
