"""`batches`: a file of any size in, some rows at a time out."""

from __future__ import annotations

import glob
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from likely.errors import LikelyError, notice
from likely.table.batch.pieces import Piece, TypedRows, pieces, stream
from likely.table.batch.sql_types import SHOULD_HOLD, Wanted, plain_type
from likely.table.column.block import Numbers
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.names import columns_absent
from likely.table.read.column import Marks
from likely.table.read.duck import unmarked
from likely.table.read.options import OPTIONS
from likely.table.read.read import bundled_name
from likely.table.read.text_files import PATTERNS, dates_in, gapped_numbers, styles_of_numbers, written_types
from likely.table.read.written_dates import DateStyle
from likely.table.read.written_numbers import Style, decimal_styles
from likely.table.schema import Schema

Found = TypeVar("Found")
ROWS = 1 << 16  # at once: some 15 MB of texts


@dataclass(frozen=True)
class Batch:
    """Some rows of a table."""

    rows: Any  # all columns as they are in the file: a PyArrow table, or a dict of NumPy columns
    table: Any  # the columns that were asked for, typed: the same, or a Frame if they have no names
    start: int  # the place of the first row in the whole
    done: float | None  # about how much of the whole is behind us, 0 to 1, where that is cheap to know
    absent: tuple[str, ...] = ()  # columns that were asked for and are not in the file: missing in every row

    @property
    def n(self) -> int:
        """How many rows these are."""
        return Frame.of(self.rows).n

    @property
    def names(self) -> set[str]:
        """The names of all columns of the file."""
        return set(Frame.of(self.rows).names)


def batches(
    source: str | Path,
    schema: Schema | None = None,
    *,
    rows: int = ROWS,
    query: str | None = None,
    missing: str | float | Iterable[str | float] = (),
    decimal: str | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    header: bool = True,
) -> Iterator[Batch]:
    """Read a table some rows at a time; memory does not depend on its length.

    `source` is what `read` takes, or a pattern such as "2024-*.csv" for several files with the same
    columns, or "-" for standard input. With the `schema` of a fitted model only its columns are typed, and
    as the model needs them: in text files, a column of text levels stays text even if all its values look
    like numbers, and in a column of numbers a cell that is none is refused, by its column and row. Without
    a schema types are chosen as by `read`, which goes through a text file several times.

    A table without rows gives one batch without rows: the names of the columns are in it.

    >>> [(batch.start, batch.n) for batch in batches("titanic", rows=1000)]
    [(0, 1000), (1000, 1000), (2000, 201)]
    """
    options = OPTIONS.get().over(missing, decimal, encoding, separator, header)
    marks, styles = Marks.of(options.missing), decimal_styles(options.decimal)
    start, names = 0, None
    with files_of(source) as files:
        for place, file in enumerate(files):
            for piece in pieces(file, query, marks, rows, options):
                if names is not None and piece.names != names:
                    raise LikelyError(
                        f"{file} has the columns {piece.names!r} and {files[0]} has {names!r}: "
                        "files that are read together need the same columns in the same order."
                    )
                absent = _absent(piece, schema, first=names is None)
                names = piece.names
                wanted = _wanted(piece, schema, marks, styles)
                for part in stream(piece, wanted, marks, rows):
                    if part.misfits.any():
                        raise _misfit(part, wanted, marks, start)
                    if schema is not None:
                        refuse_unusable(part.table, schema, start)
                    done = None if part.done is None else (place + part.done) / len(files)
                    yield Batch(part.rows, _as_learnt(part.table, schema, absent), start, done, absent)
                    start += len(part.misfits)


def _absent(piece: Piece, schema: Schema | None, first: bool) -> tuple[str, ...]:
    """The columns of a schema that a file does not have; said of the first of some files."""
    if schema is None or not schema.named:
        return ()
    places = schema.places(piece.names)
    absent = tuple(name for name, place in zip(schema.names, places, strict=True) if place is None)
    if absent and first:
        known = set(schema.names)
        notice(columns_absent(absent, [name for name in piece.names if name not in known]))
    return absent


def _as_learnt(table: object, schema: Schema | None, absent: Sequence[str]) -> Any:
    """The table, with the columns that are absent, and without names if the model has none."""
    if schema is None or (schema.named and not absent):
        return table
    frame = Frame.of(table)
    return frame.with_gaps(absent).only(schema.names) if absent else replace(frame, named=False)


