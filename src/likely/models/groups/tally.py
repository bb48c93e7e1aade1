"""What was seen of rows in groups: the weight of each group, and what every part of the columns has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.estimator.target import class_codes
from likely.models.parts.part import Part
from likely.stats import Groups
from likely.stats.groups import Statistic, take_out
from likely.table.block import Block
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


@dataclass(frozen=True, slots=True)
class GroupedRows:
    """The columns that each part reads, and the groups of the rows."""

    blocks: tuple[Block, ...]
    groups: Groups


@dataclass(frozen=True, slots=True)
class CountInGroups(ReduceTask[GroupedRows, GroupTally]):
    """What parts see of rows in groups: all that a model with closed-form estimates learns."""

    parts: tuple[Part, ...]

    def step(self, data: GroupedRows, start: int, stop: int) -> GroupTally:
        """Of some rows."""
        groups = data.groups.rows(start, stop)
        pairs = zip(self.parts, data.blocks, strict=True)
        return GroupTally(
            groups.total, tuple(part.collect(block, groups, start, stop) for part, block in pairs)
        )


@dataclass(frozen=True, slots=True)
class ReadGrouped:
    """The rows of a batch of a file, in the groups that its target column names."""

    parts: tuple[Part, ...]
    target: Column

    def __call__(self, frame: Frame) -> GroupedRows:
        """What `CountInGroups` reads of a table that has the target among its columns."""
        codes = class_codes(self.target, frame.raw(self.target.name))
        rows = frame.without(self.target.name)
        return GroupedRows(
            tuple(part.block(rows) for part in self.parts), Groups.hard(codes, len(self.target.known))
        )


def tally_rows(parts: tuple[Part, ...], frame: Frame, groups: Groups, engine: Engine) -> GroupTally:
    """Count a table in groups."""
    rows = GroupedRows(tuple(part.block(frame) for part in parts), groups)
    return engine.reduce(Chunk(rows, frame.n, frame.width), CountInGroups(parts))
