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
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cache
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.codes.tables.lanes import P_BITS, Bools, Ints, Lanes

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
class SymbolTree:
    """Where a yes or a no leads from each node: to a node, or (as ~symbol) to a symbol."""

    no: Ints  # (k - 1,)
    yes: Ints  # (k - 1,)

    @classmethod
    def balanced(cls, k: int, falling: bool) -> SymbolTree:
        """A tree over k symbols in their order: of like depth, or with the first ones near the root.

        >>> SymbolTree.balanced(3, falling=True).no.tolist()
        [-1, -2]
        """
        weight = 1.0 / np.arange(1, k + 1) if falling else np.ones(k)
        total = np.concatenate([[0.0], np.cumsum(weight)])
        no, yes = np.zeros(k - 1, np.int64), np.zeros(k - 1, np.int64)
        made, parts = 1, [(0, k, 0)]
        while parts:
            first, end, node = parts.pop()
            middle = (total[first] + total[end]) / 2
            cut = int(np.searchsorted(total[first : end + 1], middle - 1e-9)) + first
            cut = min(max(cut, first + 1), end - 1)
            for side, (a, b) in ((no, (first, cut)), (yes, (cut, end))):
                if b - a == 1:
                    side[node] = ~a
                else:
                    side[node] = made
                    parts.append((a, b, made))
                    made += 1
        return cls(no, yes)

    def words(self) -> tuple[Ints, Ints]:
        """The decisions that lead to each symbol, the first in the highest bit, and how many; (k,) each."""
        k = len(self.no) + 1
        word, length = np.zeros(k, np.int64), np.zeros(k, np.int64)
        ways = [(0, 0, 0)]
        while ways:
            node, way, depth = ways.pop()
            for bit, to in ((0, int(self.no[node])), (1, int(self.yes[node]))):
                if to < 0:
                    word[~to], length[~to] = (way << 1) | bit, depth + 1
                else:
                    ways.append((to, (way << 1) | bit, depth + 1))
        return word, length


@dataclass(frozen=True, slots=True)
class Contexts:
    """What each context knows of every row beforehand, and how many values above it looks at as well."""

    hashes: Hashes  # (c, n)
    history: tuple[int, ...]  # (c,)


