"""`likely.scan`: a table larger than memory, as files here or on a cluster, to be learnt from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from likely.engine.memory import Answers, Chunk, Engine, MapTask, Memory, ReduceTask, RowSource, add_up
from likely.engine.query.sums import HEAD
from likely.engine.scan.digest import DigestColumns, TableDigest
from likely.engine.scan.executors import Executor, LocalExecutor, executor
from likely.engine.scan.parts import (
    LazyPart,
    RowGroup,
    SpooledParts,
    SpooledReader,
    TablePart,
    parts_of,
    without_gaps_in_order,
)
from likely.engine.stream import Stream
from likely.errors import LikelyError
from likely.table.frame import Frame, is_lazy
from likely.table.lazy.database import database_table, is_address
from likely.table.lazy.table import LazyTable
from likely.table.read.duck import parquet_relation
from likely.table.schema import Schema

D = TypeVar("D")
T = TypeVar("T")

MOST_PARTS = 1000  # that tasks are made of: more would cost more than they share out


@dataclass(frozen=True)
class Scan:
    """A table of which some rows at a time are in memory; give it to `fit` in the place of a table.

    >>> from likely.table.write.write import write
    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write({"x": [1.0, 2.0, 4.0], "y": ["a", "b", "b"]}, os.path.join(folder, "part-1.csv"))
    ...     lake = scan(os.path.join(folder, "part-*.csv"))
    ...     print(lake.names, lake.n)
    ('x', 'y') 3
    """

    parts: tuple[TablePart, ...]
    executor: Executor = field(default_factory=LocalExecutor)
    dropped: tuple[str, ...] = ()  # columns that are left out
    kept: Any = None  # what holds the files of the parts, if these are temporary

    @property
    def refused(self) -> str:
        """What is said where a table in memory is needed."""
        return (
            "a scan is read some rows at a time, and this needs them all at once: give a table in memory, as "
            "likely.read gives of a file. Naive Bayes, Gaussian classifiers, linear and logistic regression, "
            "mixtures, hidden Markov models (by groups=) and networks learn from scans."
        )

    @classmethod
    def of(cls, table: object) -> Scan:
        """A table that is not in memory: a scan already, a lazy frame, or a reader of Arrow batches."""
        if isinstance(table, Scan):
            return table
        if is_reader(table):
            spool = SpooledReader(table)
            return cls(spool.parts, kept=spool)
        return cls((LazyPart(LazyTable.of(table)),))

    @cached_property
    def first(self) -> Frame:
        """Some rows, which show the names and types of the columns."""
        part = self.parts[0]
        # An engine that is asked for all rows makes many of them, though a few are taken.
        some = part.table.head(HEAD) if isinstance(part, LazyPart) else next(iter(part.frames(None)))
        return self._without(some)

    @property
    def _without(self) -> WithoutColumns:
        return WithoutColumns(self.dropped)

    def drop(self, *names: str) -> Scan:
        """The table without some of its columns."""
        for name in names:
            if name not in self.names:
                raise LikelyError(f"the table has no column {name!r} to leave out: it has {self.names!r}.")
        less = replace(self, dropped=(*self.dropped, *names))
        part = self.parts[0]
        if not isinstance(part, LazyPart):
            return less
        return replace(less, parts=(LazyPart(less._lazily(part.table)),))  # an engine reads no more than that

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.first.names)

    @cached_property
    def n(self) -> int:
        """How many rows there are; it takes a pass over the table."""
        return self.digest(()).n

    @property
    def library(self) -> str:
        """What tables that are made of it come back in."""
        return self.first.library

    def spooled(self) -> Scan:
        """The table as it is best read many times: once into a file of ours, as Arrow has it in memory.

        An engine is not asked again then, and what it keeps for its work is not beside what we need; Parquet
        is not unpacked again. Where there is no room for the file, the table stays as it is.
        """
        parts = [
            part for part in self.parts if isinstance(part, RowGroup | LazyPart) and part.hands_out_arrow
        ]
        if not self.executor.here or len(parts) < len(self.parts):
            return self
        try:
            spool = SpooledParts(parts, list(self.names))
        except OSError:
            return self
        return replace(self, parts=spool.parts, kept=(self.kept, spool))

    def as_lazy(self) -> LazyTable | None:
        """The table as one that takes queries: it is one, or Parquet files here; None if it cannot be."""
        if len(self.parts) == 1 and isinstance(self.parts[0], LazyPart):
            return self._lazily(self.parts[0].table)
        files = dict.fromkeys(part.path for part in self.parts if isinstance(part, RowGroup))
        if not self.executor.here or not all(isinstance(part, RowGroup) for part in self.parts):
            return None
        return self._lazily(LazyTable.of(parquet_relation(list(files))))

    def _lazily(self, table: LazyTable) -> LazyTable:
        return (
            table.only([name for name in table.names if name not in self.dropped]) if self.dropped else table
        )

    def digest(self, coded: Collection[str]) -> TableDigest:
        """What there is to know of each column to learn a schema; `coded` are numbers that are levels."""
        source = ScanSource(self.parts, None, self._without)
        return self.engine().reduce(source, DigestColumns(tuple(sorted(coded))))

    def source(self, schema: Schema, read: Callable[[Frame], D]) -> ScanSource[D]:
        """The rows, as a task reads them."""
        return ScanSource(self.parts, schema, read)

    def sample(self, rows: int, n: int, schema: Schema) -> Frame:
        """About so many of the n rows, each with the same chance; the same ones if it is asked again."""
        share = min(1.0, rows / max(n, 1))
        work = partial(_some_rows, schema=schema, share=share)
        columns: dict[str, list[Any]] = {name: [] for name in schema.names}
        for some in self.executor.run(work, list(enumerate(self.parts))):
            for name, cells in some.items():
                columns[name] += cells
        return Frame.of(columns)

    def engine(self, of_chunk: Engine | None = None) -> PartsEngine:
        """Where the work on the rows runs; a part's blocks by the engine for what is in memory."""
        return PartsEngine(self.executor, of_chunk or Memory())


