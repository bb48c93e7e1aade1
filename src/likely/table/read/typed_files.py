"""Files whose columns have types: Parquet, Arrow, spreadsheets, and what databases answer to a query."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.errors import LikelyError
from likely.table.read.column import Marks, RawColumn, column_names, column_of_cells
from likely.table.read.duck import connected, first_line, quoted_path, unreadable, view_columns

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from pyarrow import Table as ArrowTable

_TABLES_DUCKDB = (
    "SELECT table_name FROM duckdb_tables() "
    "WHERE database_name = current_database() AND NOT internal ORDER BY table_name"
)
_TABLES_SQLITE = (
    "SELECT name FROM sqlite_master "
    "WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
)


def parquet_columns(path: Path, marks: Marks) -> dict[str, RawColumn]:
    """The columns of a Parquet file."""
    import duckdb

    with connected() as connection:
        try:
            return view_columns(connection, "rows", marks, parquet_view(connection, path), path)
        except duckdb.Error as error:
            raise unreadable(path, "Parquet", error) from error


def parquet_view(connection: DuckDBPyConnection, path: Path) -> list[str]:
    """Make the view `rows` of a Parquet file, and say what its columns are called."""
    connection.execute(
        f"CREATE TEMP VIEW rows AS FROM read_parquet({quoted_path(path)}, hive_partitioning=false)"
    )
    return _parquet_header(connection, path)


def _parquet_header(connection: DuckDBPyConnection, path: Path) -> list[str]:
    """The names as they stand in the file: the schema is a tree, depth first, columns at level one."""
    schema = connection.execute(
        f"SELECT name, num_children FROM parquet_schema({quoted_path(path)})"
    ).fetchall()
    header, inside = [], 0  # inside: entries still to come below the last column
    for name, children in schema[1:]:
        if inside == 0:
            header.append(name)
            inside = 1
        inside += (children or 0) - 1
    return header


def arrow_columns(path: Path, marks: Marks) -> dict[str, RawColumn]:
    """The columns of an Arrow IPC (Feather) file or stream."""
    import duckdb

    with connected() as connection:
        try:
            return view_columns(connection, "rows", marks, arrow_view(connection, path), path)
        except (duckdb.Error, OSError) as error:
            raise unreadable(path, "Arrow", error) from error


def arrow_view(connection: DuckDBPyConnection, path: Path) -> list[str]:
    """Make the view `rows` of an Arrow file, which stays on disk, and say what its columns are called."""
    try:
        import pyarrow as pa
        import pyarrow.ipc
    except ImportError as error:
        raise LikelyError(f"reading {path} needs pyarrow: pip install 'likely[arrow]'") from error
    try:
        file = pa.memory_map(str(path))
        is_file = file.read(6) == b"ARROW1"
        file.seek(0)
        table = (pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file)).read_all()
        # by place: DuckDB would rename a column `A` beside `a`
        names = [f"c{place}" for place in range(table.num_columns)]
        connection.register("rows", without_halves(table).rename_columns(names))
    except (pa.ArrowException, OSError) as error:
        raise unreadable(path, "Arrow", error) from error
    return list(table.column_names)


def without_halves(table: ArrowTable) -> ArrowTable:
    """The Arrow table with 16-bit floats widened, which DuckDB does not know."""
    import pyarrow as pa

    wide = [field.with_type(pa.float32()) if field.type == pa.float16() else field for field in table.schema]
    return table.cast(pa.schema(wide))


def sheet_columns(path: Path, marks: Marks) -> dict[str, RawColumn]:
    """The columns of the first sheet of a workbook; rows without any cell are left out."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise LikelyError(f"reading {path} needs python-calamine: pip install 'likely[excel]'") from error
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            rows = workbook.get_sheet_by_index(0).to_python()
    except (CalamineError, OSError) as error:
        raise unreadable(path, "a workbook", error) from error
    if not rows:
        raise LikelyError(f"{path} is empty; its first sheet needs a first row with the names of its columns")
    header, *body = [[_cell(cell) for cell in row] for row in rows if any(cell != "" for cell in row)]
    names = column_names([str(name) for name in header], path)
    return {name: column_of_cells([row[place] for row in body], marks) for place, name in enumerate(names)}


def _cell(cell: object) -> object:
    # A sheet knows only floats; 3.0 is what it shows as 3.
    return int(cell) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53 else cell


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
