"""Parts of a table that is read some rows at a time: row groups of Parquet, other files, lazy frames.

A part of files is a few names and numbers: it can be sent to a worker, and be read again by another one.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from likely.errors import LikelyError
from likely.table.batch.batches import ROWS, batches, files_of
from likely.table.frame import Frame
from likely.table.lazy.table import LazyTable
from likely.table.read.duck import first_line
from likely.table.read.read import existing_file, format_of
from likely.table.schema import Schema

LARGE = 1 << 17  # rows of a block: 10 columns of numbers are 10 MB


class TablePart(Protocol):
    """Some of the rows of a table."""

    def frames(self, schema: Schema | None) -> Iterator[Frame]:
        """The rows, a block at a time; with the schema of the whole, its columns alone, typed alike."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Some row groups, one after another, of a Parquet file."""

    path: str
    first: int
    last: int  # not of them

    def frames(self, schema: Schema | None) -> Iterator[Frame]:
        """The rows."""
        for group in self.tables(None if schema is None else list(schema.names)):
            yield from map(Frame.of, _blocks(group))

    @property
    def hands_out_arrow(self) -> bool:
        """Whether rows can be had in Arrow batches of the same types."""
        return True

    def arrow_batches(self, names: list[str]) -> Iterator[Any]:
        """The same blocks of some columns, as PyArrow has them."""
        for group in self.tables(names):
            for block in _blocks(group):
                yield from block.combine_chunks().to_batches()

    def tables(self, names: list[str] | None) -> Iterator[Any]:
        """Some columns of each row group; what cannot be read is refused by file and row group."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        at = self.first
        try:
            with pq.ParquetFile(self.path) as file:
                if self.first == self.last:  # a file without rows still has columns
                    yield file.schema_arrow.empty_table().select(names or file.schema_arrow.names)
                for at in range(self.first, self.last):
                    group = file.read_row_group(at, columns=names, use_threads=False)
                    yield group if names is None else group.select(names)
        except (pa.ArrowException, OSError, KeyError) as error:
            raise LikelyError(
                f"{self.path}, row group {at}: cannot be read ({first_line(error)}). Write the file again, "
                "or leave it out."
            ) from error


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file of any other format, or a query of a database."""

    path: str
    query: str | None = None

    def frames(self, schema: Schema | None) -> Iterator[Frame]:
        """The rows; without a schema the types are chosen as by `likely.read`."""
        for batch in batches(self.path, schema, rows=ROWS, query=self.query):
            yield Frame.of(batch.table)


@dataclass(frozen=True, slots=True)
class LazyPart:
    """All rows of a lazy table: read here, through the engine that holds it."""

    table: LazyTable

    def frames(self, schema: Schema | None) -> Iterator[Frame]:
        """The rows, in whatever order the engine gives them."""
        table = self.table if schema is None else self.table.only(list(schema.names))
        empty = True
        for frame in table.batches(ROWS):
            empty = False
            yield frame
        if empty:
            yield table.head(0)

    @property
    def hands_out_arrow(self) -> bool:
        """Whether the engine does."""
        return self.table.hands_out_arrow

    def arrow_batches(self, names: list[str]) -> Iterator[Any]:
        """Some columns in Arrow batches, of an engine that hands these out."""
        return self.table.only(names).arrow_batches(ROWS)


def _blocks(table: Any) -> Iterator[Any]:
    """A table of PyArrow, no more than so many rows at a time; without a copy."""
    for start in range(0, max(table.num_rows, 1), LARGE):
        yield table.slice(start, LARGE)


