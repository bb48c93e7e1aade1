"""Files opened to be read in batches: their SQL source and types, and their rows, some at a time."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.batch.sql_types import Wanted, typed_rows
from likely.table.column.kinds import Type
from likely.table.column.raw import Raw
from likely.table.duck_view import make_view
from likely.table.read.column import Marks, RawColumn, column_names, column_of_cells
from likely.table.read.csv_layout import CsvLayout, csv_text
from likely.table.read.duck import connected, fetched_column, is_gzip, numbered_columns, unreadable
from likely.table.read.into import in_library
from likely.table.read.options import ReadOptions
from likely.table.read.read import bundled_name, existing_file, format_of, raw_columns
from likely.table.read.text_files import csv_cells, diagnosis, json_texts, text_types
from likely.table.read.typed_files import VIEW, arrow_view, duckdb_view, parquet_view, refused, sqlite_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from pyarrow import RecordBatchReader


MEMORY = "250MB"  # what DuckDB may take before it goes to disk
_LONGEST_LINE = 8_000_000  # bytes; the memory that reading takes is a multiple of it


@dataclass(frozen=True)
class Piece:
    """Rows that are read through one query."""

    names: list[str]
    connection: Any
    cells: str  # SQL source with the columns c0, c1, ...
    types: list[str] | None  # the plain type of each column; None if all are texts still to be typed
    failure: Callable[[Exception], LikelyError]  # what to say if reading fails
    size: int | None = None  # bytes, of a file of plain text
    part: bool = False  # whether the types are those of this piece, and may differ in the next


def pieces(
    source: str | Path, query: str | None, marks: Marks, rows: int, options: ReadOptions
) -> Iterator[Piece]:
    """One piece for most files; several for a database that gives its rows as Python objects."""
    form = "bundled" if bundled_name(source) else format_of(existing_file(source))
    if query is not None and form not in ("duckdb", "sqlite"):
        raw_columns(source, query, marks, options)  # says what is wrong
    path = Path(source).expanduser()
    with _roomy(path if form == "duckdb" else None, query) as connection:
        match form:
            case "csv":
                with csv_text(path, options) as (text, layout):
                    yield _csv(connection, text, layout)
            case "json":
                yield _json(connection, path, marks)
            case "parquet":
                yield _view(connection, "rows", parquet_view(connection, path), path, "Parquet")
            case "arrow":
                yield _view(connection, "rows", arrow_view(connection, path), path, "Arrow")
            case "duckdb":
                header = duckdb_view(connection, path, query)
                piece = _view(connection, VIEW, header, path, "a DuckDB file")
                yield piece
            case "sqlite":
                for names, cells in sqlite_rows(path, query, rows):
                    columns = [column_of_cells([row[j] for row in cells], marks) for j in range(len(names))]
                    yield _in_memory(connection, dict(zip(names, columns, strict=True)), path, part=True)
            case _:
                yield _in_memory(connection, raw_columns(source, query, marks, options), path)


@contextmanager
def _roomy(database: Path | None, query: str | None) -> Iterator[DuckDBPyConnection]:
    """A connection that keeps what does not fit its memory in a temporary folder."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="likely-") as folder:
        try:
            with connected(database) as connection:
                connection.execute(f"SET memory_limit = '{MEMORY}'")
                connection.execute(f"SET temp_directory = '{folder}'")
                connection.execute("SET TimeZone = 'UTC'")
                # A list of words is a join to DuckDB, and rows come out of a join as threads are done with
                # them: with one thread, in the order of the file.
                connection.execute("SET threads = 1")
                yield connection
        except duckdb.Error as error:
            if database is None:
                raise
            raise refused(database, query, error) from error


def _csv(connection: DuckDBPyConnection, path: Path, layout: CsvLayout) -> Piece:
    size = None if is_gzip(path) else path.stat().st_size

    def failure(error: Exception) -> LikelyError:
        return diagnosis(path, layout, error)

    return Piece(layout.names, connection, csv_cells(path, layout, _LONGEST_LINE), None, failure, size)


def _json(connection: DuckDBPyConnection, path: Path, marks: Marks) -> Piece:
    names, allowed = json_texts(connection, path, marks)
    types = text_types(connection, allowed)
    typed = [f"CAST({_trimmed(f'c{i}', plain)} AS {plain}) AS c{i}" for i, plain in enumerate(types)]
    cells = f"(SELECT {', '.join(typed)} FROM texts)"
    return Piece(names, connection, cells, types, lambda error: unreadable(path, "JSON", error))


def _trimmed(cell: str, plain: str) -> str:
    return cell if plain == "VARCHAR" else f"trim({cell})"


