"""Codes with a word of whole bits for each symbol: Shannon's, Fano's and Huffman's.

A code is known by the lengths of its words: words of these lengths, none the beginning of another, exist
exactly if the sum of 2^-length is at most 1 (Kraft). Which bits they hold is a matter of order, and is
settled once for all codes (canonical words): equal probabilities give equal bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from likely.codes.alphabet import Alphabet, Probabilities
from likely.draw import CodeLeaf, GraphPicture, code_tree
from likely.errors import LikelyError
from likely.format.html_table import html_table
from likely.format.markup import Markup, element
from likely.format.words import shown, table

SHOWN = 20
_DRAWN = 64  # symbols up to which a notebook shows the tree unasked


@dataclass(frozen=True, eq=False, repr=False)
class PrefixCode:
    """A word of bits for each symbol, none of which is the beginning of another.

    Made by `shannon`, `fano` and `huffman`. A symbol of probability 0 has no word. An alphabet of one symbol
    carries no information; its word has one bit all the same, so that a message shows how long it is.

    >>> code = huffman({"a": 0.3, "b": 0.5, "c": 0.2})
    >>> code
    Huffman code: 1.5 bits a symbol, entropy 1.4855
    <BLANKLINE>
    symbol  probability  bits  word
    a               0.3     2  10
    b               0.5     1  0
    c               0.2     2  11
    >>> code.encode("abba")
    '100010'
    >>> "".join(code.decode("100010"))
    'abba'
    """

    name: str
    alphabet: Alphabet
    words: tuple[str, ...]  # (k,); "" for a symbol that cannot occur

    @property
    def lengths(self) -> tuple[int, ...]:
        """The bits of each word, (k,)."""
        return tuple(map(len, self.words))

    @property
    def mean_length(self) -> float:
        """The bits of a symbol on average: at least the entropy, and less than one bit above it."""
        return float(self.alphabet.p @ np.array(self.lengths))

    @property
    def kraft(self) -> Fraction:
        """The sum of 2^-length over the words: at most 1, and 1 if no bit could be left out anywhere."""
        return sum((Fraction(1, 2 ** len(word)) for word in self.words if word), Fraction(0))

    def encode(self, message: Iterable[Any]) -> str:
        """The words of the symbols of a message, one after the other."""
        return "".join(self.words[place] for place in self.alphabet.places(message))

    def decode(self, bits: str) -> list[Any]:
        """The symbols whose words the bits are."""
        symbol_of = {w: s for w, s in zip(self.words, self.alphabet.symbols, strict=True) if w}
        message, word = [], ""
        for at, bit in enumerate(bits):
            word += bit
            if word in symbol_of:
                message.append(symbol_of[word])
                word = ""
            elif bit not in "01" or len(word) >= max(self.lengths):
                raise LikelyError(
                    f"bit {at + 1}: {word!r} is the beginning of no word of this code: another code wrote it."
                )
        if word:
            raise LikelyError(f"the bits end within a word, after {word!r}: some are missing.")
        return message

    def tree(self) -> str:
        """The code as a tree: 0 above, 1 below, symbols at the ends.

        >>> print(huffman({"a": 0.3, "b": 0.5, "c": 0.2}).tree())
        ┬─0─ b
        └─1─┬─0─ a
            └─1─ c
        """
        leaf = {w: shown(s) for w, s in zip(self.words, self.alphabet.symbols, strict=True) if w}
        return "\n".join(_branches(leaf))

    def draw(self) -> GraphPicture:
        """The tree as a picture (SVG): branches are the wider the more probable they are.

        `draw().save("code.svg")` writes it.

        >>> fano([0.5, 0.3, 0.2]).draw()
        <picture of a code; in a notebook it shows itself, save('code.svg') writes it>
        """
        rows = zip(self.words, self.alphabet.symbols, self.alphabet.p.tolist(), strict=True)
        return code_tree([CodeLeaf(w, shown(s), p) for w, s, p in rows if w], title=f"{self.name} code")

    def to_frame(self) -> dict[str, Any]:
        """One line for each symbol."""
        symbols = np.empty(len(self.words), object)
        symbols[:] = self.alphabet.symbols
        return {
            "symbol": symbols,
            "probability": self.alphabet.p,
            "bits": np.array(self.lengths),
            "word": np.array(self.words, object),
        }

    def __str__(self) -> str:
        rows = zip(self.alphabet.symbols, self.alphabet.p, self.words, strict=True)
        lines = [[shown(s), f"{p:.4g}", str(len(w)) if w else "-", w or "cannot occur"] for s, p, w in rows]
        columns = table([["symbol", "probability", "bits", "word"], *lines[:SHOWN]], "<>><")
        return "\n".join([self._title(), "", columns, *self._more()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        columns = self.to_frame()
        rows = [
            [shown(symbol), f"{p:.4g}", word or "cannot occur"]
            for symbol, p, word in zip(columns["symbol"], columns["probability"], self.words, strict=True)
        ]
        head = ["symbol", "probability", "word"]
        listed = html_table(self._title(), head, rows[:SHOWN], self._more(), "<><")
        few = len(rows) <= _DRAWN
        return element("div", listed, Markup(self.draw()._repr_html_()) if few else "draw() has the tree")

    def _title(self) -> str:
        mean, entropy = self.mean_length, self.alphabet.entropy
        return f"{self.name} code: {mean:.5g} bits a symbol, entropy {entropy:.5g}"

    def _more(self) -> list[str]:
        more = len(self.words) - SHOWN
        return [f"and {more} more: to_frame() has all"] if more > 0 else []


def shannon(probabilities: Probabilities) -> PrefixCode:
    """Shannon's code: a symbol of probability p has a word of -log2 p bits, rounded up.

    >>> shannon([0.008, 0.992]).lengths
    (7, 1)
    """
    alphabet = Alphabet.of(probabilities)
    # p is m 2^e with m in [1/2, 1): -log2 p, rounded up, is 1 - e exactly, where logarithms would round.
    # One that is certain but for what floats can hold has a bit, as there are others.
    lengths = [max(1 - math.frexp(p)[1], 1) if p > 0 else 0 for p in alphabet.p.tolist()]
    return _code("Shannon", alphabet, lengths)


def fano(probabilities: Probabilities) -> PrefixCode:
    """Fano's code: the most probable first, cut where both sides weigh most alike, and so on in each.

    >>> fano([1 / 6] * 6).mean_length
    2.6666666666666665
    """
    alphabet = Alphabet.of(probabilities)
    lengths = [0] * len(alphabet.symbols)
    falling = [i for i in np.argsort(-alphabet.p, kind="stable").tolist() if alphabet.p[i] > 0]
    parts = [falling]
    while parts:
        part = parts.pop()
        if len(part) < 2:
            continue
        for i in part:
            lengths[i] += 1
        left = np.cumsum(alphabet.p[part])
        difference = np.abs(2 * left[:-1] - left[-1])
        # The first of those that are least but for rounding.
        cut = int(np.argmax(difference <= difference.min() + 1e-12 * left[-1])) + 1
        parts += [part[:cut], part[cut:]]
    return _code("Fano", alphabet, lengths)


def huffman(probabilities: Probabilities) -> PrefixCode:
    """Huffman's code: the two least probable become one, and so on. No code of whole bits is shorter.

    >>> huffman([15 / 39, 7 / 39, 6 / 39, 6 / 39, 5 / 39]).lengths
    (1, 3, 3, 3, 3)
    """
    alphabet = Alphabet.of(probabilities)
    lengths = [0] * len(alphabet.symbols)
    # Of equals single symbols come first, the last of them before the others: the longest word is then as
    # short as can be, and earlier symbols have the shorter words.
    heap = [(_rounded(p), -i, [i]) for i, p in enumerate(alphabet.p.tolist()) if p > 0]
    heapify(heap)
    for made in range(1, len(heap)):
        p, _, one = heappop(heap)
        q, _, other = heappop(heap)
        for i in (*one, *other):
            lengths[i] += 1
        heappush(heap, (_rounded(p + q), made, [*one, *other]))
    return _code("Huffman", alphabet, lengths)


def _rounded(p: float) -> float:
    """Twelve digits: 4/14 + 1/14 and 5/14 are equals, though their floats are not."""
    return float(f"{p:.12g}")


def _code(name: str, alphabet: Alphabet, lengths: Sequence[int]) -> PrefixCode:
    possible = [i for i, p in enumerate(alphabet.p.tolist()) if p > 0]
    if len(possible) == 1:
        lengths = [int(i == possible[0]) for i in range(len(lengths))]
    return PrefixCode(name, alphabet, _canonical(lengths))


def _canonical(lengths: Sequence[int]) -> tuple[str, ...]:
    """Words of these lengths, counted upwards from the shortest; of equals in the order of the symbols."""
    words = [""] * len(lengths)
    word = before = 0
    for i in sorted((i for i, n in enumerate(lengths) if n), key=lambda i: (lengths[i], i)):
        word <<= lengths[i] - before
        before = lengths[i]
        words[i] = f"{word:0{before}b}"
        word += 1
    return tuple(words)


def _branches(leaf: dict[str, str]) -> list[str]:
    """The lines of a tree: of each word the bits that the line above does not show, and what it leads to."""
    stems = {word[:n] for word in leaf for n in range(1, len(word) + 1)}
    lines, above = [], ""
    for word in sorted(leaf):
        shared = next((n for n, (a, b) in enumerate(zip(word, above, strict=False)) if a != b), 0)
        line = ""
        for at, bit in enumerate(word):
            forks = word[:at] + "10"[int(bit)] in stems
            if at < shared:
                line += "│   " if forks and bit == "0" else "    "
            else:
                line += f"{('┬└'[int(bit)]) if forks else '─'}─{bit}─"
        lines.append(f"{line} {leaf[word]}")
        above = word
    return lines
