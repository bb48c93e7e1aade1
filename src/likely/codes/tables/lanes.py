"""Many arithmetic coders side by side, one a lane: yes-or-no decisions of known probability <-> bytes.

A lane holds an interval of 32-bit numbers. A decision cuts it in proportion to its probability, after the
last number that means yes, and the side that came true remains: both have a number at least. Leading bytes
that both ends share are settled and leave. All arithmetic is of whole numbers, so that a decoder on any
machine follows the encoder exactly.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

P_BITS = 16  # a probability is so many 65536ths
_ALL = 0xFFFFFFFF
_TOP = 1 << 24  # ends whose difference is below this share their leading byte
_BEYOND = 8  # bytes after its end that a lane may be asked for
_MOST, _FEWEST, _CELLS = 1024, 8, 32_000


def lanes_for(n: int) -> int:
    """How many lanes so many cells are worth: each costs some bytes, fewer cost time.

    (n / 32000)^2.5 in whole numbers, up to 1,024: machines may differ in powers of floats.
    """
    lanes = bisect_right(range(_MOST + 1), n**5, key=lambda many: many**2 * _CELLS**5) - 1
    return lanes if lanes >= _FEWEST else 1


class Lanes(Protocol):
    """What codes decisions, or reads them."""

    def decide(self, p: Ints, wanted: Bools | None) -> Bools:
        """Decisions, the first in the first lane and so on: those `wanted`, or those that were written.

        p is the probability of yes, in 65536ths, from 1 to 65535.
        """

    def decide_alone(self, p: int, wanted: int) -> int:
        """The same in the first lane alone, in plain numbers: NumPy takes ten times as long for one."""


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

    >>> encoder, p = LaneEncoder(2), np.array([60000, 60000])
    >>> for _ in range(100):
    ...     answers = encoder.decide(p, np.array([True, False]))
    >>> [len(lane) for lane in encoder.finish()]  # the second was told what is improbable
    [0, 45]
    """

    def __init__(self, lanes: int) -> None:
        self._one_low, self._low = _shared(lanes, 0)
        self._one_high, self._high = _shared(lanes, _ALL)
        self._first = bytearray()  # of the first lane, if it is the only one
        self._lane: list[Ints] = []
        self._byte: list[Ints] = []

    def decide(self, p: Ints, wanted: Bools | None) -> Bools:
        """Write the decisions that are wanted."""
        assert wanted is not None
        lanes = len(self._low)
        if lanes == 1:
            self._in_first(p.tolist(), wanted.tolist())
            return wanted
        for start in range(0, len(p), lanes):
            self._some(p[start : start + lanes], wanted[start : start + lanes])
        return wanted

    def _some(self, p: Ints, wanted: Bools) -> None:
        """One decision in each of the first lanes."""
        low, high = self._low[: len(p)], self._high[: len(p)]
        cut = low + (((high - low) * p) >> P_BITS)
        np.copyto(high, cut, where=wanted)
        np.copyto(low, cut + 1, where=~wanted)
        settled = _settled(low, high)
        while len(settled):
            low, high = self._low.take(settled), self._high.take(settled)
            self._lane.append(settled)
            self._byte.append(high >> 24)
            low, high = (low << 8) & _ALL, ((high << 8) & _ALL) | 255
            self._low[settled], self._high[settled] = low, high
            settled = settled[_settled(low, high)]

    def decide_alone(self, p: int, wanted: int) -> int:
        """Write a decision in the first lane."""
        self._in_first((p,), (wanted,))
        return wanted

    def _in_first(self, p: Sequence[int], wanted: Sequence[int]) -> None:
        """Decisions in the first lane, in plain numbers."""
        low, high, settled = self._one_low[0], self._one_high[0], []
        for one, yes in zip(p, wanted, strict=True):
            cut = low + (((high - low) * one) >> P_BITS)
            if yes:
                high = cut
            else:
                low = cut + 1
            while (low ^ high) < _TOP:
                settled.append(high >> 24)
                low, high = (low << 8) & _ALL, ((high << 8) & _ALL) | 255
        self._one_low[0], self._one_high[0] = low, high
        if not settled:
            return
        if len(self._low) == 1:
            self._first.extend(settled)
        else:
            self._lane.append(np.zeros(len(settled), np.int64))
            self._byte.append(np.array(settled))

    def finish(self) -> list[bytes]:
        """The bytes of each lane; zeros at the end are left out, as decoders read them there anyway."""
        lanes = len(self._low)
        lane = np.concatenate([*self._lane, np.empty(0, np.int64)])
        byte = np.concatenate([*self._byte, np.empty(0, np.int64)]).astype(np.uint8)
        order = np.argsort(lane, kind="stable")
        ends = np.cumsum(np.bincount(lane, minlength=lanes))[:-1]
        settled = [own.tobytes() for own in np.split(byte[order], ends)]
        settled[0] = bytes(self._first) or settled[0]
        return [
            (own + _last(int(low), int(high))).rstrip(b"\0")
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
        ends = np.cumsum([len(own) for own in lanes])
        self._end = ends
        self._bytes = np.frombuffer(b"".join(lanes) + b"\0", np.uint8).astype(np.int64)
        self._first = lanes[0]
        self._one_at, self._at = _shared(len(lanes), 0)
        self._at[1:] = ends[:-1]
        self._one_low, self._low = _shared(len(lanes), 0)
        self._one_high, self._high = _shared(len(lanes), _ALL)
        self._one_value, self._value = _shared(len(lanes), 0)
        every = np.arange(len(lanes))
        for _ in range(4):
            self._value[:] = (self._value << 8) | self._next(every)

    def _next(self, lane: Ints) -> Ints:
        """The next byte of each of these lanes, 0 beyond their end."""
        at, end = self._at.take(lane), self._end.take(lane)
        self._at[lane] = at + 1
        inside = at < end
        if inside.all():
            return self._bytes.take(at)
        if (at > end + _BEYOND).any():
            raise _too_early()
        return self._bytes.take(at, mode="clip") * inside

    def _next_of_first(self) -> int:
        """The next byte of the first lane."""
        at = self._one_at[0]
        self._one_at[0] = at + 1
        if at < len(self._first):
            return self._first[at]
        if at > len(self._first) + _BEYOND:
            raise _too_early()
        return 0

    def decide(self, p: Ints, wanted: Bools | None) -> Bools:
        """Read the decisions."""
        lanes = len(self._low)
        if lanes == 1:
            return np.array(self._in_first(p.tolist()), np.bool_)
        if len(p) <= lanes:
            return self._some(p)
        return np.concatenate([self._some(p[start : start + lanes]) for start in range(0, len(p), lanes)])

    def _some(self, p: Ints) -> Bools:
        """One decision in each of the first lanes."""
        low, high = self._low[: len(p)], self._high[: len(p)]
        cut = low + (((high - low) * p) >> P_BITS)
        yes: Bools = self._value[: len(p)] <= cut
        np.copyto(high, cut, where=yes)
        np.copyto(low, cut + 1, where=~yes)
        settled = _settled(low, high)
        while len(settled):
            low, high = self._low.take(settled), self._high.take(settled)
            low, high = (low << 8) & _ALL, ((high << 8) & _ALL) | 255
            self._low[settled], self._high[settled] = low, high
            self._value[settled] = ((self._value.take(settled) << 8) & _ALL) | self._next(settled)
            settled = settled[_settled(low, high)]
        return yes

    def decide_alone(self, p: int, wanted: int) -> int:
        """Read the decision in the first lane."""
        return int(self._in_first((p,))[0])

    def _in_first(self, p: Sequence[int]) -> list[bool]:
        """Decisions in the first lane, in plain numbers."""
        low, high, value = self._one_low[0], self._one_high[0], self._one_value[0]
        answers = []
        for one in p:
            cut = low + (((high - low) * one) >> P_BITS)
            yes = value <= cut
            answers.append(yes)
            if yes:
                high = cut
            else:
                low = cut + 1
            while (low ^ high) < _TOP:
                low, high = (low << 8) & _ALL, ((high << 8) & _ALL) | 255
                value = ((value << 8) & _ALL) | self._next_of_first()
        self._one_low[0], self._one_high[0], self._one_value[0] = low, high, value
        return answers


def _too_early() -> LikelyError:
    return LikelyError("the compressed data end too early: the file is damaged.")
