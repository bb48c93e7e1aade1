"""The engine for tables larger than memory, and the source that yields the batches of a file or query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from likely.engine.memory import Answers, Chunk, Engine, MapTask, Memory, ReduceTask, RowSource, add_up
from likely.errors import LikelyError
from likely.table.batch.batches import ROWS, batches
from likely.table.frame import Frame
from likely.table.schema import Schema

D = TypeVar("D")
T = TypeVar("T")


@dataclass(frozen=True)
class FileSource(Generic[D]):
    """The rows of a file, or of a query of a database, a batch at a time; see `table.batch.batches`."""

    path: str | Path
    schema: Schema  # of the columns to be read: those of the model and, to learn, its target
    read: Callable[[Frame], D]  # a batch -> what the task reads; picklable
    rows: int = ROWS  # at a time
    query: str | None = None
    missing: str | float | Iterable[str | float] = ()

    def chunks(self) -> Iterator[Chunk[D]]:
        """The batches, in order."""
        for batch in batches(self.path, self.schema, rows=self.rows, query=self.query, missing=self.missing):
            frame = Frame.of(batch.table)
            yield Chunk(self.read(frame), frame.n, frame.width)


@dataclass(frozen=True, slots=True)
class Stream:
    """One chunk after another, each by the engine for what is in memory; no two are held at once."""

    of_chunk: Engine = field(default_factory=Memory)

    def reduce(self, source: RowSource[D], task: ReduceTask[D, T]) -> T:
        """The sum of a task's steps over all rows of all chunks."""
        total = add_up(self.of_chunk.reduce(chunk, task) for chunk in source.chunks())
        if total is None:
            raise LikelyError("the source has no rows, and no columns: give a table.")
        return total

    def map(self, source: RowSource[D], task: MapTask[D]) -> Answers:
        """The answers for all rows; where they do not fit in memory, take them from `each`."""
        parts = zip(task.answers(0), *self.each(source, task), strict=True)
        return tuple(np.concatenate(arrays) for arrays in parts)

    def each(self, source: RowSource[D], task: MapTask[D]) -> Iterator[Answers]:
        """The answers for the rows of one chunk after another."""
        for chunk in source.chunks():
            yield self.of_chunk.map(chunk, task)
