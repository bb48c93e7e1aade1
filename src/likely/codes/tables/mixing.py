"""Symbols <-> decisions, each with a probability that several contexts have learnt and a mixture weighs.

A symbol is a way down a tree of yes-or-no decisions. Every context (a few columns of the same row, the
values above) keeps for each node of the tree how often the answer was yes; a context that was met before
votes with the log-odds it has learnt, and the votes are added with weights that are learnt as well, by the
gradient of the code length (a logistic regression whose inputs are the contexts). The decoder learns the same
from what it has decoded so far, so nothing of this is written down.

Rows are coded some at a time, one in each lane, and more at a time the more is known; the first ones, and
those of small tables, one at a time, in plain numbers. Everything is whole
numbers: two machines never disagree.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cache
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.codes.tables.lanes import P_BITS, Bools, Ints, Lanes
from likely.codes.tables.symbol_tree import SymbolTree

Hashes = NDArray[np.uint32]

SLOT_BITS = 18  # slots of a context's memory, at the most: 2^18
MOST_COUNTED = 255  # observations of a slot: beyond, it forgets slowly
ONE = 1 << 18  # a slot's probability is so many parts
UNIT = 256  # log-odds of 1
FARTHEST = 2047  # log-odds, in units: 8.0
WEIGHT_ONE = 1 << 14
STALE = 32  # rows are coded together if 32 times as many were coded before
FEWEST = 4  # rows that are coded together: NumPy takes as long for one as plain numbers for four
LONGEST_HISTORY = 4  # values above that a context can look at
_SPREAD = 0xC2B2AE35  # what is known, times this, is a slot
_STIR = (0x85EBCA6B * _SPREAD) & 0xFFFFFFFF  # so much of it by the number of a node
_MOST_LANES = 1024
_NOTED = 256  # steps whose errors are kept before their bits are counted
_DEPTHS = 24  # decisions of a symbol that have weights of their own; deeper ones share the last


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


@dataclass(frozen=True, slots=True)
class Contexts:
    """What each context knows of every row beforehand, and how many values above it looks at as well."""

    hashes: Hashes  # (c, n)
    history: tuple[int, ...]  # (c,)


def most_lanes(n: int) -> int:
    """How many lanes a table of n rows has: each costs some bytes, fewer cost time.

    (n / 1100)^1.6 in whole numbers, up to 1,024: machines may differ in powers of floats.
    """
    lanes = bisect_right(range(_MOST_LANES + 1), n**8, key=lambda many: many**5 * 1100**8) - 1
    return lanes if lanes >= FEWEST else 1


def _turns(n: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Stretches of rows, and the lanes into which each is cut."""
    start = 0
    while start < n:
        lanes = min(start // STALE, most) if start >= STALE * FEWEST else 1
        stop = n if lanes == most else min(n, max(2 * start, STALE * FEWEST))
        yield start, stop, lanes
        start = stop


def decisions_of(n: int, columns: int) -> int:
    """About how many decisions a table takes, those of all lanes being one: what its time depends on."""
    steps = sum(-(-(stop - start) // lanes) for start, stop, lanes in _turns(n, most_lanes(n)))
    return 4 * steps * columns


def code_symbols(
    coder: Lanes,
    lanes: int,
    symbols: Ints,
    tree: SymbolTree,
    contexts: Contexts,
    *,
    write: bool,
    mixer: Mixer | None = None,
) -> float:
    """Write the symbols of all rows, or read them into the array; the bits that they took.

    symbols : (n,), of which a reader fills in all.
    mixer : What was learnt before, and learns on; None begins anew.
    """
    n = len(symbols)
    mixer = mixer or Mixer(len(contexts.history), slot_bits_for(n))
    work = _Work(coder, mixer, symbols, tree, contexts, write)
    for start, stop, wide in _turns(n, lanes):
        if wide == 1:
            work.alone(range(start, stop))
        else:
            work.together(start, stop, wide)
    return work.bits()


class _Work:
    """The coding of a column."""

    def __init__(
        self, coder: Lanes, mixer: Mixer, symbols: Ints, tree: SymbolTree, contexts: Contexts, write: bool
    ) -> None:
        self.coder, self.mixer, self.symbols = coder, mixer, symbols
        self.contexts, self.write = contexts, write
        none = np.zeros(len(tree.no) + 1, np.int64)
        self.word, self.length = tree.words() if write else (none, none)
        self.leads = np.stack([tree.no, tree.yes], axis=1).ravel()  # of node i: no at 2 i, yes at 2 i + 1
        self.longest = max(contexts.history, default=0)
        self._errors: list[NDArray[np.float64]] = []
        self._bits = 0.0

    def together(self, start: int, stop: int, wide: int) -> None:
        """Rows of a stretch, cut into so many lanes: one of each at a time."""
        rows = -(-(stop - start) // wide)
        first = start + np.arange(wide) * rows
        end = np.minimum(first + rows, stop)
        history = np.array(self.contexts.history)
        above = np.zeros((self.longest, wide), np.int64)  # 1 + the value so many rows above; 0: there is none
        for back in range(min(self.longest, start)):
            above[back, 0] = self.symbols[start - 1 - back] + 1
        for step in range(rows):
            row = first + step
            lane = (row < end).nonzero()[0]
            row = row[lane]
            known = self.contexts.hashes.take(row, axis=1)
            known += _of_history(above[:, lane])[history]
            known *= np.uint32(_SPREAD)
            self._step(row, lane, known)
            if self.longest:
                above[1:, lane] = above[:-1, lane]
                above[0, lane] = self.symbols[row] + 1

    def _step(self, row: Ints, lane: Ints, known: Hashes) -> None:
        """The symbols of these rows, one in each lane."""
        symbol = self.symbols[row]
        way, left = self.word[symbol], self.length[symbol]
        node = np.zeros(len(row), np.int64)
        depth = 0
        while True:
            left = left - 1
            wanted = ((way >> left) & 1).astype(np.bool_) if self.write else None
            yes, error = self.mixer.decide(self.coder, lane, node, known, depth, wanted)
            self._spend(error)
            node = self.leads[2 * node + yes]
            depth += 1
            done = node < 0
            if not done.any():
                continue
            self.symbols[row[done]] = ~node[done]
            more = (~done).nonzero()[0]
            if not len(more):
                return
            row, lane, node, way, left = (part[more] for part in (row, lane, node, way, left))
            known = known.take(more, axis=1)

    def alone(self, rows: range) -> None:
        """Rows one after the other, as `together` does it with one lane, in plain numbers."""
        words, lengths, leads = self.word.tolist(), self.length.tolist(), self.leads.tolist()
        hashes = self.contexts.hashes[:, rows.start : rows.stop].T.tolist()
        above = (self.symbols[max(rows.start - self.longest, 0) : rows.start][::-1] + 1).tolist()
        above += [0] * (self.longest - len(above))
        errors = []
        for row in rows:
            past = [0]
            for value in above:
                past.append(_stirred(past[-1], value))
            known = [
                ((own + past[back]) * _SPREAD) & 0xFFFFFFFF
                for own, back in zip(hashes[row - rows.start], self.contexts.history, strict=True)
            ]
            symbol = int(self.symbols[row])
            node = depth = 0
            while node >= 0:
                wanted = (words[symbol] >> (lengths[symbol] - 1 - depth)) & 1 if self.write else 0
                yes, error = self.mixer.decide_alone(self.coder, node, known, depth, wanted)
                errors.append(error)
                node = leads[2 * node + yes]
                depth += 1
            self.symbols[row] = ~node
            if self.longest:
                above = [~node + 1, *above[:-1]]
        self._spend(np.array(errors, np.float64))

    def _spend(self, errors: NDArray[np.float64]) -> None:
        """Note what decisions cost, which their errors tell."""
        self._errors.append(errors)
        if len(self._errors) == _NOTED:
            self.bits()

    def bits(self) -> float:
        """The bits of all decisions so far."""
        errors = np.abs(np.concatenate([*self._errors, np.empty(0)])).astype(np.int64)
        self._bits += float(_bits()[(1 << P_BITS) - errors].sum())
        self._errors = []
        return self._bits


def _of_history(above: Ints) -> Hashes:
    """Hashes of the last 0, 1, 2 ... values, (1 + longest, lanes)."""
    hashes = np.zeros((len(above) + 1, above.shape[1]), np.uint32)
    for back, values in enumerate(above):
        hashes[back + 1] = _stirred(hashes[back], values.astype(np.uint32))
    return hashes


def _stirred(known: Any, value: Any) -> Any:
    """What was known and one value more, as 32 bits: of plain numbers, or of arrays of such."""
    mixed = ((known + value + 1) * 0x9E3779B1) & 0xFFFFFFFF
    return mixed ^ (mixed >> 15)


def slot_bits_for(n: int) -> int:
    """The size of a context's memory that n rows are worth, as a power of two."""
    return min(SLOT_BITS, max(12, int(n).bit_length() + 4))


class Mixer:
    """What the contexts of a column have learnt, and the weights of their votes."""

    def __init__(self, contexts: int, slot_bits: int) -> None:
        self.slot_bits = slot_bits
        # A slot: the probability of yes in the high bits, the number of answers in the low twelve.
        self.plain = array("i", [(ONE // 2) << 12]) * (contexts << self.slot_bits)
        self.memory = np.frombuffer(self.plain, np.int32)  # the same
        self.own = (np.arange(contexts) << self.slot_bits)[:, None]
        self.of = (np.arange(contexts) * _TRUSTS)[:, None]
        # Log-odds are first averaged, and a little more.
        first = int(1.2 / contexts * WEIGHT_ONE)
        self.plain_weight = [array("q", [first]) * (contexts * _TRUSTS) for _ in range(_DEPTHS)]
        self.weight = [np.frombuffer(plain, np.int64) for plain in self.plain_weight]  # the same
        self.made = [0] * _DEPTHS  # decisions so far

    def copy(self) -> Mixer:
        """One that has learnt the same."""
        other = Mixer(len(self.own), self.slot_bits)
        other.memory[:] = self.memory
        for own, its in zip(self.weight, other.weight, strict=True):
            its[:] = own
        other.made = self.made.copy()
        return other

    def decide(
        self, coder: Lanes, lane: Ints, node: Ints, known: Hashes, depth: int, wanted: Bools | None
    ) -> tuple[Bools, NDArray[np.float64]]:
        """A decision in each lane, from which the contexts and weights learn; and how far off they were.

        Arrays of floats hold whole numbers far below 2^53 here: NumPy is faster with them, and as exact.
        """
        depth = min(depth, _DEPTHS - 1)
        mixed = known + node.astype(np.uint32) * np.uint32(_STIR)
        mixed >>= np.uint32(32 - self.slot_bits)
        slot = mixed + self.own
        state = self.memory.take(slot)
        n, p = state & 4095, state >> 12
        vote = _votes().take(state >> 18)
        weight = self.of + _TRUST.take(n)
        weights = self.weight[depth]
        log_odds = np.einsum("cl,cl->l", weights.astype(np.float64).take(weight), vote).astype(np.int64)
        log_odds >>= 14
        log_odds += FARTHEST
        sure = _squash().take(log_odds, mode="clip")
        yes = coder.decide(lane, sure, wanted)
        # The weights: one step down the gradient, the smaller the more was seen.
        error = np.multiply(yes, float(1 << P_BITS))
        error -= sure
        vote *= error
        slope = np.bincount(weight.ravel(), vote.ravel(), len(weights)).astype(np.int64)
        made, together = self.made[depth], len(lane)
        slope *= _pace(made)
        slope //= isqrt(together) << 20
        weights += slope
        self.made[depth] = made + together
        # The slots: the answer, weighed as one of those that were had.
        move = np.multiply(yes, np.int32(ONE - 1)) - p
        move *= _RATE.take(n)
        move &= -4096
        move += state
        move += n < MOST_COUNTED
        self.memory[slot.ravel()] = move.ravel()
        return yes, error

    def decide_alone(
        self, coder: Lanes, node: int, known: list[int], depth: int, wanted: int
    ) -> tuple[int, int]:
        """The same for the first lane, in plain numbers."""
        stretch, squash = _plain_tables()
        trust, rate, memory, shift = _PLAIN_TRUST, _PLAIN_RATE, self.plain, 32 - self.slot_bits
        depth = min(depth, _DEPTHS - 1)
        weights = self.plain_weight[depth]
        stir = node * _STIR
        log_odds = first = of = 0
        votes = []
        for one in known:
            slot = first + (((one + stir) & 0xFFFFFFFF) >> shift)
            state = memory[slot]
            vote, weight = stretch[state >> 18], of + trust[state & 4095]
            log_odds += weights[weight] * vote
            votes.append((slot, state, vote, weight))
            first += 1 << self.slot_bits
            of += _TRUSTS
        sure = squash[min(max(log_odds >> 14, -FARTHEST), FARTHEST) + FARTHEST]
        yes = coder.decide_alone(sure, wanted)
        error = (yes << P_BITS) - sure
        pull = error * _pace(self.made[depth])
        self.made[depth] += 1
        aim = ONE - 1 if yes else 0
        for slot, state, vote, weight in votes:
            if vote:
                weights[weight] += (vote * pull) >> 20
            n, p = state & 4095, state >> 12
            memory[slot] = ((p + (((aim - p) * rate[n]) >> 12)) << 12) | (n + 1 if n < MOST_COUNTED else n)
        return yes, error


@cache
def _plain_tables() -> tuple[list[int], list[int]]:
    return _stretch().tolist(), _squash().tolist()


@cache
def _votes() -> NDArray[np.float64]:
    return _stretch().astype(np.float64)


@cache
def _bits() -> NDArray[np.float64]:
    """What a decision of probability 0, 1, ... 65536ths costs; for reports alone."""
    p = np.arange(1, (1 << P_BITS) + 1) / (1 << P_BITS)
    return np.concatenate([[np.inf], -np.log2(p)])


def _pace(made: int) -> int:
    """How far weights move, after so many decisions: 50 at first, 8 in the end."""
    return max(8, 50 * 16 // isqrt(256 + 256 * made // 200))
