"""Symbols <-> decisions, each with a probability that several contexts have learnt and a mixture weighs.

A symbol is a way down a tree of yes-or-no decisions. Every context (a few columns of the same row, the
values above) keeps for each node of the tree how often the answer was yes; a context that was met before
votes with the log-odds it has learnt, and the votes are added with weights that are learnt as well, by the
gradient of the code length (a logistic regression whose inputs are the contexts). The decoder learns the same
from what it has decoded so far, so nothing of this is written down.

Decisions of several columns and rows are taken at once, or one alone in plain numbers: `waves.py` says which.
Everything is whole numbers: two machines never disagree.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from decimal import Context, Decimal
from functools import cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from likely.codes.tables.lanes import P_BITS, Bools, Ints, Lanes

Hashes = NDArray[np.uint32]
Floats = NDArray[np.float64]

SLOT_BITS = 18  # slots of a context's memory, at the most: 2^18
MOST_COUNTED = 255  # observations of a slot: beyond, it forgets slowly
ONE = 1 << 18  # a slot's probability is so many parts
_HALF = ONE // 2  # what a slot begins with, and from where it is counted
UNIT = 256  # log-odds of 1
FARTHEST = 2047  # log-odds, in units: 8.0
WEIGHT_ONE = 1 << 14
SPREAD = 0xC2B2AE35  # what is known, times this, is a slot
_STIR = (0x85EBCA6B * SPREAD) & 0xFFFFFFFF  # so much of it by the number of a node
DEPTHS = 24  # decisions of a symbol that have weights of their own; deeper ones share the last


@cache
def _squash() -> Ints:
    """Probabilities (65536ths) of the log-odds from -FARTHEST to FARTHEST; decimal exponents are exact."""
    exact = Context(prec=25)
    odds = (exact.exp(Decimal(-x) / UNIT) for x in range(-FARTHEST, FARTHEST + 1))
    p = [int(Decimal(1 << P_BITS) / (1 + one)) for one in odds]
    return np.clip(np.array(p, np.int64), 2, (1 << P_BITS) - 2)


@cache
def _stretch() -> NDArray[np.int32]:
    """Log-odds of the probabilities 0, 1, ... of 4096."""
    middle = np.arange(4096) * 16 + 8
    return (np.searchsorted(_squash(), middle) - FARTHEST).clip(-FARTHEST, FARTHEST).astype(np.int32)


# By how much (of 4096) a slot moves towards an answer, by the answers it has had.
_RATE = np.array([int(4096 / (n + 1.6)) for n in range(MOST_COUNTED + 1)], np.int32)
# Slots of about as many answers are trusted alike: 0, 1, 2, 3-4, 5-8, 9-16, 17-64, more.
_TRUST = np.searchsorted([1, 2, 3, 5, 9, 17, 65], np.arange(MOST_COUNTED + 1), side="right")
_TRUSTS = 8
_PLAIN_RATE, _PLAIN_TRUST = _RATE.tolist(), _TRUST.tolist()
# How far weights move, after so many decisions: 50 at first, 8 in the end.
_PACE = np.array([max(8, 50 * 16 // isqrt(256 + 256 * made // 200)) for made in range(8000)])
_PLAIN_PACE = _PACE.tolist()


def slot_bits_for(n: int) -> int:
    """The size of a context's memory that n rows are worth, as a power of two."""
    return min(SLOT_BITS, max(12, int(n).bit_length() + 2))


