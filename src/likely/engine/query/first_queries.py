"""What is asked of a lazy table first: the classes, every level with its count, ends and sums of numbers.

One query for all numbers, and one for each column of levels, over the rows of each class: at once what the
schema is learnt from and, for normal families and levels, all that is to be counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.engine.query.described import described
from likely.engine.query.levels import LevelCounts, level_queries, read_levels
from likely.engine.query.sums import (
    HEAD,
    NumberSums,
    floats,
    in_groups,
    infinite_cells,
    read_sums,
    sums_query,
)
from likely.errors import LikelyError
from likely.stats.moments import Moments
from likely.table.column.block import LIMIT
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.lazy.table import LazyTable

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class FirstLook:
    """What the first queries told of a table whose rows are in the classes of a target, or in one group."""

    table: LazyTable  # with the target
    target: str | None
    head: Frame
    names: tuple[str, ...]  # of the columns of numbers
    centre: Floats  # (d,) that their sums are around
    sums: NumberSums
    levels: Mapping[str, LevelCounts]
    filled: Mapping[str, float]  # cells of columns of floats that hold anything, NaN and infinity among them

    @classmethod
    def at(cls, table: LazyTable, target: str | None, coded: Collection[str]) -> FirstLook:
        """Ask; `coded` are columns of numbers that are to be levels."""
        head = table.head(HEAD)
        names = tuple(name for name in table.names if name != target and _is_number(table, name, coded))
        levels = [name for name in table.names if name not in names and name != target]
        asked = level_queries(table, target, levels, head)
        centre = np.array([rough_centre(head.raw(name)) for name in names])
        reals = [name for name in names if table.types[name].is_float()]
        numbers = sums_query(table, target, [table.known(name) for name in names], centre, reals)
        first, *rest = table.answers([numbers, *asked])
        counts = read_levels(levels, rest)
        filled = {name: float(floats(first, f"r{j}").sum()) for j, name in enumerate(reals)}
        look = cls(table, target, head, names, centre, read_sums(first, len(names)), counts, filled)
        look.refuse_extremes()
        return look

    @property
    def n(self) -> int:
        """How many rows there are."""
        return int(self.sums.rows.sum())

    def refuse_extremes(self) -> None:
        """Refuse numbers that no model can use, by their column."""
        for j, name in enumerate(self.names):
            ends = np.abs(np.array([self.sums.low[:, j], self.sums.high[:, j]]))
            if np.nanmax(np.append(ends, 0.0)) > LIMIT:
                value = float(np.nanmax(ends))
                raise LikelyError(
                    f"Input X contains {value:g}, a value too large for dtype('float64') squared: column "
                    f"{name!r}. Correct it, mark it as missing, or rescale the column to stay within "
                    f"{LIMIT:g}."
                )
        known = dict(zip(self.names, self.sums.n.sum(axis=0), strict=True))
        unlike = [name for name, filled in self.filled.items() if filled > known[name]]  # NaN, or infinite
        for name, count in infinite_cells(self.table, unlike).items():
            if count:
                raise LikelyError(
                    f"Input X contains infinity: column {name!r}, in {count} rows. Correct it, mark it as "
                    f"missing, or rescale the column to stay within {LIMIT:g}."
                )

    @cached_property
    def frame(self) -> Frame:
        """What the schema is learnt from."""
        return described(self.table, self.head, self.names, self.sums, self.levels)

    def moments(self, codes: Callable[[Raw], Ints], g: int) -> tuple[Moments, NDArray[np.bool_]]:
        """Of all columns of numbers in g groups, and where digits were lost."""
        n, total, squares = in_groups(codes(self.sums.group), g, self.sums)
        return Moments.of_sums(self.centre, total, squares, n)


def _is_number(table: LazyTable, name: str, coded: Collection[str]) -> bool:
    return table.types[name].is_numeric() and name not in coded


def rough_centre(raw: Raw) -> float:
    """Near the mean, and in a constant column its value to the last bit; 0 if nothing is known."""
    values = np.asarray(raw.numbers(), np.float64)
    values = values[np.isfinite(values)]
    if not len(values) or np.abs(values).max() > LIMIT:
        return 0.0
    return float(values[0] + (values - values[0]).mean())
