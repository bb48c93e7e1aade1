"""Arithmetic coding: one word for a whole message, in exact integers.

Every message has an interval of [0, 1) of its own, as wide as the message is probable: the symbols divide
the interval of what came before in proportion to their probabilities. The word of a message is the shortest
row of bits after the point that stays inside, whatever bits follow: at most two more than its information.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from likely.codes.alphabet import Alphabet, Probabilities
from likely.errors import LikelyError
from likely.format.words import many


@dataclass(frozen=True, eq=False, repr=False)
class ArithmeticCode:
    """One word of bits for a whole message, at most two bits longer than the information of the message.

    Made by `arithmetic` and `adaptive`.

    >>> code = arithmetic({"a": 0.4, "b": 0.3, "c": 0.3})
    >>> word = code.encode("abaccbaabc")
    >>> word, len(word), round(code.information("abaccbaabc"), 6)
    ('0011010010011110', 16, 15.709506)
    >>> "".join(code.decode(word, 10))
    'abaccbaabc'
    """

    alphabet: Alphabet
    start: tuple[int, ...]  # (k,) the weights of the symbols before the first
    step: int = 0  # what a symbol that was seen adds to its weight; 0: nothing is learnt

    def _interval(self, message: Iterable[Any]) -> tuple[int, int, int]:
        """The interval of a message: its lower end, its width, and what both are divided by."""
        low, width, whole = 0, 1, 1
        weights = list(self.start)
        for place in self.alphabet.places(message):
            total, below = sum(weights), sum(weights[:place])
            low, width, whole = low * total + width * below, width * weights[place], whole * total
            weights[place] += self.step
        return low, width, whole

    def prob(self, message: Iterable[Any]) -> Fraction:
        """The exact probability of a message: the width of its interval.

        >>> adaptive("abc").prob("abaccbaabc")
        Fraction(1, 277200)
        """
        _, width, whole = self._interval(message)
        return Fraction(width, whole)

    def information(self, message: Iterable[Any]) -> float:
        """The bits that a message carries, -log2 of its probability."""
        _, width, whole = self._interval(message)
        return max(0.0, math.log2(whole) - math.log2(width))

    def encode(self, message: Iterable[Any]) -> str:
        """The word of a message."""
        low, width, whole = self._interval(message)
        # So many bits that 2^-length is at most the width; at most one more is needed.
        length = max(0, whole.bit_length() - width.bit_length() - 1)
        while True:
            first = -(-(low << length) // whole)  # the first row of bits that is not below the interval
            if (first + 1) * whole <= (low + width) << length:
                return f"{first:0{length}b}" if length else ""
            length += 1

    def decode(self, bits: str, n: int) -> list[Any]:
        """The n symbols whose word the bits are; bits alone do not say where a message ends."""
        if set(bits) - {"0", "1"}:
            raise LikelyError(f"bits={bits!r}: give a row of 0 and 1.")
        if n < 0:
            raise LikelyError(f"n={n!r}: give the number of symbols of the message.")
        point, scale = int(bits or "0", 2), 1 << len(bits)
        low, width, whole = 0, 1, 1
        weights, message = list(self.start), []
        for _ in range(n):
            total = sum(weights)
            low, whole = low * total, whole * total
            # Where the point lies among the parts of the interval.
            share = (point * whole - low * scale) // (width * scale)
            place, below = 0, 0
            while below + weights[place] <= share:
                below += weights[place]
                place += 1
            low, width = low + width * below, width * weights[place]
            message.append(self.alphabet.symbols[place])
            weights[place] += self.step
        if (point + 1) * whole > (low + width) * scale:
            raise LikelyError(
                f"{many(len(bits), 'bit')} are the word of no message of {many(n, 'symbol')} in this code: "
                "some are missing, or n is another."
            )
        return message

    def __repr__(self) -> str:
        learns = "learns as it goes" if self.step else f"entropy {self.alphabet.entropy:.5g} bits a symbol"
        return f"Arithmetic code of {many(len(self.alphabet.symbols), 'symbol')}: {learns}"


def arithmetic(probabilities: Probabilities) -> ArithmeticCode:
    """The arithmetic code of symbols that are independent of each other, with these probabilities.

    >>> arithmetic({"a": 0.6, "b": 0.2, "c": 0.2}).encode("aaab")
    '001001'
    """
    alphabet = Alphabet.of(probabilities)
    # Fractions as they are written: 0.1 is one tenth, not the number nearest to it that a float can hold.
    parts = [Fraction(repr(p)) for p in alphabet.p.tolist()]
    common = math.lcm(*(part.denominator for part in parts))
    return ArithmeticCode(alphabet, tuple(int(part * common) for part in parts))


def adaptive(symbols: Iterable[Any], pseudo_count: float = 1) -> ArithmeticCode:
    """The arithmetic code that begins knowing nothing, and learns the probabilities from the message itself.

    Each symbol is coded by the posterior predictive of a Dirichlet prior with this `pseudo_count` (1:
    Laplace), so the bits are those of the evidence (marginal likelihood), in whatever order symbols come.

    >>> round(adaptive("abc", pseudo_count=0.5).information("abaccbaabc"), 6)
    19.150614
    """
    names = tuple(symbols)
    if not names or len(set(names)) != len(names):
        raise LikelyError(f"symbols={names!r}: give each symbol once, and at least one.")
    if not 0 < pseudo_count < math.inf:
        raise LikelyError(f"pseudo_count={pseudo_count!r}: give a number above 0; 1 is Laplace's.")
    start = Fraction(repr(float(pseudo_count)))
    alphabet = Alphabet(names, np.full(len(names), 1 / len(names)))
    return ArithmeticCode(alphabet, (start.numerator,) * len(names), start.denominator)
