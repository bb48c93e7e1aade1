"""Columns of levels, read as codes: -1 where missing, -2 where the level was never seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import Variable
from likely.estimator.record import Quantities
from likely.evidence import Status
from likely.models.parts.cells import CellsPart, dense
from likely.models.parts.part import Bools, Floats, Part, level_names
from likely.stats import Statistic
from likely.table.block import Block
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema
from likely.table.sparse import Rows

MOST_LEVELS = 50  # of a column that are told apart as axes of a space


class LevelsPart(CellsPart):
    """A family that counts levels, and what was seen of them."""

    reads: ClassVar[str] = "codes of levels"
    coded: ClassVar[bool] = True

    def block(self, frame: Frame) -> Block:
        """The columns as a block of codes."""
        return self.schema.codes(frame, self.columns)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of levels of each column."""
        return tuple(len(self.schema.columns[j].levels or ()) for j in self.columns)

    @property
    def _levels(self) -> list[tuple[Any, ...] | None]:
        return [self.schema.columns[j].levels for j in self.columns]

    def gaps(self, cells: NDArray[Any]) -> Bools:
        """Which cells are missing."""
        return np.asarray(cells == -1)

    def status(self, rows: Rows) -> NDArray[np.int8] | None:
        """Whether each cell is known, missing or of a level never seen, (b, d)."""
        codes = {-1: Status.MISSING, -2: Status.UNSEEN}
        statuses = np.select([rows == code for code in codes], list(codes.values()), Status.KNOWN)
        return np.asarray(statuses, np.int8)

    def empty(self, n: int = 1) -> NDArray[Any]:
        """Rows in which nothing is known, (n, d)."""
        return np.full((n, len(self.columns)), -1, np.intp)

    def relevel(self, schema: Schema) -> Self:
        """The part under a schema that has more levels."""
        part: Self = releveled(self, schema)
        return part

    def narrowed(self) -> tuple[Statistic, Mapping[int, Column]]:
        """Without the levels of which nothing is left, unless they were listed; and the columns then."""
        return without_empty_levels(self)

    def never_seen(self) -> list[int]:
        """The columns of which no level was seen."""
        places = range(len(self.columns))
        return [self.columns[place] for place in places if not self.statistic.column(place).any()]

    def variable(self, column: Column, gaps: bool) -> Variable:
        """A column of levels that can be asked for."""
        return Variable.of_levels(column)

    def counts(self, place: int) -> Quantities:
        """How often each level was seen."""
        named = [("count of", level) for level in self.column(place).levels or ()]
        return Quantities(named, self.statistic.column(place))

    def parameters(self, place: int) -> Quantities:
        """The probability of each level."""
        named = [("P of", level) for level in self.column(place).levels or ()]
        return Quantities(named, self._probs(place))

    def _probs(self, place: int) -> Floats:
        start = sum(self.sizes[:place])
        return np.asarray(self.distribution.probs[:, start : start + self.sizes[place]])

    def level_table(self, place: int) -> tuple[list[str], Floats] | None:
        """The levels by name, and P(level given group), (g, k)."""
        return level_names(self.column(place)), self._probs(place)

    def describe(self, group: int, place: int) -> str:
        """The distribution of a column in one group, in words."""
        return str(self.distribution.describe(group, place, level_names(self.column(place))))

    def axes(self) -> Floats:
        """One axis a level: of two levels they say the same, so that together they are worth one column."""
        return np.full(sum(min(k, MOST_LEVELS) for k in self.sizes), 1 / np.sqrt(2))

    def points(self, rows: Rows) -> Floats:
        """1 on the axis of the cell's level, 0 on the others of its column."""
        cells = dense(rows)
        out, start = np.empty((len(cells), len(self.axes()))), 0
        for j, k in enumerate(self.sizes):
            size, codes = min(k, MOST_LEVELS), cells[:, [j]]
            out[:, start : start + size] = np.where(codes < 0, np.nan, codes == np.arange(size))
            start += size
        return out


def releveled(part: Part, schema: Schema) -> Any:
    """A part that counts levels, or words, under a schema that has more of them."""
    if part.schema.columns == schema.columns:
        return replace(part, schema=schema)
    places = []
    for j in part.columns:
        at = {level: i for i, level in enumerate(schema.columns[j].levels or ())}
        places.append(np.array([at[level] for level in part.schema.columns[j].levels or ()], np.intp))
    sizes = [len(schema.columns[j].levels or ()) for j in part.columns]
    return replace(part, schema=schema, statistic=part.statistic.relevel(places, sizes))


def without_empty_levels(part: Part) -> tuple[Statistic, Mapping[int, Column]]:
    """A statistic of levels, or words, without those of which nothing is left; and the columns then."""
    places, columns = [], {}
    for j, total in zip(part.columns, part.statistic.level_totals(), strict=True):
        column = part.schema.columns[j]
        stays = [level is None or column.listed for level in column.levels or ()]
        keep = np.flatnonzero((total > 0) | np.array(stays, bool))
        places.append(keep)
        columns[j] = replace(column, levels=tuple((column.levels or ())[i] for i in keep))
    return part.statistic.only_levels(places), columns
