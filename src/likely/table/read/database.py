"""Database files: what a DuckDB or SQLite file answers to a query, or its only table. Both are only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.errors import LikelyError
from likely.table.read.column import RawColumn, column_names, column_of_cells
from likely.table.read.duck import connected, first_line, view_columns
from likely.table.read.missing_marks import Marks

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TABLES_DUCKDB = (
    "SELECT table_name FROM duckdb_tables() "
    "WHERE database_name = current_database() AND NOT internal ORDER BY table_name"
)
_TABLES_SQLITE = (
    "SELECT name FROM sqlite_master "
    "WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
)
VIEW = "likely_rows_of_query"  # a name that a user's table will not have


def database_format(path: Path) -> str | None:
    """Which database the first bytes of a file announce, if any."""
    with path.open("rb") as file:
        start = file.read(16)
    if start == b"SQLite format 3\x00":
        return "sqlite"
    return "duckdb" if start[8:12] == b"DUCK" else None


def duckdb_columns(path: Path, marks: Marks, query: str | None) -> dict[str, RawColumn]:
    """The columns of a query's answer from a DuckDB file."""
    import duckdb

    try:
        with connected(path) as connection:
            return view_columns(connection, VIEW, marks, duckdb_view(connection, path, query), path)
    except duckdb.Error as error:
        raise refused(path, query, error) from error


def duckdb_view(connection: DuckDBPyConnection, path: Path, query: str | None) -> list[str]:
    """Make the view `VIEW` of what a DuckDB file answers, and say what its columns are called."""
    asked = query or _only_table(path, [row[0] for row in connection.execute(_TABLES_DUCKDB).fetchall()])
    connection.execute(f"CREATE TEMP VIEW {VIEW} AS {asked}")
    return [row[0] for row in connection.execute(f"DESCRIBE {VIEW}").fetchall()]


def sqlite_columns(path: Path, marks: Marks, query: str | None) -> dict[str, RawColumn]:
    """The columns of a query's answer from an SQLite file, typed by its values: columns have no types."""
    ((names, rows),) = sqlite_rows(path, query)
    return {name: column_of_cells([row[place] for row in rows], marks) for place, name in enumerate(names)}


def sqlite_rows(
    path: Path, query: str | None, at_once: int | None = None
) -> Iterator[tuple[list[str], list[Any]]]:
    """The names of the columns and some rows at a time, all by default; at least once."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            asked = query or _only_table(path, [row[0] for row in connection.execute(_TABLES_SQLITE)])
            answer = connection.execute(asked)
            if answer.description is None:
                raise LikelyError(f"query={query!r} gives no rows; ask with a SELECT")
            names = column_names([column[0] for column in answer.description], path)
            if at_once is None:
                yield names, answer.fetchall()
                return
            yield names, answer.fetchmany(at_once)
            while rows := answer.fetchmany(at_once):
                yield names, rows
    except sqlite3.Error as error:
        raise refused(path, query, error) from error


def _only_table(path: Path, tables: Sequence[str]) -> str:
    named = ['"' + table.replace('"', '""') + '"' for table in tables]
    if len(named) == 1:
        return f"SELECT * FROM {named[0]}"
    if not named:
        raise LikelyError(f"{path} has no table to read")
    raise LikelyError(
        f"{path} has {len(named)} tables ({', '.join(named)}); choose with query='SELECT * FROM {named[0]}'"
    )


def refused(path: Path, query: str | None, error: Exception) -> LikelyError:
    """The error for a database that does not answer."""
    what = "cannot be opened" if query is None else f"does not answer query={query!r}"
    return LikelyError(f"{path} {what}: {first_line(error)}")
