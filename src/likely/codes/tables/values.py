"""The cells of a column <-> symbols: numbers as numbers, all else as levels of a dictionary.

A column is described by its distinct cells. Those that are numbers, written in one way, are kept as numbers
in order; words among them (NA, ?) are kept as text. Where nearly every number is another one, a symbol stands
for a range of numbers instead, and the rest of the number follows as plain bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Ints = NDArray[np.int64]

FEW = 256  # levels up to which the most frequent come first; of more, the dictionary is sorted
_NUMBER = re.compile(rb"-?(?:0|[1-9]\d{0,16})(?:\.(\d{1,9}))?")
_MOST_DIGITS = 17  # of a number without its point: more do not fit into 64 bits
_FINE = 4  # ranges: 2^4 to an octave
# How numbers are written: always so many decimals; as few as needed; as few as needed but one.
FIXED, SHORT, POINT = range(3)


@dataclass(frozen=True, slots=True)
class Writing:
    """How numbers are written: whole numbers, times ten to the minus `decimals`.

    >>> Writing(POINT, 2).text(1250), Writing(SHORT, 2).text(1200), Writing(FIXED, 2).text(-5)
    (b'12.5', b'12', b'-0.05')
    """

    style: int
    decimals: int

    def text(self, number: int) -> bytes:
        """A number as it is written."""
        if not self.decimals:
            return b"%d" % number
        digits = b"%0*d" % (self.decimals + 1, abs(number))
        whole, part = digits[: -self.decimals], digits[-self.decimals :]
        if self.style != FIXED:
            part = part.rstrip(b"0") or (b"0" if self.style == POINT else b"")
        return (b"-" if number < 0 else b"") + whole + (b"." + part if part else b"")


@dataclass(frozen=True, slots=True)
class Values:
    """A column as numbers and words: what its cells say, and how they are written."""

    writing: Writing | None  # None: there are no numbers
    numbers: Ints  # (n,) 0 where a cell is a word
    word: Ints  # (n,) which of the words a cell is; -1 where it is a number
    words: tuple[bytes, ...]

    @classmethod
    def of(cls, cells: Sequence[bytes]) -> Values:
        """The values of cells."""
        place: dict[bytes, int] = {}
        first = np.array([place.setdefault(cell, len(place)) for cell in cells], np.int64)
        texts = list(place)
        writing, numbers = _numbers(texts)
        others = [i for i, number in enumerate(numbers) if number is None]
        often = np.bincount(first, minlength=len(texts))
        # Few words: the most frequent first, which then have the shortest ways. Many: sorted, as lists of
        # names are the shorter to write the more neighbours share.
        others.sort(key=lambda i: texts[i] if len(others) > FEW else -often[i])
        word_of = np.full(len(texts), -1, np.int64)
        word_of[others] = np.arange(len(others))
        number_of = np.array([number or 0 for number in numbers], np.int64)
        return cls(writing, number_of[first], word_of[first], tuple(texts[i] for i in others))

    def with_words(self, words: tuple[bytes, ...]) -> Values:
        """The same column, its words in the order of another's, if it has the same words."""
        if self.words == words or set(self.words) != set(words):
            return self
        place = np.array([*map(words.index, self.words), -1])
        return Values(self.writing, self.numbers, place[self.word], words)

    def cells(self) -> list[bytes]:
        """The cells again."""
        words = np.array([*self.words, b""], object)
        if self.writing is None:
            return list(words[self.word].tolist())
        distinct, place = np.unique(self.numbers, return_inverse=True)
        texts = np.array([*map(self.writing.text, distinct.tolist()), b""], object)
        return list(np.where(self.word < 0, texts[place], words[self.word]).tolist())