def scan(
    source: Any, *, engine: str | Executor = "local", address: str | None = None, query: str | None = None
) -> Scan:
    """A table larger than memory, for the `fit` of a model: files, a lazy frame, or Arrow batches.

    Parameters
    ----------
    source : path, pattern, list of paths, lazy frame or reader
        Files as "lake/*.parquet", a folder of Parquet files, CSV, JSON, Arrow or a database file; or a
        DuckDB relation, a Polars LazyFrame, a frame of Dask, Spark or Ibis; or a `pyarrow.RecordBatchReader`,
        which is spooled to a temporary file, since it comes only once; or the address of a database server
        and a table of it, "postgresql://host/shop#orders", which Ibis reaches if it is installed.
    engine : "local", "dask", "spark" or "ray"
        Who reads the parts of files: this process, or the workers of a cluster, which must see the files
        under the same names.
    address : str, optional
        Of the cluster: a Dask scheduler ("tcp://..."), a Spark master, a Ray address. Without it, the client
        or session of this process is used, or a small cluster is started on this machine.
    query : str, optional
        Of a DuckDB or SQLite file.

    Returns
    -------
    Scan
        To be given to `fit` in the place of a table.
    """
    runs = executor(engine, address)
    if is_address(source):
        if query is not None:
            raise LikelyError("query= is of files: make a view of it in the database, and name that.")
        source = database_table(source)
    if is_lazy(source) or is_reader(source) or isinstance(source, Scan):
        if not runs.here:
            raise LikelyError(
                f"engine={engine!r} reads files: name them, as 'lake/*.parquet'. A lazy table is read by the "
                "engine that holds it."
            )
        return Scan.of(source)
    if not isinstance(source, str | Path | Sequence):
        raise LikelyError(
            f"scan: {type(source).__name__} is no file and no lazy table: give a path or pattern."
        )
    return Scan(without_gaps_in_order(parts_of(source, query), MOST_PARTS), runs)


def is_reader(table: object) -> bool:
    """Whether a table comes as Arrow batches, once."""
    return type(table).__name__ == "RecordBatchReader"


@dataclass(frozen=True)
class WithoutColumns:
    """A block as it is, but for columns that are left out."""

    names: tuple[str, ...] = ()

    def __call__(self, frame: Frame) -> Frame:
        """What tasks over frames read."""
        return frame.only([name for name in frame.names if name not in self.names]) if self.names else frame


@dataclass(frozen=True)
class ScanSource(Generic[D]):
    """The rows of parts, as a task reads them."""

    parts: tuple[TablePart, ...]
    schema: Schema | None  # of the columns to be read
    read: Callable[[Frame], D]  # a block -> what the task reads; picklable
    whole: bool = False  # whether a task reads a block at once, as one row

    def chunks(self) -> Iterator[Chunk[D]]:
        """The blocks of one part after another."""
        for part in self.parts:
            for frame in part.frames(self.schema):
                yield Chunk(self.read(frame), 1 if self.whole else frame.n, frame.width)


@dataclass(frozen=True, slots=True)
class PartsEngine:
    """Sums over parts, by whoever runs them; added in the order of the parts, so by any number of workers."""

    executor: Executor
    of_chunk: Engine

    def reduce(self, source: RowSource[D], task: ReduceTask[D, T]) -> T:
        """The sum of a task's steps over all rows of all parts."""
        if not isinstance(source, ScanSource):
            return Stream(self.of_chunk).reduce(source, task)
        work = partial(_reduced, source=replace(source, parts=()), task=task, engine=self.of_chunk)
        total: T | None = add_up(self.executor.run(work, source.parts))
        if total is None:
            raise LikelyError("the source has no rows, and no columns: give a table.")
        return total

    def map(self, source: RowSource[D], task: MapTask[D]) -> Answers:
        """The answers for all rows."""
        return Stream(self.of_chunk).map(source, task)


def _reduced(part: TablePart, source: ScanSource[Any], task: Any, engine: Engine) -> Any:
    return Stream(engine).reduce(replace(source, parts=(part,)), task)


def _some_rows(numbered: tuple[int, TablePart], schema: Schema, share: float) -> dict[str, list[Any]]:
    """Some of the rows of a part, as plain values: chance depends on the number of the part alone."""
    number, part = numbered
    rng = np.random.default_rng((0, number))
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    for frame in part.frames(schema):
        chosen = np.flatnonzero(rng.random(frame.n) < share)
        for name in schema.names:
            raw = frame.raw(name)
            columns[name] += replace(raw, values=raw.values[chosen]).items()
    return columns
