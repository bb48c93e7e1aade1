"""What transformers count of a table that is not in memory: levels by queries, the rest by blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from likely.engine import Memory, ReduceTask
from likely.engine.scan.large import LargeTable, with_target
from likely.engine.scan.scan import Scan
from likely.estimator.fitted import class_codes, refuse_no_column, refuse_no_rows, refuse_not_in_memory
from likely.features.counted import Counted, class_groups, column_cells, is_levels
from likely.stats import Groups
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.column.kinds import Type
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.schema import Schema


@dataclass(frozen=True, slots=True)
class ColumnRows:
    """Some rows: of each column its numbers or its codes, and the class of each row."""

    cells: tuple[Any, ...]
    groups: Groups


@dataclass(frozen=True, slots=True)
class ReadColumns:
    """A block of a table, as it is counted."""

    schema: Schema
    target: Column | None

    def __call__(self, frame: Frame) -> ColumnRows:
        """What `CountColumns` reads."""
        raw = None if self.target is None else frame.raw(self.target.name)
        groups = class_groups(self.target, raw, frame.n, None)
        rows = frame.only(list(self.schema.names))
        cells = (column_cells(self.schema, rows, j) for j in range(len(self.schema.columns)))
        # Numbers are read into one place, column after column: they are to be held side by side.
        return ColumnRows(tuple(None if one is None else one.copy() for one in cells), groups)


@dataclass(frozen=True, slots=True)
class CountColumns(ReduceTask[ColumnRows, Counted]):
    """How much of each class lies at each number and each level."""

    schema: Schema
    target: Column | None
    spread: bool

    def step(self, data: ColumnRows, start: int, stop: int) -> Counted:
        """Of some rows."""
        some = [slice(start, stop)]
        return Counted.of_cells(self.schema, self.target, data.cells, data.groups, some, self.spread)[0]


@dataclass(frozen=True, slots=True)
class LargeRows:
    """A table that is not in memory, and the name of its target."""

    table: LargeTable
    raw: Raw | None  # the target, as far as its classes can be told

    @classmethod
    def of(cls, X: object, y: object, kinds: Kinds, who: str, weight: object, supervised: bool) -> LargeRows:
        """Look through the table once; who does not need classes takes no target of fractions."""
        if y is None and not supervised:
            refuse_not_in_memory("", weight, who)
            return cls(LargeTable.of(X, kinds, Memory(), ask=True), None)
        refuse_not_in_memory(y, weight, who)
        scan, y = Scan.of(X), str(y)
        refuse_no_column(y, scan.names)
        classes = supervised or scan.first.raw(y).type is not Type.FLOAT
        table = LargeTable.of(scan, kinds, Memory(), y, classes, ask=True)
        return cls(table, table.digest.raw(y) if classes else None)

    def counted(
        self, frame: Frame, kinds: Kinds, target: Callable[[Raw | None], Column | None], spread: bool
    ) -> Counted:
        """Count all rows; `frame` is what tells of the columns, in the order that is wanted."""
        refuse_no_rows(self.table.n, len(frame.names))
        schema, classes = Schema.learn(frame, kinds), target(self.raw)
        by_queries = {} if self.table.asked is None else self.table.asked.counts
        asked = [column for column in schema.columns if column.name in by_queries and is_levels(column)]
        rest = replace(schema, columns=tuple(column for column in schema.columns if column not in asked))
        if not asked:
            return self._read(schema, classes, spread)
        parts = [self._asked(replace(schema, columns=(column,)), classes) for column in asked]
        if rest.columns:
            parts.append(self._read(rest, classes, spread))
        return Counted.beside(schema, parts)

    def _read(self, schema: Schema, target: Column | None, spread: bool) -> Counted:
        """Block by block."""
        read = schema if target is None else with_target(schema, target)
        return self.table.reduce(read, ReadColumns(schema, target), CountColumns(schema, target, spread))

    def _asked(self, schema: Schema, target: Column | None) -> Counted:
        """A column of levels, as it was counted by a query: a row of weight for each level of each class."""
        assert self.table.asked is not None
        frame, groups = self.table.asked.lines(schema.columns[0].name, target, class_codes)
        return Counted.of(schema, target, frame, groups)
