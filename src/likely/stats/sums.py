"""How much was seen of each column in each group: the total, and of how many rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Groups, Ints
from likely.stats.statistic import Additive, exceeds, take_out
from likely.table.sparse import Rows, SparseRows

SLACK = 1e-6  # of the rows: what taking rows out again may leave


@dataclass(frozen=True, slots=True)
class Sums(Additive):
    """Weight of the rows where the column is known, and the weighted total of its values.

    For a Boolean column the total is the number of rows where it is true.

    >>> Sums.collect(np.array([[1.0], [0.0], [np.nan]]), Groups.hard([0, 0, 1], 2))
    Sums(n=array([[2.],
           [0.]]), total=array([[1.],
           [0.]]))
    """

    n: Floats  # (g, d)
    total: Floats  # (g, d)

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Self:
        """Nothing seen yet."""
        return cls(np.zeros((n_groups, width)), np.zeros((n_groups, width)))

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> Self:
        """Add up rows (b, d), dense or sparse; NaN is missing."""
        return cls(*sums_of_known(rows, groups)[:2])

    @property
    def failures(self) -> Floats:
        """Of columns that are true or false: the weight of false, none where rounding alone leaves some.

        Weights and total are not added up in one order, so that they differ in the last bits.
        """
        return np.maximum(take_out(self.n, self.total), 0.0)

    @property
    def share(self) -> Floats:
        """Of columns that are true or false: the share of true, 1/2 where nothing is known."""
        share = np.divide(self.total, self.n, out=np.full_like(self.n, 0.5), where=self.n > 0)
        return np.where((self.failures > 0) | (self.n <= 0), share, 1.0)

    def is_share(self) -> bool:
        """Whether columns can be true or false: no more are true than there are rows, up to rounding."""
        return bool((self.total <= self.n * (1 + SLACK) + SLACK).all())

    def exceeds(self, whole: Self) -> NDArray[np.bool_]:
        """For each column whether more rows, or a larger total, was seen here than in the whole."""
        return _more_counts(self, whole)

    def level_totals(self) -> list[Floats]:
        """The total of each column in all groups: where the columns are the words of one column of texts."""
        return [np.asarray(self.total.sum(axis=0))]

    def only_levels(self, places: Sequence[Ints]) -> Self:
        """Some of the words; a text tells of all or of none."""
        return self._with(n=self.n[:, places[0]], total=self.total[:, places[0]])

    def relevel(self, places: Sequence[Ints], sizes: Sequence[int]) -> Self:
        """The words at these places of a longer vocabulary; the others occurred in no text."""
        n = np.repeat(self.n.max(axis=1, keepdims=True, initial=0.0), sizes[0], axis=1)
        total = np.zeros_like(n)
        n[:, places[0]], total[:, places[0]] = self.n, self.total
        return self._with(n=n, total=total)


@dataclass(frozen=True, slots=True)
class CountSums(Additive):
    """Sums, and the total of log(x!): what the evidence of counts needs beside them."""

    n: Floats  # (g, d)
    total: Floats  # (g, d)
    log_factorial: Floats  # (g, d)

    @classmethod
    def empty(cls, n_groups: int, width: int) -> CountSums:
        """Nothing seen yet."""
        return cls(*(np.zeros((n_groups, width)) for _ in range(3)))

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> CountSums:
        """Add up rows (b, d) of counts, dense or sparse; NaN is missing."""
        n, total, _ = sums_of_known(rows, groups)
        return cls(n, total, sums_of_known(log_factorial(rows), groups)[1])

    def exceeds(self, whole: Self) -> NDArray[np.bool_]:
        """For each column whether more rows, or a larger total, was seen here than in the whole."""
        return _more_counts(self, whole)


def _more_counts(part: Sums | CountSums, whole: Sums | CountSums) -> NDArray[np.bool_]:
    return np.asarray((exceeds(part.n, whole.n) | exceeds(part.total, whole.total)).any(axis=0))


def sums_of_known(rows: Rows, groups: Groups) -> tuple[Floats, Floats, bool]:
    """Per group and column: the weight of the known cells, and their total; and whether some are missing."""
    total = groups.sum(rows)
    n = np.broadcast_to(groups.total[:, None], total.shape)
    if not np.isnan(total).any():
        return n.copy(), total, False
    if isinstance(rows, np.ndarray):
        known = ~np.isnan(rows)
        return groups.sum(known.astype(np.float64)), groups.sum(np.where(known, rows, 0.0)), True
    missing, present = split_missing(rows)
    # Summed in the same order as the missing cells, so that a column with no known cell has n = 0.
    made: Any = type(rows)
    whole = groups.sum(made(np.ones((len(groups), 1))))
    return whole - groups.sum(missing), groups.sum(present), True


def split_missing(rows: SparseRows) -> tuple[SparseRows, SparseRows]:
    """A sparse block as 1 where a cell is NaN, and as the block with 0 there."""
    missing, present = rows.astype(np.float64), rows.astype(np.float64)
    missing.data = np.isnan(missing.data).astype(np.float64)
    present.data = np.where(np.isnan(present.data), 0.0, present.data)
    return missing, present


def log_factorial(rows: Rows | float) -> Any:
    """The log of x! of every cell, dense or sparse; NaN stays."""
    if not isinstance(rows, np.ndarray | np.generic | float | int):
        logs = rows.astype(np.float64)
        logs.data = log_factorial(logs.data)
        return logs
    rows = np.asarray(rows, np.float64)
    # Counts are small as a rule: a table of the first few thousand is 10x faster than the gamma function.
    highest = np.fmax.reduce(rows, axis=None, initial=0.0)
    if highest < len(_SMALL):
        known = rows if rows.max(initial=0.0) == highest else np.nan_to_num(rows, nan=-1.0)
        return _SMALL_AND_NAN.take(known.astype(np.intp))
    from scipy.special import gammaln

    return gammaln(rows + 1.0)


_SMALL = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, 4096.0)))])
_SMALL_AND_NAN = np.append(_SMALL, np.nan)  # index -1, a missing count, finds NaN
