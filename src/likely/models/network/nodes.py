"""A column as a node: its levels, its table given its parents, and the part that has seen counts of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.models.parts.part import Part
from likely.stats import Groups
from likely.table.column.column import Column
from likely.table.column.kinds import Kind

Floats = NDArray[np.float64]


def levels_of(column: Column) -> tuple[Any, ...]:
    """The levels of a column, false and true if it is Boolean; none of numbers and texts."""
    if column.kind is Kind.BOOLEAN and column.levels is None:
        return (False, True)
    return () if column.words is not None else column.levels or ()


def is_discrete(column: Column) -> bool:
    """Whether a column has levels, so that it can be a parent."""
    return column.words is None and (column.kind is Kind.BOOLEAN or column.kind.coded)


def table_of(part: Part) -> Floats:
    """P(level given the parents' levels), (q, k)."""
    table = part.level_table(0)
    assert table is not None
    return table[1]


def with_counts(part: Part, counts: Floats) -> Part:
    """A part of levels that has seen each of them so often in every group, (q, k)."""
    k = counts.shape[1]
    return part.with_statistic(
        part.family.collect(np.arange(k)[:, None], Groups.softly(counts.T), part.sizes)
    )
