"""Choices of known frequency <-> the bits of one number, in whole numbers of any length.

The same arithmetic code as in `codes.arithmetic`, but the interval is cut to 192 bits as it goes, so that
long messages take time in proportion to their length. What is cut off costs less than 2^-60 bits a choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from likely.errors import LikelyError

WIDTH = 192  # bits of the interval
_ALL = 1 << WIDTH
_BYTES = 8  # that are settled at a time
_SMALL = 1 << (WIDTH - 8 * _BYTES)


class RangeEncoder:
    """Choices -> bits.

    >>> encoder = RangeEncoder()
    >>> for choice in (0, 1, 0):
    ...     encoder.choose([3, 1], choice)
    >>> encoder.finish()
    '1001'
    """

    def __init__(self) -> None:
        self._settled: list[int] = []  # words of 64 bits
        self._low, self._width = 0, _ALL

    def choose(self, frequencies: Sequence[int], choice: int) -> None:
        """Write a choice."""
        unit = self._width // sum(frequencies)
        self._low += unit * sum(frequencies[:choice])
        self._width = unit * frequencies[choice]
        while self._width < _SMALL:
            self._settled.append(self._low >> (WIDTH - 8 * _BYTES))  # may carry: see `finish`
            self._low = (self._low & (_SMALL - 1)) << (8 * _BYTES)
            self._width <<= 8 * _BYTES

    def finish(self) -> str:
        """The shortest row of bits that stays inside the interval, whatever follows."""
        total = 0
        for word in self._settled:
            total = (total << (8 * _BYTES)) + word  # carries run up of themselves
        length = max(0, WIDTH - self._width.bit_length())
        while True:
            unit = 1 << (WIDTH - length)
            first = -(-self._low // unit)
            if (first + 1) * unit <= self._low + self._width:
                break
            length += 1
        total = (total << length) + first
        size = 8 * _BYTES * len(self._settled) + length
        return f"{total:0{size}b}" if size else ""


class RangeDecoder:
    """Bits -> choices: those that the encoder wrote, if it is told the same frequencies."""

    def __init__(self, bits: str) -> None:
        self._bits, self._at = bits, 0
        self._width = _ALL
        self._value = self._next(WIDTH)  # how far the number lies above the interval's lower end

    def _next(self, n: int) -> int:
        """The next bits as a number, 0 beyond the end."""
        bits = self._bits[self._at : self._at + n]
        self._at += n
        if self._at > len(self._bits) + 2 * WIDTH:
            raise LikelyError("the bits end too early: they are cut off, or another model wrote them.")
        return int(bits.ljust(n, "0") or "0", 2)

    def choose(self, frequencies: Sequence[int]) -> int:
        """Read a choice."""
        unit = self._width // sum(frequencies)
        share, choice, below = self._value // unit, 0, 0
        while choice < len(frequencies) - 1 and below + frequencies[choice] <= share:
            below += frequencies[choice]
            choice += 1
        self._value -= unit * below
        self._width = unit * frequencies[choice]
        while self._width < _SMALL:
            self._value = (self._value << (8 * _BYTES)) + self._next(8 * _BYTES)
            self._width <<= 8 * _BYTES
        return choice