def _wanted(piece: Piece, schema: Schema | None, marks: Marks, styles: Sequence[Style]) -> list[Wanted]:
    """Which columns are typed, and as what."""
    from_text = piece.types is None
    if schema is None:
        types = piece.types or []
        written: dict[int, Style | DateStyle] = {}
        if from_text:  # as `read` chooses them
            every = [PATTERNS] * len(piece.names)
            types, written, _ = _of_texts(piece, marks, lambda texts: written_types(texts, every, styles))
            gaps = _of_texts(piece, marks, lambda texts: gapped_numbers(texts, types, styles))
            if gaps:
                types, written, _ = _of_texts(
                    piece, marks, lambda texts: written_types(texts, every, styles), gaps
                )
        return [Wanted(name, j, types[j], from_text, written.get(j)) for j, name in enumerate(piece.names)]
    wanted = []
    for column, place in zip(schema.columns, schema.places(piece.names), strict=True):
        if place is None:  # missing in every row
            continue
        wish = plain_type(column)
        # Where a database types each value for itself, a column of texts may look like numbers for a while.
        own = piece.types is not None and not (piece.part and wish == "VARCHAR")
        plain = piece.types[place] if piece.types is not None and own else wish
        wanted.append(Wanted(column.name, place, plain, from_text))
    if not from_text:
        return wanted
    numbers = [one.place for one in wanted if one.plain in ("BIGINT", "DOUBLE")]
    dates = [one.place for one in wanted if one.plain in ("DATE", "TIMESTAMP")]
    style: dict[int, Style | DateStyle] = {
        **_of_texts(piece, marks, lambda connection: styles_of_numbers(connection, numbers, styles), numbers),
        **_of_texts(piece, marks, lambda connection: dates_in(connection, dates, all_cells=False)[0]),
    }
    return [replace(one, style=style.get(one.place)) for one in wanted]


def _of_texts(
    piece: Piece, marks: Marks, find: Callable[[Any], Found], numbers: Collection[int] = ()
) -> Found:
    """What is found out about the texts of a file, marks for missing cells taken out: more among numbers."""
    more = marks.among_numbers()
    cells = ", ".join(
        f"{unmarked(f'c{place}', more if place in numbers else marks)} AS c{place}"
        for place in range(len(piece.names))
    )
    try:
        piece.connection.execute(f"CREATE OR REPLACE TEMP VIEW texts AS SELECT {cells} FROM {piece.cells}")
        return find(piece.connection)
    except Exception as error:
        raise piece.failure(error) from error


def _misfit(part: TypedRows, wanted: Sequence[Wanted], marks: Marks, start: int) -> LikelyError:
    """What is wrong with the first text that is not of the type its column needs."""
    row = int(np.argmax(part.misfits))
    rows, table = Frame.of(part.rows), Frame.of(part.table)
    for one in wanted:
        text = rows.raw(rows.names[one.place]).item(row)
        if (
            one.plain != "VARCHAR"
            and not one.marks(marks).cover(text)
            and table.raw(one.name).item(row) is None
        ):
            return LikelyError(
                f"column {one.name!r} should hold {SHOULD_HOLD[one.plain]}, but row {start + row} holds "
                f"{text!r}: correct the value, or mark it as missing."
            )
    raise AssertionError("a row that fits")


def refuse_unusable(table: object, schema: Schema, start: int) -> None:
    """Numbers that are too large or not of their kind, by their row in the whole table."""
    frame = Frame.of(table)
    for column in schema.columns:
        if column.name not in frame.position:
            continue
        raw = frame.raw(column.name)
        if column.levels is None and column.kind is not Kind.TEXT:
            numbers = Numbers((column.name,), columns=(column.numbers(raw, start),))
            numbers.refuse_extremes(0, frame.n, start)


@contextmanager
def files_of(source: str | Path) -> Iterator[list[str | Path]]:
    """The files that a source means: itself, those that match a pattern, or what comes by standard input."""
    name = str(source)
    if name == "-":
        with tempfile.TemporaryDirectory(prefix="likely-") as folder:
            yield [_spooled(Path(folder))]
    elif bundled_name(source) is None and not Path(name).expanduser().exists() and glob.has_magic(name):
        matches = sorted(glob.glob(str(Path(name).expanduser()), recursive=True))
        if not matches:
            raise LikelyError(f"no file matches {name}")
        yield list(map(Path, matches))
    else:
        yield [source]


def _spooled(folder: Path) -> Path:
    """Standard input in a file: types, errors and progress need to go back and forth."""
    incoming = sys.stdin.buffer
    start = incoming.read(4)
    suffix = {b"PAR1": ".parquet", b"ARRO": ".arrow"}.get(start, ".csv")
    suffix = ".jsonl" if start.lstrip()[:1] in (b"{", b"[") else suffix
    path = folder / f"standard-input{suffix}"
    with path.open("wb") as file:
        file.write(start)
        shutil.copyfileobj(incoming, file, 1 << 20)
    return path
