"""Relief: columns that tell a row from the nearest rows of other classes, and not from those of its own.

For each row the terms that a column adds to the distance from its k nearest rows of the same class (hits)
are taken away, and from those of every other class (misses) added, weighed by how frequent that class is
among the others. What a column gets on average is its score. With k = 1 and two classes it is Kira and
Rendell's Relief, with more of either Kononenko's ReliefF.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.infer.mixed_rows import MixedRows
from likely.infer.nearest import AmongTask, near_by_steps, shares_of_nearest, shares_of_pairs
from likely.infer.rough_rows import FARTHEST, RoughRows
from likely.stats import Groups, Moments
from likely.stats.groups import Floats, Ints

FEW_ROWS = 1 << 12  # of which the distances of all are kept: 128 MB
MOST_TERMS = 1 << 19  # of rows that seem near in steps: if it is more, distances are measured
TERMS = 1 << 18  # of pairs of rows, that are made at a time: 2 MB


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Rows in the order of their classes, and the places of those that are looked at."""

    rows: MixedRows
    ends: Ints  # (g + 1,): where the rows of each class begin, and end
    weight: Floats | None  # (n,)
    looked_at: Ints  # (m,)
    rough: RoughRows | None = None  # the same rows, where they can be had
    among: NDArray[Any] | None = None  # (n, n): how far rows are apart, where these are few

    def sums(self, start: int, stop: int, of: slice) -> Any:
        """From some of the rows that are looked at to those of a class, (b, m): in steps, if rough."""
        if self.among is not None:
            return self.among[start:stop, of]  # of all rows, which are looked at in order
        near: Any = self.rows if self.rough is None else self.rough
        return near.sums(self.looked_at[start:stop], near.at(of))


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
        from scipy.sparse import csr_array

        looked_at, rows, ends = data.looked_at[start:stop], data.rows, data.ends
        own = np.searchsorted(ends, looked_at, "right") - 1
        sizes = np.diff(ends).astype(np.float64)
        if data.weight is not None:
            sizes = np.add.reduceat(data.weight, ends[:-1])
        says = np.zeros((len(looked_at), rows.width))
        hit = np.zeros(len(looked_at), bool)
        for c in range(len(sizes)):
            mine = own == c
            counts_for = np.where(mine, -1.0, sizes[c] / np.maximum(sizes.sum() - sizes[own], 1e-300))
            for row, share, terms in self._nearest(data, start, stop, slice(*ends[c : c + 2].tolist()), mine):
                hit[row[mine[row] & (share > 0)]] = True
                begins = np.searchsorted(row, np.arange(len(says) + 1))
                cells = (share * counts_for[row], np.arange(len(row)), begins)
                weights: Any = csr_array(cells, (len(says), len(row)))
                says += weights @ terms
        kept = hit & (sizes.sum() > sizes[own])
        weight = None if data.weight is None else data.weight[looked_at][kept]
        return Moments.collect(says[kept], Groups.one(int(kept.sum()), weight))

    def _nearest(
        self, data: ClassRows, start: int, stop: int, of: slice, mine: NDArray[np.bool_]
    ) -> Iterator[tuple[Ints, Floats, Floats]]:
        """Pairs of rows that are looked at and near rows of a class: the first, its share, and their terms.

        Some at a time: there are very many, where rows are equally far.
        """
        looked_at, rows = data.looked_at[start:stop], data.rows
        sums: Any = data.sums(start, stop, of)
        at = (np.flatnonzero(mine), looked_at[mine] - of.start)
        if data.rough is not None:
            sums[at] = FARTHEST  # a row is no hit of itself
            row, place = near_by_steps(sums, self.k, data.rough.slack)
            if len(row) * rows.width <= MOST_TERMS:
                other = looked_at[row] != place + of.start
                row, place = row[other], place[other]
                terms = rows.terms(looked_at[row], place + of.start)
                yield row, shares_of_pairs(row, terms.sum(axis=1), len(looked_at), self.k, self.first), terms
                return
            sums = rows.sums(looked_at, rows.at(of))
        weight = None if data.weight is None else np.tile(data.weight[of], (len(looked_at), 1))
        if weight is None:
            sums[at] = np.inf
        else:
            weight[at] = np.maximum(weight[at] - 1, 0.0)  # of a row of weight 2, its copy is
            sums[at] = np.where(weight[at] > 0, sums[at], np.inf)
        row, place, share = shares_of_nearest(sums, self.k, weight, self.first)
        for some in np.array_split(np.arange(len(row)), len(row) * rows.width // TERMS + 1):
            yield row[some], share[some], rows.terms(looked_at[row[some]], place[some] + of.start)


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
    rough = RoughRows.of(rows) if weight is None else None
    among = None
    if len(looked_at) == n <= FEW_ROWS:
        among = np.empty((n, n), np.float64 if rough is None else np.uint16)
        engine.map(Chunk((rough or rows, among), n, rows.width), AmongTask(n))
    data = ClassRows(rows, ends, None if weight is None else weight[order], looked_at, rough, among)
    task = ReliefTask(k, first, n)
    moments = engine.reduce(Chunk(data, len(looked_at), rows.width), task)
    m = np.maximum(moments.n[0], 1.0)
    rest = 1 - len(looked_at) / n  # what was not looked at
    errors = np.sqrt(moments.scatter[0] / m / np.maximum(m - 1, 1) * rest)
    return ReliefScores(moments.mean[0], errors, len(looked_at))
