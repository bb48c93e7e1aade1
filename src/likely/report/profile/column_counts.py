"""A column counted: all that warnings and statistics are drawn from, dropped once they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.report.profile.association import Association
from likely.report.profile.inspect import Looked
from likely.report.profile.value_counts import Tally
from likely.stats.groups import Ints


@dataclass(frozen=True, slots=True)
class Seen:
    """A column and how often its values occur: numbers in a tally, levels in counts.

    >>> from likely.report.profile.inspect import look
    >>> from likely.table.column.raw import Raw
    >>> seen = Seen.of(look(Raw.of("sex", ["m", None, "m"])))
    >>> seen.known, seen.missing, seen.distinct, seen.counts
    (2, 1, 1, array([2]))
    """

    looked: Looked
    missing: int
    distinct: int
    tally: Tally | None = None
    counts: Ints | None = None  # (k,) of the levels
    association: Association | None = None

    @classmethod
    def of(cls, looked: Looked) -> Seen:
        """Count the values of a column."""
        if looked.numbers is not None:
            zeros = 0 if looked.rows is None else looked.n - len(looked.numbers)
            tally = Tally.of(looked.numbers, zeros)
            return cls(looked, tally.missing, len(tally.values), tally)
        assert looked.codes is not None
        counts = np.bincount(looked.codes.astype(np.intp) + 1, minlength=len(looked.levels) + 1)
        return cls(looked, int(counts[0]), int(np.count_nonzero(counts[1:])), counts=counts[1:])

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.looked.column.name

    @property
    def known(self) -> int:
        """In how many rows the column is known."""
        return self.looked.n - self.missing

    @property
    def highest(self) -> int:
        """How often the most frequent value occurs."""
        counts = self.counts if self.tally is None else self.tally.counts
        return 0 if counts is None else int(counts.max(initial=0))