def _view(connection: DuckDBPyConnection, view: str, header: list[str], path: Path, what: str) -> Piece:
    cells, types = numbered_columns(connection, view)
    names = column_names(header, path)
    return Piece(names, connection, cells, types, lambda error: unreadable(path, what, error))


def _in_memory(
    connection: DuckDBPyConnection, columns: dict[str, RawColumn], path: Path, part: bool = False
) -> Piece:
    """Columns that had to be read whole."""
    names = make_view(connection, "rows", in_library(columns, "dict"))
    cells, types = numbered_columns(connection, "rows")
    return Piece(names, connection, cells, types, lambda error: unreadable(path, "a table", error), part=part)


@dataclass(frozen=True)
class TypedRows:
    """Some rows as they are, their typed columns, and which rows hold a text that misfits its type."""

    rows: Any
    table: Any
    misfits: NDArray[np.bool_]  # (b,)
    done: float | None  # the share of the piece that is behind us


def stream(piece: Piece, wanted: Sequence[Wanted], marks: Marks, at_once: int) -> Iterator[TypedRows]:
    """All rows of a piece in order; one part without rows if it has none."""
    how = _arrow if find_spec("pyarrow") else _numpy
    parts = how(piece, wanted, marks, at_once)
    while True:
        try:
            part = next(parts, None)
        except Exception as error:  # DuckDB's own, or the one that Arrow makes of it
            raise piece.failure(error) from error
        if part is None:
            return
        yield part


def _arrow(piece: Piece, wanted: Sequence[Wanted], marks: Marks, at_once: int) -> Iterator[TypedRows]:
    import pyarrow as pa

    width = len(piece.names)
    asked = typed_rows(piece.cells, [f"c{place}" for place in range(width)], wanted, marks)
    counted = piece.size is None and piece.types is not None  # to count the rows of a text is to read it
    whole = _count(piece, piece.cells) if counted else piece.size
    reader = piece.connection.sql(asked).to_arrow_reader(at_once)
    behind = 0
    for batch in _at_least_one(reader):
        batch_table = pa.Table.from_batches([batch])
        rows = batch_table.select(range(width)).rename_columns(piece.names)
        table = batch_table.select(range(width, batch_table.num_columns - 1)).rename_columns(
            [one.name for one in wanted]
        )
        misfits = batch_table.column("misfits").to_numpy().astype(bool, copy=False)
        # Arrow has 4 bytes for a text besides the text itself, and the file one, for the separator.
        behind += batch_table.num_rows if counted else rows.nbytes - 3 * width * batch_table.num_rows
        yield TypedRows(rows, table, misfits, None if whole is None else min(1.0, behind / max(whole, 1)))


def _count(piece: Piece, cells: str) -> int:
    # All of the answer is fetched: DuckDB 2 takes no further query before that.
    ((count,),) = piece.connection.execute(f"SELECT count(*) FROM {cells}").fetchall()
    return int(count)


def _at_least_one(reader: RecordBatchReader) -> Iterator[Any]:
    import pyarrow as pa

    empty = True
    for batch in reader:
        if batch.num_rows:
            empty = False
            yield batch
    if empty:
        yield pa.RecordBatch.from_pylist([], schema=reader.schema)


def _numpy(piece: Piece, wanted: Sequence[Wanted], marks: Marks, at_once: int) -> Iterator[TypedRows]:
    """Through a table of DuckDB's own, which may lie on disk: it hands out NumPy columns only of a whole."""
    types = piece.types or ["VARCHAR"] * len(piece.names)
    rows = [f"CAST(c{place} AS {plain}) AS c{place}" for place, plain in enumerate(types)]
    kept = typed_rows(piece.cells, rows, wanted, marks)
    piece.connection.execute(f"CREATE OR REPLACE TEMP TABLE kept AS {kept}")
    whole = _count(piece, "kept")
    for start in range(0, max(whole, 1), at_once):
        some = f"SELECT * FROM kept WHERE rowid >= {start} AND rowid < {start + at_once}"
        answer = piece.connection.execute(some).fetchnumpy()
        columns = {name: fetched_column(answer[f"c{i}"], types[i]) for i, name in enumerate(piece.names)}
        typed = {one.name: fetched_column(answer[f"t{i}"], one.plain) for i, one in enumerate(wanted)}
        done = min(1.0, (start + at_once) / max(whole, 1))
        yield TypedRows(_arrays(columns), _arrays(typed), answer["misfits"], done)


def _arrays(columns: dict[str, RawColumn]) -> dict[str, Any]:
    """A dict of NumPy columns; instants as Python's, for NumPy's have no time zone."""
    arrays: dict[str, Any] = in_library(columns, "dict")
    for name, column in columns.items():
        if column.utc:
            raw = Raw(name, Type.DATETIME, arrays[name], zone="UTC")
            arrays[name] = raw.items()
    return arrays
