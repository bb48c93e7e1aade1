"""What a column hangs on: the columns before it, its own values above, and how both are found.

A context is a set of parents. Small tables use the same contexts for every column, which then need not be
written down; in larger ones those are taken that make the description of the column shortest on some of its
rows. Numbers may be what is left over a sum or difference of others, or over the number above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import gammaln

from likely.codes.tables.values import Ints, Symbols, Values
from likely.codes.tables.waves import KnownCells, Place

SMALL = 4096  # rows up to which contexts are not chosen
ROWS = 20_000  # that are looked at to choose
NEAREST = 48  # columns before one that may be its parents
TOP = 6  # parents that are combined
_COARSE = 16  # bins of a parent of many levels
MANY = 32
_RELATED = 0.5  # of the rows have the same rest: the number is taken to be made of the others

# The kinds of parents: a column, a column in bins, the values above, whether all before is as it is above.
EXACT, BINNED, ABOVE, REPEATED = range(4)
# What a number may be the rest of: nothing, the number above, a, a + b, a - b, a - b as times of day.
ALONE, STEP, ONE_OTHER, SUM, DIFFERENCE, CLOCK = range(6)

Parent = tuple[int, int]  # its kind, and the column (of ABOVE: how many values)
Context = tuple[Parent, ...]


@dataclass(frozen=True, slots=True)
class KnownColumn:
    """A column as both sides know it once it is coded."""

    codes: Ints  # (n,)
    k: int
    values: Values

    @classmethod
    def of(cls, own: Symbols, relation: Relation, values: Values) -> KnownColumn:
        """A column that was coded by these symbols; others hang on its values, not on what was left."""
        if relation.kind == ALONE:
            return cls(own.codes, own.k, values)
        number = values.word < 0
        distinct, place = np.unique(values.numbers[number], return_inverse=True)
        codes = len(distinct) + values.word
        codes[number] = place
        return cls(codes, len(distinct) + len(values.words), values)

    def binned(self) -> Ints:
        """The symbols in bins of about as many rows."""
        count = np.bincount(self.codes, minlength=self.k)
        before = np.cumsum(count) - count
        return (before * _COARSE // max(len(self.codes), 1))[self.codes]


@dataclass(frozen=True, slots=True)
class Relation:
    """What the numbers of a column are the rest of."""

    kind: int = ALONE
    a: int = 0
    b: int = 0

    def expected(self, coded: Sequence[KnownColumn], n: int) -> Ints:
        """What is expected of each number by the columns before it; 0 where these are words."""
        if self.kind < ONE_OTHER:
            return np.zeros(n, np.int64)
        first = coded[self.a].values
        if self.kind == ONE_OTHER:
            return first.numbers
        second = coded[self.b].values
        both = (first.word < 0) & (second.word < 0)
        if self.kind == SUM:
            expected = first.numbers + second.numbers
        elif self.kind == DIFFERENCE:
            expected = first.numbers - second.numbers
        else:
            expected = _minutes(first.numbers) - _minutes(second.numbers)
        return np.where(both, expected, 0)

    def rest(self, values: Values, coded: Sequence[KnownColumn]) -> Ints:
        """The numbers less what is expected; 0 for words."""
        rest = values.numbers - self.expected(coded, len(values.word))
        if self.kind == STEP:
            rest = _filled(values)
            rest = np.diff(rest, prepend=rest[:1] * 0)
        return np.where(values.word < 0, rest, 0)

    def numbers(self, rest: Ints, word: Ints, coded: Sequence[KnownColumn]) -> Ints:
        """The numbers again."""
        numbers = np.cumsum(rest) if self.kind == STEP else rest + self.expected(coded, len(rest))
        return np.where(word < 0, numbers, 0)


def _filled(values: Values) -> Ints:
    """The numbers, and for each word the number above it: what steps are counted from."""
    last = np.maximum.accumulate(np.where(values.word < 0, np.arange(len(values.word)), -1))
    return np.where(last >= 0, values.numbers[last], 0)


def _minutes(clock: Ints) -> Ints:
    """Minutes of times of day that are written as 517 or 1430."""
    return (clock // 100) * 60 + clock % 100


def _is_clock(values: Values) -> bool:
    numbers = values.numbers
    return bool((numbers >= 0).all() and (numbers <= 2400).all() and (numbers % 100 < 60).all())


def relation_of(values: Values, coded: Sequence[KnownColumn], sample: Ints) -> Relation:
    """What the numbers of a column are best taken as the rest of."""
    if values.writing is None:
        return Relation()
    rows = sample[values.word[sample] < 0][:2000]
    plain = Symbols.of(values.numbers, values.word, len(values.words))
    if plain.k <= 2 or len(rows) < 20:
        return Relation()
    others = [
        i
        for i, other in enumerate(coded)
        if other.values.writing == values.writing and other.k > 2 and len(coded) - i <= NEAREST
    ]
    best, most = Relation(), _RELATED
    for relation in _relations(others, coded):
        rest = values.numbers[rows] - relation.expected(coded, len(values.word))[rows]
        share = np.unique(rest, return_counts=True)[1].max() / len(rows)
        if share > most:
            best, most = relation, share
    if best.kind != ALONE:
        usual = np.unique(values.numbers[rows], return_counts=True)[1].max() / len(rows)
        return best if most > usual + 0.2 else Relation()
    # A step from the number above, if that alone says more than the number above does as a context.
    step = Relation(STEP)
    steps = Symbols.of(step.rest(values, coded), values.word, len(values.words))
    given = bits_given(plain.codes[sample], plain.k, _above(plain.codes, 1)[sample])
    alone = min(plain.bits_alone(), given * len(values.word) / len(sample) + plain.widths().sum())
    return step if steps.bits_alone() < 0.9 * alone else Relation()


def _relations(others: Sequence[int], coded: Sequence[KnownColumn]) -> Iterator[Relation]:
    for a in others:
        yield Relation(ONE_OTHER, a)
    times = {i for i in others if _is_clock(coded[i].values)}
    for a, b in combinations(others[-24:], 2):
        yield Relation(SUM, a, b)
        yield from (Relation(DIFFERENCE, *pair) for pair in ((a, b), (b, a)))
        if {a, b} <= times:
            yield from (Relation(CLOCK, *pair) for pair in ((a, b), (b, a)))


def bits_given(codes: Ints, k: int, context: Ints) -> float:
    """The bits of symbols given a context, learnt as they come; what is not known yet is as likely as usual.

    >>> y = np.tile([0, 1], 500)
    >>> bits_given(y, 2, y) < 20, round(bits_given(y, 2, np.zeros(1000, np.int64)))
    (True, 1005)
    """
    # How usual a symbol is in the other rows: its own must not speak for it.
    prior = np.maximum(np.bincount(codes, minlength=k) - 0.5, 0.5) * (2.0 / (len(codes) + k / 2))
    pairs = np.sort(context * k + codes)
    starts = _starts(pairs)
    count = np.diff(starts, append=len(pairs))
    context_of, symbol = np.divmod(pairs[starts], k)
    total = np.diff(starts[_starts(context_of)], append=len(pairs))
    often = np.flatnonzero(count > 1)  # what is seen once costs the logarithm of its prior
    nats = gammaln(total + 2).sum() - np.log(prior)[symbol].sum()
    nats -= (gammaln(count[often] + prior[symbol[often]]) - gammaln(1 + prior)[symbol[often]]).sum()
    return float(nats / np.log(2))


def _starts(rising: Ints) -> Ints:
    """Where each of the values that follow each other first stands."""
    return np.flatnonzero(np.concatenate([[True], rising[1:] != rising[:-1]]))


def contexts_alike(levels: Sequence[int]) -> list[Context]:
    """The contexts of the next column of a small table, by how many levels those before it have."""
    before = [i for i in range(len(levels) - 1, -1, -1) if levels[i] > 1][:16]
    above: Parent = (ABOVE, 1)
    contexts: list[Context] = [(), (above,)]
    if before:
        contexts += [(above, (REPEATED, 0)), (above, (REPEATED, 0), (EXACT, before[0]))]
    if len(before) > 1:
        contexts.append(((EXACT, before[0]), (EXACT, before[1])))
    return contexts + [((EXACT, i),) for i in before]


def contexts_chosen(own: Symbols, coded: Sequence[KnownColumn], sample: Ints) -> list[Context]:
    """The contexts that make a column shortest on the rows of the sample."""
    y = own.codes[sample]
    n = len(own.codes)
    parents: dict[Parent, Ints] = {(ABOVE, 1): _above(own.codes, 1)[sample]}
    if coded:
        parents[(REPEATED, 0)] = _repeated(coded, n)[sample]
    for i in range(max(0, len(coded) - NEAREST), len(coded)):
        if coded[i].k > 1:
            parents[(EXACT, i)] = coded[i].codes[sample]
        if coded[i].k > MANY:
            parents[(BINNED, i)] = coded[i].binned()[sample]
    bits = {(parent,): bits_given(y, own.k, values) for parent, values in parents.items()}
    singles = sorted(bits, key=lambda one: bits[one])
    top = [context[0] for context in singles[:TOP]]
    top += [one for one in ((ABOVE, 1), (REPEATED, 0)) if one in parents and one not in top]
    chosen: list[Context] = [(), *singles[:4]]
    if ((ABOVE, 1),) not in chosen:
        chosen.append(((ABOVE, 1),))
    grown: list[Context] = [
        pair for pair in combinations(top, 2) if pair[0][1] != pair[1][1] or pair[0][0] >= 2
    ]
    for keep in (2, 1, 1):
        scored = sorted(grown, key=lambda one: bits_given(y, own.k, _together([parents[p] for p in one])))
        chosen += scored[:keep]
        grown = [
            (*one, other) for one in scored[: 2 if keep == 2 else 1] for other in top if other not in one
        ]
    return chosen


def places(contexts: Sequence[Context], column: int, known: KnownCells) -> list[list[Place]]:
    """Where the cells stand that a column's contexts look at."""
    return [[place for parent in context for place in _places(parent, column, known)] for context in contexts]


