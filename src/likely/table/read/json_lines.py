"""JSON lines, or one JSON array of objects, plain or gzipped: one object a row, one column a key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import LikelyError
from likely.table.read.column import RawColumn, column_names
from likely.table.read.duck import compression, connected, quoted, quoted_path, unmarked, unreadable
from likely.table.read.missing_marks import Marks
from likely.table.read.text_types import aggregates, typed_columns

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BARE = ("BOOLEAN", "BIGINT", "DOUBLE")
_IN_QUOTES = ("DATE", "TIMESTAMP", "TIMESTAMPTZ")  # "1234" in quotes is a text, and stays one


def json_columns(path: Path, marks: Marks) -> dict[str, RawColumn]:
    """The columns of a JSON file; a key that an object lacks is missing there, nested values become text."""
    with connected() as connection:
        keys, allowed = json_texts(connection, path, marks)
        columns = typed_columns(connection, allowed, marks)
    return dict(zip(keys, columns, strict=True))


def json_texts(
    connection: DuckDBPyConnection, path: Path, marks: Marks
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Make the table `texts` of the cells; the names of the columns, and which types each may have."""
    import duckdb

    file = f"{quoted_path(path)}, format='auto', compression={compression(path)}, hive_partitioning=false"
    try:
        connection.execute(f"CREATE TEMP TABLE objects AS SELECT json FROM read_json_objects({file})")
    except duckdb.Error as error:
        raise unreadable(path, "JSON", error) from error
    _check_rows(connection, path)
    keys = _keys(connection, path)
    _make_texts(connection, keys, marks)
    return column_names(keys, path), _allowed_types(connection, len(keys))


def _check_rows(connection: DuckDBPyConnection, path: Path) -> None:
    odd = connection.execute(
        "SELECT rowid + 1, left(json, 40) FROM objects "
        "WHERE json_type(json) <> 'OBJECT' ORDER BY rowid LIMIT 1"
    ).fetchone()
    if odd:
        row, start = odd[0], " ".join(odd[1].split())
        raise LikelyError(f'{path}, row {row}: {start} is not an object; write rows as {{"column": value}}')


def _keys(connection: DuckDBPyConnection, path: Path) -> list[str]:
    """All keys, in the order in which the file first shows them."""
    rows = connection.execute(
        "SELECT json_keys(json) FROM objects GROUP BY ALL ORDER BY min(rowid)"
    ).fetchall()
    for (keys,) in rows:
        column_names(keys, path)  # refuses a key twice in one object
    names = list(dict.fromkeys(key for (keys,) in rows for key in keys))
    if not names:
        raise LikelyError(f"{path} is empty; a table needs at least one JSON object with a key")
    return names


def _make_texts(connection: DuckDBPyConnection, keys: list[str], marks: Marks) -> None:
    """The table `texts`: cell c<i> as text, and whether it was s<i>, a string."""
    # JSON pointers, because in the other notation a key `*` means every key
    pointers = ", ".join(quoted("/" + key.replace("~", "~0").replace("/", "~1")) for key in keys)
    cells = ", ".join(
        f"{unmarked(f'cells[{place + 1}]', marks)} AS c{place}, types[{place + 1}] = 'VARCHAR' AS s{place}"
        for place in range(len(keys))
    )
    connection.execute(
        f"CREATE TEMP TABLE texts AS SELECT {cells} FROM ("
        f"SELECT json_extract_string(json, [{pointers}]) AS cells, json_type(json, [{pointers}]) AS types "
        "FROM objects)"
    )


def _allowed_types(connection: DuckDBPyConnection, width: int) -> list[tuple[str, ...]]:
    wanted = [f"bool_or(s{place} AND c{place} IS NOT NULL)" for place in range(width)]
    return [_IN_QUOTES if has_string else _BARE for has_string in aggregates(connection, wanted)]
