"""Any table -> a view that DuckDB can read, without a copy where that is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.column.kinds import Type
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.read.typed_files import without_halves

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def make_view(connection: DuckDBPyConnection, view: str, table: Any) -> list[str]:
    """Make a temporary view of a table with columns c0, c1, ...; what the columns are called.

    >>> from likely.table.read.duck import connected
    >>> with connected() as connection:
    ...     names = make_view(connection, "rows", {"a": [1, None], "b": ["x", "y"]})
    ...     print(names, connection.execute("FROM rows").fetchall())
    ['a', 'b'] [(1, 'x'), (None, 'y')]
    """
    held = f"{view}_held"
    connection.execute(f"DROP VIEW IF EXISTS {view}")
    connection.unregister(held)
    if type(table).__module__.startswith("pyarrow") and hasattr(table, "column_names"):
        names = list(table.column_names)
        _refuse_doubled(names)
        table = without_halves(table).rename_columns([f"c{place}" for place in range(len(names))])
        connection.register(held, table)
        asked = [_without_nan(f"c{place}", str(field.type)) for place, field in enumerate(table.schema)]
    else:
        frame = Frame.of(table)
        names = list(frame.names)
        if not names:
            raise LikelyError("the table has no columns: there is nothing to write")
        columns, asked = {}, []
        for place, name in enumerate(names):
            columns[f"c{place}"], sql = _duckdb_column(frame, name)
            asked.append(sql.format(f"c{place}"))
        # It would look at a sample of the objects to guess what all of them are; we know: texts.
        connection.execute("SET pandas_analyze_sample = 0")
        connection.register(held, columns)
    listed = ", ".join(f"{sql} AS c{place}" for place, sql in enumerate(asked))
    connection.execute(f"CREATE TEMP VIEW {view} AS SELECT {listed} FROM {held}")
    return names


def _refuse_doubled(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise LikelyError(f"column name {name!r} stands more than once; rename one of them")


def _without_nan(column: str, made_of: str) -> str:
    """NaN is a missing value; in a file it would be a word."""
    if made_of not in ("float", "double"):
        return column
    return f"CASE WHEN NOT isnan({column}) THEN {column} END"


def _duckdb_column(frame: Frame, name: str) -> tuple[NDArray[Any], str]:
    """A column as an array that DuckDB knows, and the SQL that makes of it what it was."""
    if frame.get is not None and (texts := _only_texts(frame.get(name))) is not None:
        return texts, "{}"
    raw = frame.raw(name)
    match raw.type:
        case Type.BOOLEAN | Type.INTEGER if raw.found is None:
            return raw.values, _whole(raw)
        case Type.DATE:
            return raw.values.astype("datetime64[s]"), "CAST({} AS DATE)"
        case Type.DATETIME:
            return raw.values, "{}" if raw.zone is None else "{} AT TIME ZONE 'UTC'"
        case Type.TIME:
            return _texts(raw.items()), "CAST({} AS TIME)"
    if raw.found is None:
        return raw.values, "{}"
    plain = {Type.INTEGER: "CAST({} AS HUGEINT)", Type.CATEGORY: _category_type(raw)}.get(raw.type, "{}")
    return _texts([*raw.found, None])[raw.values], plain


def _only_texts(values: object) -> NDArray[Any] | None:
    """An array of texts and gaps as it is: coding it first would take longer than writing it."""
    if not isinstance(values, np.ndarray) or values.dtype != object or values.ndim != 1:
        return None
    return values if set(map(type, values.tolist())) <= {str, type(None)} else None


def _whole(raw: Raw) -> str:
    """Whole numbers and truth values: gaps have made floats of them (DuckDB 1.5.0 overlooks a mask)."""
    if raw.values.dtype.kind != "f":
        return "{}"
    made_of = "BOOLEAN" if raw.type is Type.BOOLEAN else "BIGINT"
    return f"CASE WHEN NOT isnan({{0}}) THEN CAST({{0}} AS {made_of}) END"


def _category_type(raw: Raw) -> str:
    types = {type(value) for value in raw.found or ()}
    names = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}
    made = names.get(types.pop()) if len(types) == 1 else None
    return "{}" if made is None else f"CAST({{}} AS {made})"


def _texts(values: list[Any]) -> NDArray[Any]:
    texts = np.empty(len(values), object)
    texts[:] = [None if value is None else str(value) for value in values]
    return texts
