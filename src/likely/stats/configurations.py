"""Rows of levels as distinct configurations with counts, and the counts of any set of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import LikelyError

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]

DENSE = 1 << 16  # cells of a table that is laid out in full, or as many as there are rows, times four


@dataclass(frozen=True)
class Configurations:
    """Rows of levels, each with a weight: what is asked of them are counts of combinations.

    Columns are told by their places. A missing code (-1) is refused: no count says what it would be.

    >>> rows = Configurations.of(np.array([[0, 1], [1, 1], [0, 1]]), (2, 2))
    >>> rows.table((0, 1))
    array([[0., 2.],
           [0., 1.]])
    >>> few = rows.distinct((0, 1))
    >>> few.columns[0].tolist(), few.weight
    ([0, 1], array([2., 1.]))
    """

    columns: dict[int, Ints]  # (m,) codes of each column that is there
    levels: tuple[int, ...]  # (d,): how many levels each column has
    weight: Floats | None  # (m,): how much each row counts; None: 1
    n: float  # the weight of all rows

    @classmethod
    def of(
        cls, codes: NDArray[np.integer], levels: Sequence[int], weight: ArrayLike | None = None
    ) -> Configurations:
        """Of codes (n, d), with so many levels each; rows of weight 0 are left out."""
        codes = np.asarray(codes)
        if codes.ndim != 2 or codes.shape[1] != len(levels):
            raise LikelyError(f"codes of shape {codes.shape}: give one column for each of {len(levels)}.")
        w = None if weight is None else np.asarray(weight, np.float64)
        if w is not None and (w.shape != (len(codes),) or not (np.isfinite(w) & (w >= 0)).all()):
            raise LikelyError("weights are numbers from 0 on, one a row.")
        if w is not None and not w.all():
            codes, w = codes[w > 0], w[w > 0]
        if not len(codes):
            raise LikelyError("there are no rows to count: give one row with a weight above 0 at least.")
        if not (codes >= 0).all() or not (codes < np.asarray(levels)).all():
            row, j = np.argwhere((codes < 0) | (codes >= np.asarray(levels)))[0].tolist()
            raise LikelyError(
                f"column {j}, row {row}: code {codes[row, j]} is none of its {levels[j]} levels. "
                "Fill missing cells or leave their rows out."
            )
        # Codes of combinations are below the most cells: narrow numbers are read and written in half the time
        narrow = max(4 * len(codes), DENSE, *levels) < 2**31
        dtype: type[np.integer] = np.int32 if narrow else np.intp
        columns = {j: np.ascontiguousarray(codes[:, j], dtype) for j in range(len(levels))}
        return cls(columns, tuple(map(int, levels)), w, float(len(codes) if w is None else w.sum()))

    @cached_property
    def m(self) -> int:
        """How many rows there are, whatever their weights."""
        return len(next(iter(self.columns.values())))

    def size(self, places: Sequence[int]) -> int:
        """How many combinations of levels there are."""
        size = 1
        for j in places:
            size *= self.levels[j]
        return size

    def code(self, places: Sequence[int]) -> tuple[Ints, int]:
        """One number for each row's combination of levels, the last column fastest, and how many there are.

        Where there are many more combinations than rows, those that occur are numbered in their order.
        """
        if not places:
            return np.zeros(self.m, np.intp), 1
        code, size = self.columns[places[0]], self.levels[places[0]]
        for j in places[1:]:
            code, size = self.refine(code, size, j)
        return code, size

    def refine(self, code: Ints, size: int, j: int, room: int = 1) -> tuple[Ints, int]:
        """A code of combinations together with one more column, which is the fastest.

        With `room` for another column, of so many levels, to be added to the code.
        """
        k = self.levels[j]
        if size * k * room > self.most:
            seen, code = np.unique(code, return_inverse=True)
            size = len(seen)
        finer = code * k
        finer += self.columns[j]
        return finer, size * k

    @cached_property
    def most(self) -> int:
        """The most cells that a table is laid out with."""
        return max(DENSE, 4 * self.m)

    def count(self, code: Ints, size: int) -> Floats:
        """How much weight each code has, (size,)."""
        return np.bincount(code, self.weight, size).astype(np.float64, copy=False)

    def table(self, places: Sequence[int]) -> Floats:
        """The counts of every combination of levels, one axis a column, seen or not."""
        code, size = self.code(places)
        if size != self.size(places):
            raise LikelyError(f"the table of {len(places)} columns has too many cells: {self.size(places)}.")
        return self.count(code, size).reshape([self.levels[j] for j in places])

    def tables(self, columns: Sequence[int], within: NDArray[np.bool_]) -> tuple[Floats, Ints, Ints]:
        """The counts of several sets of columns in one pass, table after table; where each begins, how large.

        `within` (sets, columns) tells which of the columns a set has; the last one is the fastest.

        >>> rows = Configurations.of(np.array([[0, 1], [1, 1], [0, 1]]), (2, 2))
        >>> rows.tables((0, 1), np.array([[True, False], [True, True]]))
        (array([2., 1., 0., 2., 0., 1.]), array([0, 2]), array([2, 4]))
        """
        levels = np.where(within, [self.levels[j] for j in columns], 1)
        strides = np.cumprod(levels[:, ::-1], axis=1)[:, ::-1]  # of the column before: the first has the size
        sizes = strides[:, 0]
        firsts = np.cumsum(sizes) - sizes
        # Codes are below 2^53, so that a product of matrices adds them up exactly.
        factors = np.column_stack([np.where(within, strides // levels, 0), firsts]).astype(np.float64)
        values = np.stack([self.columns[j] for j in columns] + [np.ones(self.m)])
        code = (factors @ values).astype(np.intp).ravel()
        weight = None if self.weight is None else np.tile(self.weight, len(within))
        cells = np.bincount(code, weight, int(sizes.sum()))
        return cells.astype(np.float64, copy=False), firsts, sizes

    def distinct(self, places: Sequence[int]) -> Configurations:
        """The distinct combinations of some columns, with their counts as weights."""
        code, size = self.code(places)
        if size == self.size(places):
            counted = self.count(code, size)
            seen = np.flatnonzero(counted)
            which = np.unravel_index(seen, [self.levels[j] for j in places])
            columns = {j: own.astype(code.dtype) for j, own in zip(places, which, strict=True)}
            return Configurations(columns, self.levels, counted[seen], self.n)
        _, rows, code = np.unique(code, return_index=True, return_inverse=True)
        columns = {j: self.columns[j][rows] for j in places}
        return Configurations(columns, self.levels, self.count(code, len(rows)), self.n)