def parts_of(source: str | Path | Sequence[str | Path], query: str | None = None) -> tuple[TablePart, ...]:
    """The parts of files, of a pattern such as "lake/*.parquet", or of a folder of Parquet files."""
    if not isinstance(source, str | Path):
        return tuple(part for one in source for part in parts_of(one, query))
    folder = Path(source).expanduser()
    if folder.is_dir():
        inside = sorted(str(path) for path in folder.rglob("*.parquet"))
        if not inside:
            raise LikelyError(
                f"the folder {folder} has no Parquet file in it: name the files, as 'folder/*.csv'."
            )
        return parts_of(inside, query)
    with files_of(source) as files:
        return tuple(part for file in files for part in _parts_of_file(file, query))


def _parts_of_file(file: str | Path, query: str | None) -> tuple[TablePart, ...]:
    path = existing_file(file)
    if format_of(path) != "parquet" or not find_spec("pyarrow"):
        return (WholeFile(str(path), query),)
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as parquet:
            groups = parquet.metadata.num_row_groups
    except (pa.ArrowException, OSError) as error:
        raise LikelyError(
            f"{path} cannot be read as Parquet ({first_line(error)}): write it again, or leave it out."
        ) from error
    return tuple(RowGroup(str(path), at, at + 1) for at in range(groups)) or (RowGroup(str(path), 0, 0),)


@dataclass(frozen=True, slots=True)
class SpooledRows:
    """Rows in a file of ours, as an engine handed them out."""

    path: str

    def frames(self, schema: Schema | None) -> Iterator[Frame]:
        """The rows, in the batches that they came in."""
        import pyarrow as pa

        with pa.OSFile(self.path) as file, pa.ipc.open_stream(file) as reader:
            names = reader.schema.names if schema is None else list(schema.names)
            for batch in reader:
                yield Frame.of(pa.table(batch).select(names))


class SpooledParts:
    """Parts in files of ours, for who reads them many times; types and declared levels stay as they are."""

    def __init__(self, parts: Sequence[RowGroup | LazyPart], names: list[str]) -> None:
        path = temporary_file(self, "part")
        self.parts = tuple(
            SpooledRows(f"{path}-{i}") if _spooled(part.arrow_batches(names), f"{path}-{i}") else part
            for i, part in enumerate(parts)
        )


def _spooled(batches: Iterator[Any], path: str) -> bool:
    """Write batches to a file; False if there are none."""
    import pyarrow as pa

    writer = None
    with ExitStack() as opened:
        for batch in batches:
            if writer is None:
                file = opened.enter_context(pa.OSFile(path, "wb"))
                writer = opened.enter_context(pa.ipc.new_stream(file, batch.schema))
            writer.write(batch)
    return writer is not None


def temporary_file(owner: object, name: str) -> str:
    """A file that goes when its owner does."""
    folder = tempfile.mkdtemp(prefix="likely-")
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    return str(Path(folder) / name)


class SpooledReader:
    """What a reader of Arrow batches gives, which comes once, in a file that can be read again."""

    def __init__(self, reader: Any) -> None:
        import pyarrow.parquet as pq

        self.path = temporary_file(self, "spooled.parquet")
        with pq.ParquetWriter(self.path, reader.schema, compression="lz4") as writer:
            for batch in reader:
                if batch.num_rows:
                    writer.write_batch(batch, row_group_size=LARGE)

    @property
    def parts(self) -> tuple[TablePart, ...]:
        """The row groups of the file."""
        return _parts_of_file(self.path, None)


def without_gaps_in_order(parts: Sequence[TablePart], most: int) -> tuple[TablePart, ...]:
    """Neighbouring row groups of a file together, so that there are about so many parts, not thousands."""
    if len(parts) <= most:
        return tuple(parts)
    each = -(-len(parts) // most)
    out: list[TablePart] = []
    for part in parts:
        last = out[-1] if out else None
        joins = isinstance(part, RowGroup) and isinstance(last, RowGroup) and last.path == part.path
        if (
            joins
            and isinstance(last, RowGroup)
            and isinstance(part, RowGroup)
            and last.last - last.first < each
        ):
            out[-1] = replace(last, last=part.last)
        else:
            out.append(part)
    return tuple(out)
