"""Many arithmetic coders side by side, one a lane: yes-or-no decisions of known probability <-> bytes.

A lane holds an interval of 32-bit numbers. A decision cuts it in proportion to its probability, and the side
that came true remains; leading bytes that both ends share are settled and leave. All arithmetic is of whole
numbers, so that a decoder on any machine follows the encoder exactly.
"""

from __future__ import annotations

from array import array
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_Whole = TypeVar("_Whole", int, Ints)

P_BITS = 16  # a probability is so many 65536ths
_ALL = 0xFFFFFFFF
_TOP = 1 << 24  # ends whose difference is below this share their leading byte
_FIRST = np.zeros(1, np.int64)  # the first lane


class Lanes(Protocol):
    """What codes decisions, or reads them."""

    def decide(self, lane: Ints, p: Ints, wanted: Bools | None) -> Bools:
        """One decision in each of these lanes: those `wanted`, or those that were written.

        p is the probability of yes, in 65536ths, from 1 to 65535.
        """

    def decide_alone(self, p: int, wanted: int) -> int:
        """The same in the first lane alone, in plain numbers: NumPy takes ten times as long for one."""


def _cut(low: _Whole, high: _Whole, p: _Whole) -> _Whole:
    """The last number of the part that is yes; both parts hold at least one number if there are two."""
    span = high - low
    cut: _Whole = low + ((span * p) >> P_BITS)
    return cut


def _settled(low: Ints, high: Ints) -> Ints:
    """Which of the lanes have a leading byte that both ends share."""
    settled: Ints = ((low ^ high) < _TOP).nonzero()[0]
    return settled


def _shared(lanes: int, value: int) -> tuple[array[int], Ints]:
    """A number for each lane: as plain numbers and as a NumPy array, which are the same memory."""
    plain = array("q", [value]) * lanes
    return plain, np.frombuffer(plain, np.int64)


class LaneEncoder:
    """Decisions -> bytes.

    >>> encoder = LaneEncoder(2)
    >>> both, p = np.arange(2), np.array([60000, 60000])
    >>> for _ in range(100):
    ...     answers = encoder.decide(both, p, np.array([True, False]))
    >>> [len(lane) for lane in encoder.finish()]  # the second was told what is improbable
    [0, 45]
    """

    def __init__(self, lanes: int) -> None:
        self._one_low, self._low = _shared(lanes, 0)
        self._one_high, self._high = _shared(lanes, _ALL)
        self._lane: list[Ints] = []
        self._byte: list[Ints] = []

    def decide(self, lane: Ints, p: Ints, wanted: Bools | None) -> Bools:
        """Write the decisions that are wanted."""
        assert wanted is not None
        low, high = self._low.take(lane), self._high.take(lane)
        cut = _cut(low, high, p)
        low, high = np.where(wanted, low, cut + 1), np.where(wanted, cut, high)
        self._low[lane], self._high[lane] = low, high
        settled = _settled(low, high)
        while len(settled):
            lane, low, high = lane[settled], low[settled], high[settled]
            self._lane.append(lane)
            self._byte.append(high >> 24)
            low, high = (low << 8) & _ALL, ((high << 8) & _ALL) | 255
            self._low[lane], self._high[lane] = low, high
            settled = _settled(low, high)
        return wanted

    def decide_alone(self, p: int, wanted: int) -> int:
        """Write a decision in the first lane."""
        low, high = self._one_low[0], self._one_high[0]
        cut = _cut(low, high, p)
        low, high = (low, cut) if wanted else (cut + 1, high)
        while (low ^ high) < _TOP:
            self._lane.append(_FIRST)
            self._byte.append(np.array([high >> 24]))
            low, high = (low << 8) & _ALL, ((high << 8) & _ALL) | 255
        self._one_low[0], self._one_high[0] = low, high
        return wanted

    def finish(self) -> list[bytes]:
        """The bytes of each lane; zeros at the end are left out, as decoders read them there anyway."""
        lanes = len(self._low)
        lane = np.concatenate([*self._lane, np.empty(0, np.int64)])
        byte = np.concatenate([*self._byte, np.empty(0, np.int64)]).astype(np.uint8)
        order = np.argsort(lane, kind="stable")
        ends = np.cumsum(np.bincount(lane, minlength=lanes))[:-1]
        settled = np.split(byte[order], ends)
        return [
            (own.tobytes() + _last(int(low), int(high))).rstrip(b"\0")
            for own, low, high in zip(settled, self._low, self._high, strict=True)
        ]


def _last(low: int, high: int) -> bytes:
    """The fewest bytes that name a number between the ends, with zeros after them."""
    for n in range(4):
        step = 1 << (32 - 8 * n)
        number = -(-low // step) * step
        if number <= high:
            return number.to_bytes(5, "big")[1 : 1 + n]
    return low.to_bytes(4, "big")


class LaneDecoder:
    """Bytes -> decisions: those that the encoder wrote, if it is told the same probabilities."""

    def __init__(self, lanes: list[bytes]) -> None:
        self._start = np.cumsum([0, *(len(own) for own in lanes)])
        self._bytes = np.frombuffer(b"".join(lanes) + b"\0", np.uint8).astype(np.int64)
        self._read = np.zeros(len(lanes), np.int64)
        self._one_low, self._low = _shared(len(lanes), 0)
        self._one_high, self._high = _shared(len(lanes), _ALL)
        self._one_value, self._value = _shared(len(lanes), 0)
        every = np.arange(len(lanes))
        for _ in range(4):
            self._value[:] = (self._value << 8) | self._next(every)

    def _next(self, lane: Ints) -> Ints:
        """The next byte of each of these lanes, 0 beyond their end."""
        at = self._start[lane] + self._read[lane]
        inside = at < self._start[lane + 1]
        if (self._read[lane] > self._start[lane + 1] - self._start[lane] + 8).any():
            raise LikelyError("the compressed data end too early: the file is damaged.")
        self._read[lane] += 1
        return np.where(inside, self._bytes[np.where(inside, at, 0)], 0)

    def decide(self, lane: Ints, p: Ints, wanted: Bools | None) -> Bools:
        """Read the decisions."""
        low, high = self._low.take(lane), self._high.take(lane)
        cut = _cut(low, high, p)
        yes = self._value.take(lane) <= cut
        low, high = np.where(yes, low, cut + 1), np.where(yes, cut, high)
        self._low[lane], self._high[lane] = low, high
        settled = _settled(low, high)
        while len(settled):
            lane, low, high = lane[settled], low[settled], high[settled]
            low, high = (low << 8) & _ALL, ((high << 8) & _ALL) | 255
            self._low[lane], self._high[lane] = low, high
            self._value[lane] = ((self._value[lane] << 8) & _ALL) | self._next(lane)
            settled = _settled(low, high)
        return yes

    def decide_alone(self, p: int, wanted: int) -> int:
        """Read the decision in the first lane."""
        low, high, value = self._one_low[0], self._one_high[0], self._one_value[0]
        cut = _cut(low, high, p)
        yes = value <= cut
        low, high = (low, cut) if yes else (cut + 1, high)
        while (low ^ high) < _TOP:
            low, high = (low << 8) & _ALL, ((high << 8) & _ALL) | 255
            value = ((value << 8) & _ALL) | int(self._next(_FIRST)[0])
        self._one_low[0], self._one_high[0], self._one_value[0] = low, high, value
        return int(yes)