def most_lanes(n: int) -> int:
    """How many lanes a table of n rows has: each costs some bytes, fewer cost time."""
    lanes = int(min((n / 1000) ** 1.35, 1024))
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
    word, length = tree.words() if write else (np.empty(0, np.int64), np.empty(0, np.int64))
    history = np.array(contexts.history)
    longest = int(history.max(initial=0))
    bits = 0.0
    for start, stop, wide in _turns(n, lanes):
        if wide == 1:
            bits += _code_alone(coder, mixer, symbols, range(start, stop), tree, contexts, write=write)
            continue
        rows = -(-(stop - start) // wide)
        first = start + np.arange(wide) * rows
        end = np.minimum(first + rows, stop)
        above = np.zeros((longest, wide), np.int64)  # 1 + the value so many rows above; 0: there is none
        for back in range(min(longest, start)):
            above[back, 0] = symbols[start - 1 - back] + 1
        for step in range(rows):
            row = first + step
            lane = np.flatnonzero(row < end)
            row = row[lane]
            known = contexts.hashes[:, row] + _of_history(above[:, lane])[history]
            coded = symbols[row]
            node = np.zeros(len(lane), np.int64)
            here = np.arange(len(lane))  # the lanes whose symbol is not decided yet
            depth = 0
            while len(here):
                wanted = (
                    ((word[coded[here]] >> (length[coded[here]] - 1 - depth)) & 1) == 1 if write else None
                )
                yes, cost = mixer.decide(coder, lane[here], node, known[:, here], depth, wanted)
                bits += cost
                node = np.where(yes, tree.yes[node], tree.no[node])
                done = node < 0
                if done.any():
                    coded[here[done]] = ~node[done]
                    here, node = here[~done], node[~done]
                depth += 1
            symbols[row] = coded
            if longest:
                above[1:, lane] = above[:-1, lane]
                above[0, lane] = coded + 1
    return bits


def _code_alone(
    coder: Lanes,
    mixer: Mixer,
    symbols: Ints,
    rows: range,
    tree: SymbolTree,
    contexts: Contexts,
    *,
    write: bool,
) -> float:
    """Rows one after the other, as `code_symbols` does it with one lane, in plain numbers."""
    words, lengths = (part.tolist() for part in tree.words()) if write else ([], [])
    leads = (tree.no.tolist(), tree.yes.tolist())
    hashes = contexts.hashes[:, rows.start : rows.stop].T.tolist()
    longest = max(contexts.history, default=0)
    above = (symbols[max(rows.start - longest, 0) : rows.start][::-1] + 1).tolist()
    above += [0] * (longest - len(above))
    bits = 0.0
    for row in rows:
        past = [0]
        for value in above:
            past.append(_stirred(past[-1], value))
        known = [
            own + past[back] for own, back in zip(hashes[row - rows.start], contexts.history, strict=True)
        ]
        symbol = int(symbols[row]) if write else 0
        node = depth = 0
        while node >= 0:
            wanted = (words[symbol] >> (lengths[symbol] - 1 - depth)) & 1 if write else 0
            yes, cost = mixer.decide_alone(coder, node, known, depth, wanted)
            bits += cost
            node = leads[yes][node]
            depth += 1
        symbols[row] = ~node
        if longest:
            above = [~node + 1, *above[:-1]]
    return bits


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
    ) -> tuple[Bools, float]:
        """A decision in each lane, from which the contexts and weights learn; and the bits that it took."""
        depth = min(depth, _DEPTHS - 1)
        mixed = (known + node.astype(np.uint32) * np.uint32(0x85EBCA6B)) * np.uint32(0xC2B2AE35)
        slot = (mixed >> np.uint32(32 - self.slot_bits)) + self.own
        state = self.memory[slot]
        n, p = state & 4095, state >> 12
        vote = _stretch()[p >> 6]
        weight = self.of + _TRUST[n]
        log_odds = (self.weight[depth][weight] * vote).sum(axis=0) >> 14
        sure = _squash()[np.minimum(np.maximum(log_odds, -FARTHEST), FARTHEST) + FARTHEST]
        yes = coder.decide(lane, sure, wanted)
        # The weights: one step down the gradient, the smaller the more was seen.
        error = np.where(yes, 1 << P_BITS, 0) - sure
        slope = np.bincount(weight.ravel(), (vote * error).ravel(), len(self.weight[depth])).astype(np.int64)
        made, together = self.made[depth], len(lane)
        pace = _pace(made)
        self.weight[depth] += slope * pace // (isqrt(together) << 20)
        self.made[depth] = made + together
        # The slots: the answer, weighed as one of those that were had.
        aim = np.where(yes, np.int32(ONE - 1), np.int32(0))
        self.memory[slot] = ((p + (((aim - p) * _RATE[n]) >> 12)) << 12) | np.minimum(n + 1, MOST_COUNTED)
        return yes, float(_bits()[np.where(yes, sure, (1 << P_BITS) - sure)].sum())

    def decide_alone(
        self, coder: Lanes, node: int, known: list[int], depth: int, wanted: int
    ) -> tuple[int, float]:
        """The same for the first lane, in plain numbers."""
        stretch, squash, bits = _plain_tables()
        trust, rate, memory, shift = _PLAIN_TRUST, _PLAIN_RATE, self.plain, 32 - self.slot_bits
        depth = min(depth, _DEPTHS - 1)
        weights = self.plain_weight[depth]
        stir = node * 0x85EBCA6B
        log_odds = first = of = 0
        votes = []
        for one in known:
            slot = first + ((((one + stir) * 0xC2B2AE35) & 0xFFFFFFFF) >> shift)
            state = memory[slot]
            vote, weight = stretch[state >> 18], of + trust[state & 4095]
            log_odds += weights[weight] * vote
            votes.append((slot, state, vote, weight))
            first += 1 << self.slot_bits
            of += _TRUSTS
        sure = squash[min(max(log_odds >> 14, -FARTHEST), FARTHEST) + FARTHEST]
        yes = coder.decide_alone(sure, wanted)
        pull = ((yes << P_BITS) - sure) * _pace(self.made[depth])
        self.made[depth] += 1
        aim = ONE - 1 if yes else 0
        for slot, state, vote, weight in votes:
            if vote:
                weights[weight] += (vote * pull) >> 20
            n, p = state & 4095, state >> 12
            memory[slot] = ((p + (((aim - p) * rate[n]) >> 12)) << 12) | (n + 1 if n < MOST_COUNTED else n)
        return yes, bits[sure if yes else (1 << P_BITS) - sure]


@cache
def _plain_tables() -> tuple[list[int], list[int], list[float]]:
    return _stretch().tolist(), _squash().tolist(), _bits().tolist()


@cache
def _bits() -> NDArray[np.float64]:
    """What a decision of probability 0, 1, ... 65536ths costs; for reports alone."""
    p = np.arange(1, (1 << P_BITS) + 1) / (1 << P_BITS)
    return np.concatenate([[np.inf], -np.log2(p)])


def _pace(made: int) -> int:
    """How far weights move, after so many decisions: 50 at first, 8 in the end."""
    return max(8, 50 * 16 // isqrt(256 + 256 * made // 200))
