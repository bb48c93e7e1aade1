"""A column beside the target -> how often each pair of their values occurs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.report.profile.inspect import Inspected
from likely.report.profile.value_counts import ValueCounts
from likely.stats import Counts, Groups
from likely.stats.bins import bin_codes, equal_frequency_starts
from likely.stats.groups import Floats, Ints

MOST_BINS = 32
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


def bins_for(n: int) -> int:
    """How many bins n rows are enough for: the power of two nearest to the cube root of n, 2 to 32.

    >>> [bins_for(n) for n in (10, 100, 1000, 10**6)]
    [2, 4, 8, 32]
    """
    return int(2 ** min(max(round(math.log2(max(n, 1)) / 3), 1), round(math.log2(MOST_BINS))))


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
