"""Relief: columns that tell a row from the nearest rows of other classes, and not from those of its own.

For each row the terms that a column adds to the distance from its k nearest rows of the same class (hits)
are taken away, and from those of every other class (misses) added, weighed by how frequent that class is
among the others. What a column gets on average is its score. With k = 1 and two classes it is Kira and
Rendell's Relief, with more of either Kononenko's ReliefF.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.engine import Chunk, Engine, ReduceTask
from likely.infer.mixed_rows import MixedRows
from likely.infer.nearest import AmongTask, shares_of_nearest
from likely.stats import Groups, Moments
from likely.stats.groups import Floats, Ints

FEW_ROWS = 1 << 12  # of which the distances of all are kept: 128 MB
TERMS = 1 << 18  # of pairs of rows, that are made at a time: 2 MB


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Rows in the order of their classes, and the places of those that are looked at."""

    rows: MixedRows
    ends: Ints  # (g + 1,): where the rows of each class begin, and end
    weight: Floats | None  # (n,)
    looked_at: Ints  # (m,)
    sums: Floats | None = None  # (n, n): how far rows are apart, where these are few


@dataclass(frozen=True)
class ReliefTask(ReduceTask[ClassRows, Moments]):
    """The moments of what rows say for each column."""

    k: int
    first: bool  # of rows that are equally near, whether the first are taken rather than all a little
    others: int

    def width(self, stored: int) -> int:
        """A distance to every other row."""
        return self.others

    def step(self, data: ClassRows, start: int, stop: int) -> Moments:
        """Of some of the rows that are looked at."""
        looked_at, rows, ends = data.looked_at[start:stop], data.rows, data.ends
        own = np.searchsorted(ends, looked_at, "right") - 1
        sizes = np.diff(ends).astype(np.float64)
        if data.weight is not None:
            sizes = np.add.reduceat(data.weight, ends[:-1])
        says = np.zeros((len(looked_at), rows.width))
        hit = np.zeros(len(looked_at), bool)
        for c in range(len(sizes)):
            begin, end = int(ends[c]), int(ends[c + 1])
            mine = own == c
            if data.sums is None:
                sums = rows.sums(looked_at, rows.at(slice(begin, end)))
            else:
                sums = data.sums[start:stop, begin:end]  # of all rows, which are looked at in order
            weight = None if data.weight is None else np.tile(data.weight[begin:end], (len(looked_at), 1))
            at = (np.flatnonzero(mine), looked_at[mine] - begin)
            if weight is None:
                sums[at] = np.inf  # a row is no hit of itself
            else:
                weight[at] = np.maximum(weight[at] - 1, 0.0)  # of a row of weight 2, its copy is
                sums[at] = np.where(weight[at] > 0, sums[at], np.inf)
            row, place, share = shares_of_nearest(sums, self.k, weight, self.first)
            hit[row[mine[row]]] = True
            counts_for = np.where(mine, -1.0, sizes[c] / np.maximum(sizes.sum() - sizes[own], 1e-300))
            share *= counts_for[row]
            pairs = np.arange(len(row))  # very many, where rows are equally far
            for some in np.array_split(pairs, len(row) * rows.width // TERMS + 1):
                terms = rows.terms(looked_at[row[some]], place[some] + begin)
                terms *= share[some, None]
                first = np.flatnonzero(np.diff(row[some], prepend=-1))
                says[row[some][first]] += np.add.reduceat(terms, first, axis=0)
        kept = hit & (sizes.sum() > sizes[own])
        weight = None if data.weight is None else data.weight[looked_at][kept]
        return Moments.collect(says[kept], Groups.one(int(kept.sum()), weight))


@dataclass(frozen=True)
class ReliefScores:
    """What columns score, and how far that may be off because not all rows were looked at."""

    scores: Floats  # (d,)
    errors: Floats  # (d,): standard errors, 0 if all rows were
    rows: int  # looked at


def relief(
    rows: MixedRows,
    codes: Ints,
    k: int,
    *,
    engine: Engine,
    weight: Floats | None = None,
    sample: int | None = None,
    seed: int = 0,
    first: bool = False,
) -> ReliefScores:
    """Score the columns of rows with these classes; a row alone in its class says nothing.

    >>> from likely.engine import Memory
    >>> from likely.infer.mixed_rows import LevelCells
    >>> bits = np.array([[0, 0, 1, 1], [0, 1, 0, 1]])
    >>> rows = MixedRows.of([LevelCells(np.tile(bit, 2)) for bit in bits], 2)
    >>> relief(rows, np.tile([1, 0, 0, 1], 2), 1, engine=Memory()).scores
    array([0.5, 0.5])
    """
    there = np.arange(len(codes)) if weight is None else np.flatnonzero(weight > 0)
    order = there[np.argsort(codes[there], kind="stable")]
    present, begins = np.unique(codes[order], return_index=True)
    n = len(order)
    looked_at = np.arange(n)
    if sample is not None and sample < n:
        looked_at = np.sort(np.random.default_rng(seed).choice(n, sample, replace=False))
    ends = np.append(begins, n).astype(np.intp)
    if len(present) < 2:
        return ReliefScores(np.zeros(rows.width), np.zeros(rows.width), len(looked_at))
    rows = rows.at(order)
    sums = None
    if len(looked_at) == n <= FEW_ROWS:
        sums = np.empty((n, n))
        engine.map(Chunk((rows, sums), n, rows.width), AmongTask(n))
    data = ClassRows(rows, ends, None if weight is None else weight[order], looked_at, sums)
    task = ReliefTask(k, first, n)
    moments = engine.reduce(Chunk(data, len(looked_at), rows.width), task)
    m = np.maximum(moments.n[0], 1.0)
    rest = 1 - len(looked_at) / n  # what was not looked at
    errors = np.sqrt(moments.scatter[0] / m / np.maximum(m - 1, 1) * rest)
    return ReliefScores(moments.mean[0], errors, len(looked_at))
