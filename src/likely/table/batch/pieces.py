"""Files opened to be read in batches: names, an SQL source of the cells, and the types these have."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.errors import LikelyError
from likely.table.duck_view import make_view
from likely.table.read.column import RawColumn, column_names, column_of_cells
from likely.table.read.csv_file import csv_cells, diagnosis, layout_of
from likely.table.read.database import VIEW, duckdb_view, refused, sqlite_rows
from likely.table.read.duck import connected, is_gzip, numbered_columns, unreadable
from likely.table.read.encoding import in_utf8
from likely.table.read.into import in_library
from likely.table.read.json_lines import json_texts
from likely.table.read.missing_marks import Marks
from likely.table.read.options import ReadOptions
from likely.table.read.read import raw_columns
from likely.table.read.source import bundled_name, existing_file, format_of
from likely.table.read.text_types import text_types
from likely.table.read.typed import arrow_view, parquet_view

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

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
                with in_utf8(path, options.encoding) as text:
                    yield _csv(connection, text)
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
                yield connection
        except duckdb.Error as error:
            if database is None:
                raise
            raise refused(database, query, error) from error


def _csv(connection: DuckDBPyConnection, path: Path) -> Piece:
    layout = layout_of(path)
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
