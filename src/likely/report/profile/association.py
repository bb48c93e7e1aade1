"""What a column tells about the target, in bits: from the rows at hand, and as it holds for rows left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.report.profile.inspect import Inspected
from likely.report.profile.value_counts import ValueCounts
from likely.score.entropy import LOG_2, MUTUAL, Bits, total
from likely.score.of_counts import held_out
from likely.stats import Counts, Groups
from likely.stats.bins import bin_codes, bins_for, equal_frequency_starts
from likely.stats.groups import Floats, Ints

TARGET_BINS = 8
FEW = 20  # whole numbers: a target with no more of them is one of classes


@dataclass(frozen=True, slots=True)
class TargetGroups:
    """The class of every row, or the bin of a target of numbers; -1 where it is missing."""

    name: str
    codes: Ints  # (n,)
    totals: Ints  # (g,) how often each occurs

    @classmethod
    def of(cls, inspected: Inspected, numbers: ValueCounts | None) -> TargetGroups:
        """The groups of rows that are to be told apart."""
        if numbers is None or inspected.numbers is None:
            assert inspected.codes is not None
            codes = inspected.codes.astype(np.intp)
        else:
            codes = _in_bins(inspected.numbers, _target_edges(numbers))
        return cls(inspected.column.name, codes, _class_counts(codes, max(int(codes.max(initial=0)) + 1, 1)))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The pairs that occur: code of the column, code of the target, and how often."""

    x: Ints  # (e,)
    y: Ints  # (e,)
    count: Ints  # (e,)

    @classmethod
    def of(cls, inspected: Inspected, numbers: ValueCounts | None, target: TargetGroups) -> PairCounts:
        """Count the rows where both are known."""
        g = len(target.totals)
        if inspected.numbers is None or numbers is None:
            assert inspected.codes is not None
            return _pairs(inspected.codes, target.codes, len(inspected.levels), g)
        edges = numbers.values[equal_frequency_starts(numbers.counts, bins_for(numbers.n))]
        codes = _in_bins(inspected.numbers, edges)
        if inspected.rows is None:
            return _pairs(codes, target.codes, len(edges) + 1, g)
        stored = target.codes[inspected.rows]
        table = _table(codes, stored, len(edges) + 1, g)
        table[bin_codes(edges, np.zeros(1))] += target.totals - _class_counts(
            stored, g
        )  # of cells not stored
        return _of_table(table)


def _target_edges(numbers: ValueCounts) -> Floats:
    """The bins of a target: whole numbers are classes if they are few, others get quarters or eighths."""
    whole = bool((np.floor(numbers.values) == numbers.values).all())
    if whole and len(numbers.values) <= FEW:
        return numbers.values[1:]
    return numbers.values[equal_frequency_starts(numbers.counts, min(bins_for(numbers.n), TARGET_BINS))]


def _in_bins(numbers: NDArray[np.number], edges: Floats) -> Ints:
    codes = bin_codes(edges, numbers)
    if numbers.dtype.kind == "f":
        codes[np.isnan(numbers)] = -1
    return codes


def _class_counts(codes: Ints, g: int) -> Ints:
    counts: Ints = Counts.collect(codes[:, None], Groups.one(len(codes)), (g,)).table[0].astype(np.intp)
    return counts


def _pairs(x: NDArray[np.integer], y: Ints, k: int, g: int) -> PairCounts:
    if k * g > max(4 * len(x), 1 << 16):  # more pairs than rows: only those that occur
        both = (x >= 0) & (y >= 0)
        cells, count = np.unique(x[both].astype(np.intp) * g + y[both], return_counts=True)
        return PairCounts(cells // g, cells % g, count)
    return _of_table(_table(x, y, k, g))


def _table(x: NDArray[np.integer], y: Ints, k: int, g: int) -> Ints:
    """How often each level occurs with each class, (k, g); a group more takes the rows without a class."""
    classes = Groups.hard(np.where(y < 0, g, y), g + 1)
    table: Ints = Counts.collect(x[:, None], classes, (k,)).table[:g].T.astype(np.intp)
    return table


def _of_table(table: Ints) -> PairCounts:
    at = np.nonzero(table)
    return PairCounts(at[0], at[1], table[at])


@dataclass(frozen=True, slots=True)
class Association:
    """What a column tells about the target.

    `bits` is what is saved by telling each row's target with the column rather than without it, where what
    is used for a row is learnt from all the others: names of rows save nothing, however well they fit.
    `mutual_information` is that of the relative frequencies of all rows, which is biased. Numbers are
    put into bins of about as many rows each.
    """

    bits: float  # a row, 0 at least
    share: float  # of the bits that it takes to tell the target without the column, 0 to 1
    mutual_information: Bits
    missing_share: float  # the same share for whether the cell is missing
    where_known: int | None  # the place of the one value that the target has wherever the cell is known
    n: int  # rows where both are known


def association_of(pairs: PairCounts, target: TargetGroups) -> Association:
    """Weigh up a table of counts.

    >>> perfect = PairCounts(np.array([0, 1]), np.array([0, 1]), np.array([50, 50]))
    >>> association = association_of(perfect, TargetGroups("y", np.repeat([0, 1], 50), np.array([50, 50])))
    >>> association.mutual_information, round(association.bits, 2), round(association.share, 2)
    (1.00 bits from 100 rows; biased low by about 0.007, 1.0, 0.99)
    """
    g = len(target.totals)
    known = np.bincount(pairs.y, pairs.count, g).astype(np.intp)
    bits, share = _saved(pairs, g)
    gap = target.totals - known
    sides = np.stack([known, gap])
    at = np.nonzero(sides)
    missing = PairCounts(at[0], at[1], sides[at])
    one = np.flatnonzero(known)
    alone = int(one[0]) if len(one) == 1 and np.count_nonzero(target.totals) > 1 else None
    return Association(
        bits, share, _mutual_information(pairs, g), _saved(missing, g)[1], alone, int(known.sum())
    )


def _saved(pairs: PairCounts, g: int) -> tuple[float, float]:
    """Bits saved a row on held-out rows, and their share of those needed without; 0 if nothing is saved."""
    bits, share = held_out(pairs.x, pairs.y, pairs.count, g)
    return (bits, min(share, 1.0)) if bits > 0 < share else (0.0, 0.0)


def _mutual_information(pairs: PairCounts, g: int) -> Bits:
    n = int(pairs.count.sum())
    if not n:
        return Bits(0.0, 0, 0.0)

    def mass(roles: tuple[str, ...]) -> Floats:
        counts: Ints | Floats = pairs.count
        if "y" not in roles:
            counts = np.bincount(pairs.x, pairs.count) if "x" in roles else np.array([n])
        elif "x" not in roles:
            counts = np.bincount(pairs.y, pairs.count, g)
        return np.asarray(counts / n)

    bits, beyond = total(MUTUAL, mass)
    return Bits(bits, n, -beyond / (2 * n * LOG_2))
