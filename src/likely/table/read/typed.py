"""Files whose columns have types of their own: Parquet, Arrow and spreadsheets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import LikelyError
from likely.table.read.column import RawColumn, column_names, column_of_cells
from likely.table.read.duck import connected, quoted_path, unreadable, view_columns
from likely.table.read.missing_marks import Marks

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from pyarrow import Table as ArrowTable


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
