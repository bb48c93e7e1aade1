"""Rows whose class is known, and the share of each class that shows something: counted, not modelled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.estimator.fitted import class_codes
from likely.models.groups.record import GroupRecord
from likely.models.parts.part import Part
from likely.stats import Counts, Groups
from likely.table.column.as_raw import as_raw
from likely.table.column.words import Bags
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class ClassShares:
    """The rows that a model has learnt from. A share is of all rows of a class, those with gaps too."""

    record: GroupRecord
    frame: Frame
    classes: Ints  # (n,), the place of each row's class
    weight: Floats  # (n,)

    @classmethod
    def of(cls, record: GroupRecord, frame: Frame, target: object, weight: Floats | None) -> ClassShares:
        """The rows of a table, their classes and weights."""
        classes = class_codes(record.target, as_raw(record.target.name, target))
        return cls(record, frame, classes, np.ones(frame.n) if weight is None else weight)

    @cached_property
    def totals(self) -> Floats:
        """The weight of each class, (g,); 1 for a class without rows, of which there is no share."""
        total = self.groups.total
        return np.where(total > 0, total, 1.0)

    @cached_property
    def groups(self) -> Groups:
        """The class that each row belongs to."""
        return Groups.hard(self.classes, len(self.record.classes), self.weight)

    def cells(self, part: Part, column: int) -> NDArray[Any]:
        """What a part reads of a column, (n,): codes, numbers, or whether cells are missing."""
        block: Any = replace(part, columns=(column,)).block(self.frame)
        rows = block.rows(0, self.frame.n)
        return np.array((rows if isinstance(rows, np.ndarray) else rows.toarray())[:, 0])

    def shares(self, places: Ints, k: int) -> Floats:
        """The share of each class that is at each of k places, (k, g); a row at -1 is at none."""
        return Counts.collect(places[:, None], self.groups, (k,)).table.T / self.totals

    def shares_of_words(self, part: Part, kept: Ints) -> Floats:
        """The share of each class whose text holds each of some words, (words, g)."""
        from scipy.sparse import csr_array

        bags = part.block(self.frame)
        assert isinstance(bags, Bags)
        m, n, g = bags.texts.shape[0], self.frame.n, len(self.totals)
        codes = np.where(bags.codes < 0, m - 1, bags.codes).astype(np.intp)  # the last text is empty
        by_text = csr_array((self.weight, (codes, self.classes)), shape=(m, g)) if n else csr_array((m, g))
        holds = csr_array(
            (bags.texts.data > 0, bags.texts.indices, bags.texts.indptr), shape=bags.texts.shape
        )
        return np.asarray((holds.T.astype(np.float64) @ by_text).toarray()[kept] / self.totals)
