"""A column counted: all that warnings and statistics are drawn from, dropped once they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.report.profile.association import Association
from likely.report.profile.inspect import Inspected
from likely.report.profile.value_counts import ValueCounts
from likely.stats import Counts, Groups
from likely.stats.groups import Ints
from likely.table.column.column import Column


@dataclass(frozen=True, slots=True)
class ColumnCounts:
    """A column and how often its values occur: its different numbers, or its levels.

    >>> from likely.report.profile.inspect import inspect_column
    >>> from likely.table.column.as_raw import as_raw
    >>> counted = ColumnCounts.of(inspect_column(as_raw("sex", ["m", None, "m"])))
    >>> counted.known, counted.missing, counted.distinct, counted.level_counts
    (2, 1, 1, array([2]))
    """

    inspected: Inspected
    missing: int
    distinct: int
    numbers: ValueCounts | None = None
    level_counts: Ints | None = None  # (k,)
    association: Association | None = None

    @classmethod
    def of(cls, inspected: Inspected) -> ColumnCounts:
        """Count the values of a column."""
        if inspected.numbers is not None:
            zeros = 0 if inspected.rows is None else inspected.n - len(inspected.numbers)
            numbers = ValueCounts.of(inspected.numbers, zeros)
            return cls(inspected, numbers.missing, len(numbers.values), numbers)
        assert inspected.codes is not None
        levels = (len(inspected.levels),)
        counts = Counts.collect(inspected.codes[:, None], Groups.one(inspected.n), levels)
        of_levels = counts.table[0].astype(np.intp)
        distinct = int(np.count_nonzero(of_levels))
        return cls(inspected, inspected.n - int(of_levels.sum()), distinct, level_counts=of_levels)

    @property
    def column(self) -> Column:
        """The column and its kind."""
        return self.inspected.column

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def levels(self) -> Sequence[Any]:
        """What the codes of a column of levels stand for."""
        return self.inspected.levels

    @property
    def n(self) -> int:
        """How many rows there are."""
        return self.inspected.n

    @property
    def known(self) -> int:
        """In how many rows the column is known."""
        return self.n - self.missing

    @property
    def highest(self) -> int:
        """How often the most frequent value occurs."""
        counts = self.level_counts if self.numbers is None else self.numbers.counts
        return 0 if counts is None else int(counts.max(initial=0))
