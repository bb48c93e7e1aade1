"""A piece of a file -> its rows, some at a time: as Arrow where PyArrow is installed, else as NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.table.batch.pieces import Piece
from likely.table.batch.sql_types import Wanted, typed_rows
from likely.table.column.raw import Raw, Type
from likely.table.read.column import RawColumn
from likely.table.read.duck import fetched_column
from likely.table.read.into import in_library
from likely.table.read.missing_marks import Marks

if TYPE_CHECKING:
    from pyarrow import RecordBatchReader


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
            arrays[name] = [raw.item(row) for row in range(len(arrays[name]))]
    return arrays
