"""What was seen of rows in groups: the weight of each group, and what every part of the columns has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likely.engine import reduce_rows
from likely.models.parts.part import Part
from likely.stats import Groups
from likely.stats.statistic import Statistic, take_out
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class GroupTally:
    """Tallies of rows add up to the tally of all of them: their laws are those of the statistics."""

    groups: Floats  # (g,)
    parts: tuple[Part, ...]

    def __add__(self, other: GroupTally) -> GroupTally:
        parts = tuple(mine + theirs for mine, theirs in self.beside(other))
        return GroupTally(self.groups + other.groups, parts)

    def __sub__(self, other: GroupTally) -> GroupTally:
        parts = tuple(mine - theirs for mine, theirs in self.beside(other))
        return GroupTally(take_out(self.groups, other.groups), parts)

    def __mul__(self, factor: float) -> GroupTally:
        return GroupTally(self.groups * factor, tuple(part * factor for part in self.parts))

    def beside(self, other: GroupTally) -> Iterator[tuple[Part, Part]]:
        """The same parts of two tallies."""
        return zip(self.parts, other.parts, strict=True)

    def _each(self, change: Callable[[Statistic], Statistic]) -> tuple[Part, ...]:
        return tuple(part.with_statistic(change(part.statistic)) for part in self.parts)

    def settled(self) -> GroupTally:
        """With the statistics in their final form, when all blocks have been added."""
        return GroupTally(self.groups, self._each(lambda statistic: statistic.settled()))

    def regroup(self, index: Ints, n_groups: int) -> GroupTally:
        """Move group i to place index[i] among n_groups."""
        groups = np.zeros(n_groups)
        groups[index] = self.groups
        return GroupTally(groups, self._each(lambda statistic: statistic.regroup(index, n_groups)))

    def only(self, groups: Ints) -> GroupTally:
        """Some of the groups."""
        return GroupTally(self.groups[groups], self._each(lambda statistic: statistic.only(groups)))

    def relevel(self, schema: Schema) -> GroupTally:
        """Under a schema that has more levels."""
        return GroupTally(self.groups, tuple(part.relevel(schema) for part in self.parts))

    def without_empty_levels(self) -> GroupTally:
        """Without the levels of which nothing is left."""
        return self._with_columns([part.narrowed() for part in self.parts])

    def with_cut_words(self) -> GroupTally:
        """The vocabulary cut once, from all rows: soft counts add up to whole ones only up to rounding."""
        return self._with_columns([part.with_cut_words() for part in self.parts])

    def _with_columns(self, changes: list[tuple[Statistic, Mapping[int, Column]]]) -> GroupTally:
        """Other statistics, of columns that have other levels."""
        schema = self.parts[0].schema
        changed = {j: column for _, columns in changes for j, column in columns.items()}
        if changed:
            columns = (changed.get(j, column) for j, column in enumerate(schema.columns))
            schema = replace(schema, columns=tuple(columns))
        pairs = zip(self.parts, changes, strict=True)
        parts = (replace(part, schema=schema, statistic=statistic) for part, (statistic, _) in pairs)
        return GroupTally(self.groups, tuple(parts))


def tally_rows(parts: tuple[Part, ...], frame: Frame, groups: Groups, n_jobs: int | None) -> GroupTally:
    """Count a table in groups."""
    pairs = [(part, part.block(frame)) for part in parts]

    def step(start: int, stop: int) -> GroupTally:
        mine = groups.rows(start, stop)
        counted = tuple(part.collect(block, mine, start, stop) for part, block in pairs)
        return GroupTally(mine.total, counted)

    tally = reduce_rows(frame.n, frame.width, step, n_jobs=n_jobs)
    return step(0, 0) if tally is None else tally