@dataclass(frozen=True, slots=True)
class Symbols:
    """Numbers and words as symbols: the numbers in their order, or ranges of them; then the words."""

    known: Ints  # the distinct numbers, or the ids of the ranges; they rise
    words: int  # how many there are
    codes: Ints  # (n,)
    rest: Ints  # (n,) what a number is above the first of its range; 0 where symbols say all
    low: int = 0  # the least number, from which ranges are counted
    ranges: bool = False

    @classmethod
    def of(cls, numbers: Ints, word: Ints, words: int) -> Symbols:
        """The symbols of a column, in the way that takes fewer bits."""
        is_number = word < 0
        known, place = np.unique(numbers[is_number], return_inverse=True)
        none = np.zeros(len(word), np.int64)
        codes = len(known) + word
        codes[is_number] = place
        exact = cls(known, words, codes, none)
        if len(known) <= FEW:
            return exact
        low = int(known[0])
        ids, rest = _split(known - low)
        used, to = np.unique(ids, return_inverse=True)
        codes, rests = len(used) + word, none.copy()
        codes[is_number], rests[is_number] = to[place], rest[place]
        ranged = cls(used, words, codes, rests, low, ranges=True)
        return ranged if ranged.bits_alone() < exact.bits_alone() else exact

    @property
    def k(self) -> int:
        """How many symbols there are."""
        return len(self.known) + self.words

    @property
    def ordered(self) -> bool:
        """Whether neighbours among the symbols are alike; else the most frequent come first."""
        return len(self.known) > self.words or self.words > FEW

    def widths(self) -> Ints:
        """How many bits the rest of each cell has."""
        if not self.ranges:
            return np.zeros(len(self.codes), np.int64)
        return _range(self._ids())[1]

    def numbers(self) -> Ints:
        """The numbers again; 0 where a cell is a word."""
        if not self.ranges:
            return self._ids()
        numbers = self.low + _range(self._ids())[0] + self.rest
        return np.where(self.codes < len(self.known), numbers, 0)

    def word(self) -> Ints:
        """Which of the words a cell is; -1 where it is a number."""
        return np.maximum(self.codes - len(self.known), -1)

    def bits_alone(self) -> float:
        """The bits of the column by itself: its dictionary, and its symbols learnt as they come."""
        n, k = len(self.codes), self.k
        count = np.bincount(self.codes, minlength=k)
        nats = gammaln(n + k / 2) - gammaln(k / 2) - (gammaln(count + 0.5) - gammaln(0.5)).sum()
        gaps = np.diff(self.known, prepend=self.known[:1]).astype(np.float64)
        return float(nats / np.log(2) + (np.log2(gaps + 1) + 1.5).sum() + self.widths().sum())

    def _ids(self) -> Ints:
        return np.concatenate([self.known, np.zeros(self.words, np.int64)])[self.codes]


def _numbers(texts: Sequence[bytes]) -> tuple[Writing | None, list[int | None]]:
    """How the numbers among the texts are written, and the number of each text that is written so."""
    matches = [_NUMBER.fullmatch(text) for text in texts]
    decimals = [len(match[1] or b"") for match in matches if match]
    most = max(decimals, default=0)
    best: tuple[Writing | None, list[int | None]] = (None, [None] * len(texts))
    if len(decimals) * 2 < len(texts):
        return best
    ways = [Writing(FIXED, most)] if not most else [Writing(style, most) for style in (FIXED, SHORT, POINT)]
    fewest = min(max(8, len(texts) // 20) + 1, len(texts))
    for way in ways:
        numbers = [_number(text, match, way) for text, match in zip(texts, matches, strict=True)]
        words = numbers.count(None)
        if words < fewest:
            best, fewest = (way, numbers), words
    return best


def _number(text: bytes, match: Any, way: Writing) -> int | None:
    """The number that is written so; None if it is none, or would be written in another way."""
    if not match:
        return None
    part = match[1] or b""
    digits = text.replace(b".", b"") + b"0" * (way.decimals - len(part))
    if len(digits) > _MOST_DIGITS:
        return None
    number = int(digits)
    return number if way.text(number) == text else None


def _split(above: Ints) -> tuple[Ints, Ints]:
    """The range of each number from 0 on, and what is left above the first of the range."""
    # The number of digits in base 2, exactly: floats of large numbers may round up to the next power.
    digits = np.frexp(above.astype(np.float64))[1].astype(np.int64)
    digits -= (above >> np.maximum(digits - 1, 0)) == 0
    width = np.maximum(digits - 1 - _FINE, 0)
    ids = (width << _FINE) + (above >> width)
    return ids, above - ((above >> width) << width)


def _range(ids: Ints) -> tuple[Ints, Ints]:
    """The first number of each range, and the bits of what is left above it.

    >>> ids, rest = _split(np.array([0, 31, 32, 1000, 10**15]))
    >>> first, width = _range(ids)
    >>> (first + rest).tolist(), bool((rest < 2**width).all())
    ([0, 31, 32, 1000, 1000000000000000], True)
    """
    width = np.maximum((ids >> _FINE) - 1, 0)
    return (ids - (width << _FINE)) << width, width


def packed(rest: Ints, widths: Ints) -> bytes:
    """The rests of all cells as plain bits, the lowest of all cells first."""
    bits = [(rest[widths > at] >> at) & 1 for at in range(int(widths.max(initial=0)))]
    return np.packbits(np.concatenate([*bits, np.empty(0, np.int64)]).astype(np.uint8)).tobytes()


def unpacked(take: Callable[[int], bytes], widths: Ints) -> Ints:
    """The rests of all cells again; `take` gives the next bytes."""
    total = int(widths.sum())
    bits = np.unpackbits(np.frombuffer(take(-(-total // 8)), np.uint8), count=total).astype(np.int64)
    rest = np.zeros(len(widths), np.int64)
    start = 0
    for at in range(int(widths.max(initial=0))):
        rows = np.flatnonzero(widths > at)
        rest[rows] |= bits[start : start + len(rows)] << at
        start += len(rows)
    return rest
