"""A number of bits that was learnt from data."""

from __future__ import annotations

from typing import Any


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
