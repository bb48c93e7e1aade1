"""What models ask of a table that is not in memory: a schema, samples of rows, and sums over all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from likely.engine.memory import Engine, ReduceTask
from likely.engine.scan.asked_levels import AskedLevels
from likely.engine.scan.digest import TableDigest
from likely.engine.scan.scan import Scan
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.words import Words
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

D = TypeVar("D")
T = TypeVar("T")


@dataclass(frozen=True)
class LargeTable:
    """A table that is read block by block, as many times as a model has to."""

    scan: Scan
    digest: TableDigest
    engine: Engine  # for the blocks of a part
    target: str | None = None
    asked: AskedLevels | None = None  # the columns of levels, if the engine that holds them has counted them

    @classmethod
    def of(
        cls,
        table: object,
        kinds: Kinds,
        engine: Engine,
        target: str | None = None,
        levels: bool = True,
        ask: bool = False,
    ) -> LargeTable:
        """Look through a table once, for what its columns are; `levels` if the target is one of classes.

        With `ask` columns of levels are counted by queries, where an engine holds the table that takes them.
        """
        scan = Scan.of(table)
        declared = declared_by_name([name for name in scan.names if name != target], kinds, "kinds")
        coded = {name for name, word in declared.items() if is_coded(name, word)}
        texts = {name for name, word in declared.items() if is_text(word)}
        asked = AskedLevels.of(scan, target if levels else None, coded, texts) if ask else None
        if target is not None and levels:
            coded.add(target)
        if asked is None:
            return cls(scan, scan.digest(coded), engine, target)
        known = [*asked.counts, *([target] if target is not None and levels else [])]
        rest = None if set(known) >= set(scan.names) else scan.drop(*known).digest(coded)
        return cls(scan, asked.digest(rest, scan.names), engine, target, asked)

    @property
    def n(self) -> int:
        """How many rows there are."""
        return self.digest.n

    @cached_property
    def frame(self) -> Frame:
        """What there is to learn a schema from, without the target; of no rows."""
        return self.digest.frame(self.scan.library, leave_out=self.target)

    def reduce(self, schema: Schema, read: Callable[[Frame], D], task: ReduceTask[D, T]) -> T:
        """The sum of a task's steps over all rows: one pass over the columns of the schema."""
        return self.scan.engine(self.engine).reduce(self.scan.source(schema, read), task)

    def sample(self, rows: int, schema: Schema) -> Frame:
        """About so many rows, taken by chance."""
        return self.scan.sample(rows, self.n, schema)


def with_target(schema: Schema, target: Column) -> Schema:
    """The columns of a table, and its target after them."""
    return Schema((*schema.columns, target), True, schema.library)


def is_text(word: object) -> bool:
    """Whether a column is declared to be texts of words."""
    return isinstance(word, Words) or str(word) == Kind.TEXT


def is_coded(name: str, word: object) -> bool:
    """Whether a column is declared to be levels, whatever it is made of."""
    return word is not None and (not isinstance(word, str) or Kind.of(word, name).coded)
