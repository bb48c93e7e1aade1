"""What pair counts make of rows: log P(class, row), by a tree of columns or by an average over parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.infer.graph import topological_order
from likely.infer.structure_trees import (
    class_informations,
    maximum_spanning_tree,
    most_telling,
    pair_informations,
)
from likely.stats.level_pairs import LevelPairs

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class TableSmoothing:
    """What is added to the counts of a table before they are divided by their sum."""

    each: float = 1.0  # to the count of every level; 0 is maximum likelihood
    back: float = 0.0  # to those of a row with one parent more, by what the row without it says

    def shares(self, counts: Floats, without: Floats | None = None) -> Floats:
        """P(level) of counts (..., k); `without` the last parent it is (..., k). Of nothing seen it is 0."""
        more = self.each if without is None or not self.back else self.back * without
        weighed = counts + more
        total = weighed.sum(axis=-1, keepdims=True)
        return np.asarray(np.divide(weighed, total, out=np.zeros_like(weighed), where=total > 0))


def logs(probs: Floats) -> Floats:
    """With -inf for 0, and no word about it."""
    with np.errstate(divide="ignore"):
        return np.log(probs)


def learn_tree(pairs: LevelPairs, names: Sequence[str], root: int | None) -> tuple[int, ...]:
    """The parent of each column in the most likely tree given the class, -1 of the root.

    Where several are as likely, names decide, not the order of the columns.
    """
    if root is None:
        root = most_telling(class_informations(pairs), names)
    return maximum_spanning_tree(pair_informations(pairs), root, names)


@dataclass(frozen=True)
class TreeTables:
    """P(class) times, for every column, P(column given class and the column before it in the tree)."""

    log_rates: Floats  # (g,)
    parents: tuple[int, ...]  # -1 of a root
    tables: tuple[Floats, ...]  # log P, (g, k of the parent or 1, k)

    @classmethod
    def of(
        cls, pairs: LevelPairs, rates: Floats, parents: Sequence[int], smoothing: TableSmoothing
    ) -> TreeTables:
        """From the counts of pairs."""
        tables = []
        for j, parent in enumerate(parents):
            alone = smoothing.shares(pairs.single(j))[:, None]
            tables.append(logs(alone if parent < 0 else smoothing.shares(pairs.pair(parent, j), alone)))
        return cls(logs(rates), tuple(parents), tuple(tables))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Columns, parents before children."""
        return topological_order([() if parent < 0 else (parent,) for parent in self.parents])

    @property
    def cells(self) -> int:
        """How many numbers a row takes."""
        return len(self.log_rates) * max(int(table[0].size) for table in self.tables)

    def log_joint(self, codes: Ints) -> Floats:
        """Log P(class, what is known of a row), (b, g); what is negative is summed out."""
        joint = np.tile(self.log_rates, (len(codes), 1))
        known = codes >= 0
        told = known.all(axis=1)
        whole = codes[told]
        for j, (parent, table) in enumerate(zip(self.parents, self.tables, strict=True)):
            rows = np.zeros(len(whole), np.intp) if parent < 0 else whole[:, parent]
            joint[told] += table[:, rows, whole[:, j]].T
        if not told.all():
            joint[~told] += self._summed_out(codes[~told])
        return joint

    def _summed_out(self, codes: Ints) -> Floats:
        """Log P(what is known given class), (b, g): from the leaves of the tree to its roots."""
        b, g = len(codes), len(self.log_rates)
        below = [np.zeros((b, g, table.shape[2])) for table in self.tables]  # what is known further down
        total = np.zeros((b, g))
        for j in reversed(self.order):
            table, known = self.tables[j], codes[:, j] >= 0
            said = np.empty((b, g, table.shape[1]))  # of each level of the parent
            level = codes[known, j]
            here = np.take_along_axis(below[j][known], level[:, None, None], axis=2)
            said[known] = table[:, :, level].transpose(2, 0, 1) + here
            said[~known] = np.logaddexp.reduce(table[None] + below[j][~known][:, :, None], axis=3)
            if self.parents[j] < 0:
                total += said[:, :, 0]
            else:
                below[self.parents[j]] += said
        return total


@dataclass(frozen=True)
class AverageTables:
    """The mean, over columns, of P(class, column) times P(every other column given both)."""

    log_rates: Floats  # (g,)
    firsts: Ints  # (d,): where the levels of each column begin among all
    singles: Floats  # (g, K + 1): log P(level given class); the last is no level, and 0
    pairs: Floats  # (g, K + 1, K + 1): log P(second given class and first); of one level, log P(class, level)
    often: NDArray[np.bool_]  # (K + 1,): whether a level was seen often enough to be a parent

    @classmethod
    def of(
        cls, pairs: LevelPairs, rates: Floats, shift: Floats, least: float, smoothing: TableSmoothing
    ) -> AverageTables:
        """From the counts of pairs; `shift` is by how much the base rates are others than those learnt."""
        sizes, g = pairs.sizes, len(rates)
        firsts = np.cumsum([0, *sizes[:-1]])
        places = sum(sizes)
        singles, both = np.zeros((g, places + 1)), np.zeros((g, places + 1, places + 1))
        often = np.zeros(places + 1, bool)
        for i, (first, k) in enumerate(zip(firsts, sizes, strict=True)):
            own = slice(first, first + k)
            counts = pairs.single(i)
            alone = smoothing.shares(counts)
            singles[:, own] = logs(alone)
            often[own] = counts.sum(axis=0) >= least
            together = smoothing.shares(counts.reshape(-1)).reshape(g, k)  # P(class, level)
            both[:, range(first, first + k), range(first, first + k)] = logs(together * shift[:, None])
            for j, (other, m) in enumerate(zip(firsts, sizes, strict=True)):
                if i != j:
                    theirs = smoothing.shares(pairs.single(j))[:, None]
                    both[:, own, other : other + m] = logs(smoothing.shares(pairs.pair(i, j), theirs))
        return cls(logs(rates), firsts, singles, both, often)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Columns as they stand."""
        return tuple(range(len(self.firsts)))

    @property
    def cells(self) -> int:
        """How many numbers a row takes."""
        return len(self.log_rates) * len(self.firsts) ** 2

    def log_joint(self, codes: Ints) -> Floats:
        """Log P(class, what is known of a row), (b, g); what is negative is neither parent nor child."""
        none = self.singles.shape[1] - 1
        places = np.where(codes >= 0, codes + self.firsts, none)
        parent = self.often[places]
        naive = self.log_rates + self.singles[:, places].sum(axis=2).T
        # A parent with each of its children, in each class: (g, b, d).
        each = self.pairs[:, places[:, :, None], places[:, None, :]].sum(axis=3)
        each = np.where(parent, each, -np.inf)
        n = parent.sum(axis=1)
        with np.errstate(invalid="ignore"):
            mean = np.logaddexp.reduce(each, axis=2).T - np.log(np.maximum(n, 1))[:, None]
        return np.asarray(np.where((n > 0)[:, None], mean, naive))
