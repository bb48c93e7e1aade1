"""DuckDB as the reader of files: a connection that downloads nothing, and a query's answer as raw columns."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.read.column import Marks, RawColumn, column_names, raw_column

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_REAL = ("UBIGINT", "HUGEINT", "UHUGEINT", "DECIMAL", "FLOAT", "DOUBLE")
_TIME = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
# Every type of DuckDB is read as one of seven; what is not named here (lists, times of day, ...) as text.
_PLAIN = {
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ",
    **dict.fromkeys(_WHOLE, "BIGINT"),
    **dict.fromkeys(_REAL, "DOUBLE"),
    **dict.fromkeys(_TIME, "TIMESTAMP"),
}


@contextmanager
def connected(database: Path | None = None) -> Iterator[Any]:
    """A connection in memory, or to a database file that is only read; closed afterwards."""
    import duckdb

    config: dict[str, Any] = {"autoinstall_known_extensions": "false"}
    if database is None:
        # The search for repeated expressions takes a minute for a table of 2,000 columns, and finds none.
        connection = duckdb.connect(config={**config, "disabled_optimizers": "common_subexpressions"})
    else:
        connection = duckdb.connect(str(database), read_only=True, config=config)
    try:
        # It would write its progress to the terminal unasked. In a notebook without ipywidgets it has none,
        # and refuses to be told so.
        if connection.execute("SELECT current_setting('enable_progress_bar')").fetchall()[0][0]:
            connection.execute("SET enable_progress_bar = false")
        yield connection
    finally:
        connection.close()


def parquet_relation(files: Sequence[str]) -> Any:
    """Parquet files as one relation, of a connection of its own that goes to disk before it takes much."""
    import duckdb

    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    connection.execute(f"SET memory_limit = '1GB'; SET temp_directory = {quoted(tempfile.gettempdir())}")
    listed = ", ".join(quoted_path(Path(file)) for file in files)
    return connection.sql(f"FROM read_parquet([{listed}], hive_partitioning=false)")


def quoted(text: str) -> str:
    """A text as an SQL literal.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def quoted_path(path: Path) -> str:
    """A path as an SQL literal that means this one file: DuckDB takes `*`, `?` and `[` for patterns.

    >>> quoted_path(Path("what?.csv"))
    "'what[?].csv'"
    """
    return quoted(re.sub(r"([\[*?])", r"[\1]", str(path)))


def is_gzip(path: Path) -> bool:
    """Whether the file is gzipped, whatever its name says."""
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def compression(path: Path) -> str:
    """The value of DuckDB's option of that name."""
    return quoted("gzip" if is_gzip(path) else "uncompressed")


def unmarked(text: str, marks: Marks) -> str:
    """The SQL for a text that is null where a mark stands."""
    listed = ", ".join(quoted(mark) for mark in sorted(marks.texts))
    return f"CASE WHEN trim({text}) NOT IN ({listed}) THEN {text} END"


def fetched(
    connection: DuckDBPyConnection, source: str, types: Sequence[str], marks: Marks
) -> list[RawColumn]:
    """The columns c0, c1, ... of an SQL source, each as the plain type given for it."""
    wanted = []
    for place, plain in enumerate(types):
        value = unmarked(f"CAST(c{place} AS VARCHAR)", marks) if plain == "VARCHAR" else f"c{place}"
        wanted.append(f"CAST({value} AS {plain}) AS c{place}")
    answer: dict[str, Any] = connection.execute(f"SELECT {', '.join(wanted)} FROM {source}").fetchnumpy()
    return [fetched_column(answer[f"c{place}"], plain) for place, plain in enumerate(types)]


def fetched_column(values: NDArray[Any], plain: str) -> RawColumn:
    """One column of an answer, which is of this plain type."""
    missing = np.ma.getmaskarray(values)  # n
    values = np.ma.getdata(values)
    if plain == "DATE":
        values = values.astype("datetime64[D]")
    return raw_column(values, missing, utc=plain == "TIMESTAMPTZ")


def view_columns(
    connection: DuckDBPyConnection, view: str, marks: Marks, header: Sequence[str], where: object
) -> dict[str, RawColumn]:
    """All columns of a view or table that has types of its own, under the names of `header`.

    The names come from outside because DuckDB, blind to case, would call a column `A` beside `a` `A_1`.
    """
    names = column_names(header, where)
    columns = fetched(connection, *numbered_columns(connection, view), marks)
    return dict(zip(names, columns, strict=True))


def numbered_columns(connection: DuckDBPyConnection, view: str) -> tuple[str, list[str]]:
    """The SQL source of a view with its columns called c0, c1, ..., and their plain types."""
    declared = [row[1] for row in connection.execute(f"DESCRIBE {view}").fetchall()]
    aliases = ", ".join(f"c{place}" for place in range(len(declared)))
    return f"{view} AS source({aliases})", [_plain(t) for t in declared]


def _plain(declared: str) -> str:
    family = (
        declared if declared.endswith("]") else declared.partition("(")[0]
    )  # DECIMAL(3,2), but not DECIMAL(3,2)[]
    return _PLAIN.get(family, "VARCHAR")


def first_line(error: BaseException) -> str:
    """What an error says, without the pages of hints that follow."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def unreadable(path: Path, what: str, error: BaseException) -> LikelyError:
    """The error for a file whose inside is not what its name says."""
    return LikelyError(f"{path} cannot be read as {what}: {first_line(error)}")