class Mixer:
    """What the contexts of some columns have learnt, and the weights of their votes."""

    def __init__(self, contexts: Sequence[int], slot_bits: int, depths: int = DEPTHS) -> None:
        """contexts : how many each column has; depths : the most decisions of a symbol."""
        self.contexts, self.slot_bits, self.depths = tuple(contexts), slot_bits, min(depths, DEPTHS)
        w, c = len(contexts), max(contexts)
        # A slot: the probability of yes, less a half, in the high bits; the answers so far in the low twelve.
        # Of one column, plain numbers and NumPy share the memory; of several, what is not met takes none.
        self.plain = array("i", bytes(4 * c << slot_bits)) if w == 1 else array("i")
        self.memory = (
            np.frombuffer(self.plain, np.int32) if w == 1 else np.zeros(w * c << slot_bits, np.int32)
        )
        own = np.arange(w * c, dtype=np.uint32).reshape(w, c).T << np.uint32(slot_bits)
        self.own = np.ascontiguousarray(own)  # (c, w): where the slots of each begin
        self.of = (np.arange(c) * _TRUSTS)[:, None]
        # Columns of fewer contexts have some that are silent.
        self.speaks = (np.arange(c)[:, None] < np.array(contexts)).astype(np.float64)  # (c, w)
        self.silent = not self.speaks.all()
        # Log-odds are first averaged, and a little more.
        first = [int(1.2 / own * WEIGHT_ONE) for own in contexts for _ in range(self.depths)]
        self.plain_weight = array("q", [one for one in first for _ in range(c * _TRUSTS)])
        self.weight = np.frombuffer(self.plain_weight, np.int64).reshape(w * self.depths, -1)  # the same
        self.plain_made = array("q", [0]) * (w * self.depths)
        self.made = np.frombuffer(self.plain_made, np.int64)  # decisions so far
        self._place = np.zeros(w * self.depths, np.int64)

    def copy(self) -> Mixer:
        """One that has learnt the same."""
        other = Mixer(self.contexts, self.slot_bits, self.depths)
        other.memory[:] = self.memory
        other.weight[:] = self.weight
        other.made[:] = self.made
        return other

    def decide(
        self, coder: Lanes, column: Ints, node: Ints, known: Hashes, depth: Ints, wanted: Bools | None
    ) -> tuple[Bools, Floats]:
        """Decisions of some columns, from which contexts and weights learn; and how far off they were.

        Arrays of floats hold whole numbers far below 2^53 here: NumPy is faster with them, and as exact.
        """
        mixed = known + node.astype(np.uint32) * np.uint32(_STIR)
        mixed >>= np.uint32(32 - self.slot_bits)
        mixed += self.own if len(self.contexts) == 1 else self.own.take(column, axis=1)
        slot = mixed.astype(np.intp)
        state = self.memory.take(slot)
        n = state & 4095
        place = n.astype(np.intp)
        vote = _votes().take(state >> 18)
        if self.silent:
            vote *= self.speaks.take(column, axis=1)
        # Decisions of a column at like depth share their weights.
        shared = column * self.depths + np.minimum(depth, self.depths - 1)
        together = np.bincount(shared, minlength=len(self.weight))
        some = together.nonzero()[0]
        self._place[some] = np.arange(len(some)) * self.weight.shape[1]
        weights = self.weight.take(some, axis=0)
        weight = _TRUST.take(place)
        weight += self.of
        if len(some) > 1:
            weight += self._place.take(shared)
        log_odds = np.einsum("cl,cl->l", weights.astype(np.float64).take(weight), vote).astype(np.int64)
        log_odds >>= 14
        log_odds += FARTHEST
        sure = _squash().take(log_odds, mode="clip")
        yes = coder.decide(sure, wanted)
        # The weights: one step down the gradient, the smaller the more was seen.
        error = np.multiply(yes, float(1 << P_BITS))
        error -= sure
        vote *= error
        slope = np.bincount(weight.ravel(), vote.ravel(), weights.size).astype(np.int64)
        slope = slope.reshape(weights.shape)
        many = together.take(some)
        made = self.made.take(some)
        slope *= _PACE.take(made, mode="clip")[:, None]
        slope //= (_root(many) << 20)[:, None]
        weights += slope
        self.weight[some] = weights
        self.made[some] = made + many
        # The slots: the answer, weighed as one of those that were had.
        move = np.where(yes, np.int32(ONE - 1 - _HALF), np.int32(-_HALF)) - (state >> 12)
        move *= _RATE.take(place)
        move &= -4096
        move += state
        n -= MOST_COUNTED
        n >>= 31
        move -= n  # one more, if there were fewer
        self.memory[slot.ravel()] = move.ravel()
        return yes, error

    def decide_alone(
        self, coder: Lanes, node: int, known: list[int], depth: int, wanted: int
    ) -> tuple[int, int]:
        """The same for the one column, in plain numbers."""
        stretch, squash = _plain_tables()
        trust, rate, memory, shift = _PLAIN_TRUST, _PLAIN_RATE, self.plain, 32 - self.slot_bits
        weights, size = self.plain_weight, 1 << self.slot_bits
        depth = min(depth, self.depths - 1)
        of = depth * len(known) * _TRUSTS
        stir = node * _STIR
        log_odds = first = 0
        votes = []
        for one in known:
            slot = first + (((one + stir) & 0xFFFFFFFF) >> shift)
            state = memory[slot]
            vote, weight = stretch[state >> 18], of + trust[state & 4095]
            log_odds += weights[weight] * vote
            votes.append((slot, state, vote, weight))
            first += size
            of += _TRUSTS
        sure = squash[min(max(log_odds >> 14, -FARTHEST), FARTHEST) + FARTHEST]
        yes = coder.decide_alone(sure, wanted)
        error = (yes << P_BITS) - sure
        pull = error * _PLAIN_PACE[min(self.plain_made[depth], len(_PLAIN_PACE) - 1)]
        self.plain_made[depth] += 1
        aim = ONE - 1 - _HALF if yes else -_HALF
        for slot, state, vote, weight in votes:
            if vote:
                weights[weight] += (vote * pull) >> 20
            n, p = state & 4095, state >> 12
            memory[slot] = ((p + (((aim - p) * rate[n]) >> 12)) << 12) | (n + 1 if n < MOST_COUNTED else n)
        return yes, error


@cache
def _plain_tables() -> tuple[list[int], list[int]]:
    return np.roll(_stretch(), 2048).tolist(), _squash().tolist()


@cache
def _votes() -> Floats:
    """Log-odds by the high bits of a slot: from a half on, and from the end those of what is below."""
    return np.roll(_stretch(), 2048).astype(np.float64)


@cache
def _roots() -> Ints:
    return np.array([isqrt(i) for i in range(1 << 13)])


def _root(many: Ints) -> Ints:
    """Roots in whole numbers."""
    return _roots().take(many)


def bits_of(errors: Floats) -> Floats:
    """What decisions cost, which their errors tell; for reports alone."""
    return _bits()[(1 << P_BITS) - np.abs(errors).astype(np.int64)]


@cache
def _bits() -> Floats:
    p = np.arange(1, (1 << P_BITS) + 1) / (1 << P_BITS)
    return np.concatenate([[np.inf], -np.log2(p)])