def _places(parent: Parent, column: int, known: KnownCells) -> list[Place]:
    kind, which = parent
    if kind == ABOVE:
        return [(column, back) for back in range(1, which + 1)]
    if kind == REPEATED:
        return [(known.repeated, 0)]
    return [(which if kind == EXACT else known.columns + which, 0)]


def telling(
    own: Symbols, coded: Sequence[KnownColumn], contexts: Sequence[Context], rows: Ints
) -> list[Parent]:
    """The parents that tell something of a column by themselves on these rows, those that tell most first."""
    n, y = len(own.codes), own.codes[rows]
    bits = {}
    for parent in dict.fromkeys(parent for context in contexts for parent in context):
        values = _above(own.codes, 1) if parent[0] == ABOVE else _of_others(parent, coded, n)
        bits[parent] = bits_given(y, own.k, values[rows])
    # Beside no parent, and beside one that is new in every row, as names and numbers of rows are.
    nothing = (np.zeros(len(y), np.int64), np.arange(len(y)))
    alone = min(bits_given(y, own.k, values) for values in nothing) if bits else 0.0
    return sorted((one for one in bits if bits[one] < 0.98 * alone), key=lambda one: bits[one])


def _of_others(parent: Parent, coded: Sequence[KnownColumn], n: int) -> Ints:
    """What the columns before say: a column, a column in bins, or whether the row repeats."""
    kind, which = parent
    if kind == REPEATED:
        return _repeated(coded, n)
    return coded[which].codes if kind == EXACT else coded[which].binned()


def _above(codes: Ints, back: int) -> Ints:
    """1 + the symbol so many rows above; 0 where there is none."""
    above = np.zeros(len(codes), np.int64)
    above[back:] = codes[:-back] + 1
    return above


def _repeated(coded: Sequence[KnownColumn], n: int) -> Ints:
    """Whether all columns so far are as they are in the row above."""
    same = np.ones(n, np.int64)
    same[:1] = 0
    for column in coded:
        same[1:] &= column.codes[1:] == column.codes[:-1]
    return same


def _together(parents: Sequence[Ints]) -> Ints:
    """Several parents as one: 40 bits of a hash, in which few rows of a sample can meet by chance."""
    joint = parents[0].astype(np.uint64)
    for values in parents[1:]:
        joint = joint * np.uint64(0x9E3779B97F4A7C15) + values.astype(np.uint64)
        joint *= np.uint64(0xD6E8FEB86659FD93)
        joint ^= joint >> np.uint64(32)
    return (joint >> np.uint64(24)).astype(np.int64)
