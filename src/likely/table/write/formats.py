"""The files that can be written, and which of them a name means: each takes a view of rows at a time."""

from __future__ import annotations

import csv
import gzip
import io
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from likely.errors import LikelyError
from likely.table.read.duck import quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ROWS = 1_048_576  # of a sheet, the header among them
_COLUMNS = 16_384
_LONGEST = 32_767  # characters in a cell
_EXACT = 2**53  # a sheet knows only floats
_ALSO_GZIPPED = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class Desk:
    """What a form works with."""

    connection: Any  # DuckDB's
    folder: Path  # for parts, while the file is being written
    file: IO[bytes]  # where the bytes go
    later: ExitStack  # for what must be put away, also after an error


class Form(Protocol):
    """A file being written."""

    def start(self, names: Sequence[str]) -> None:
        """Write what comes before the rows."""

    def add(self, view: str, names: Sequence[str]) -> None:
        """Write the rows of a view, whose columns are c0, c1, ..."""

    def finish(self) -> None:
        """Write what comes after the rows."""


class Csv:
    """Comma- or tab-separated values; a cell is in quotes only where it has to be."""

    def __init__(self, desk: Desk, separator: str = ",") -> None:
        self.connection, self.part, self.file = desk.connection, desk.folder / "part", desk.file
        self.separator = separator

    def start(self, names: Sequence[str]) -> None:
        """Write the header."""
        header = io.StringIO()
        csv.writer(header, delimiter=self.separator, lineterminator="\n").writerow(names)
        self.file.write(header.getvalue().encode())

    def add(self, view: str, names: Sequence[str]) -> None:
        """Write the rows."""
        # A blank line is no row; a row of one missing cell is written as an empty text, which means the same.
        source = view if len(names) > 1 else f"(SELECT coalesce(CAST(c0 AS VARCHAR), '') FROM {view})"
        options = f"FORMAT csv, HEADER false, DELIMITER {quoted(self.separator)}"
        self.connection.execute(f"COPY {source} TO {quoted(str(self.part))} ({options})")
        with self.part.open("rb") as part:
            shutil.copyfileobj(part, self.file, 1 << 20)

    def finish(self) -> None:
        """Nothing comes after the rows."""


class Json:
    """One object a row: each on a line of its own, or all in one array."""

    def __init__(self, desk: Desk, array: bool = False) -> None:
        self.connection, self.file = desk.connection, desk.file
        self.array, self.empty = array, True

    def start(self, names: Sequence[str]) -> None:
        """Open the array."""
        self.file.write(b"[" if self.array else b"")

    def add(self, view: str, names: Sequence[str]) -> None:
        """Write the rows."""
        refuse_infinities(self.connection, view, names, "JSON")
        pairs = ", ".join(f"{quoted(name)}, c{place}" for place, name in enumerate(names))
        rows = self.connection.execute(f"SELECT CAST(json_object({pairs}) AS VARCHAR) FROM {view}").fetchall()
        if self.array:
            between = ["\n" if self.empty else ",\n", *([",\n"] * (len(rows) - 1))]
            lines = "".join(f"{mark}{row}" for mark, (row,) in zip(between, rows, strict=False))
            self.empty = self.empty and not rows
        else:
            lines = "".join(f"{row}\n" for (row,) in rows)
        self.file.write(lines.encode())

    def finish(self) -> None:
        """Close the array."""
        self.file.write(b"\n]\n" if self.array else b"")


class Parquet:
    """Parquet: the parts are files until the last is there, for its table of contents comes at the end."""

    def __init__(self, desk: Desk) -> None:
        self.connection, self.folder, self.file = desk.connection, desk.folder, desk.file
        self.parts: list[str] = []
        self.names: Sequence[str] = ()

    def start(self, names: Sequence[str]) -> None:
        """Remember the names."""
        alike = {name.lower(): name for name in names}
        for name in names:
            if (other := alike[name.lower()]) != name:
                raise LikelyError(
                    f"columns {name!r} and {other!r} differ in case only, which Parquet may not: rename one"
                )
        self.names = names

    def add(self, view: str, names: Sequence[str]) -> None:
        """Write the rows to a part."""
        part = quoted(str(self.folder / f"{len(self.parts)}.parquet"))
        self.connection.execute(f"COPY {view} TO {part} (FORMAT parquet)")
        self.parts.append(part)

    def finish(self) -> None:
        """Make one file of the parts."""
        # By name: a part whose cells are all missing may have had no type of its own.
        source = f"read_parquet([{', '.join(self.parts)}], union_by_name=true)"
        inside = (name.replace('"', '""') for name in self.names)
        named = ", ".join(f'c{place} AS "{name}"' for place, name in enumerate(inside))
        whole = self.folder / "whole.parquet"
        self.connection.execute(
            f"COPY (SELECT {named} FROM {source}) TO {quoted(str(whole))} (FORMAT parquet)"
        )
        with whole.open("rb") as file:
            shutil.copyfileobj(file, self.file, 1 << 20)


def refuse_infinities(connection: DuckDBPyConnection, view: str, names: Sequence[str], what: str) -> None:
    """Name a column with a number that a format has no way to write."""
    types = [row[1] for row in connection.execute(f"DESCRIBE {view}").fetchall()]
    floats = [place for place, made_of in enumerate(types) if made_of in ("DOUBLE", "FLOAT")]
    if not floats:
        return
    asked = ", ".join(f"bool_or(isinf(c{place}))" for place in floats)
    (answers,) = connection.execute(f"SELECT {asked} FROM {view}").fetchall()
    for place, infinite in zip(floats, answers, strict=True):
        if infinite:
            raise LikelyError(
                f"column {names[place]!r} holds infinity, which {what} cannot: "
                "write CSV or Parquet, or mark it as missing"
            )


class Excel:
    """An Excel workbook, written row by row."""

    def __init__(self, desk: Desk) -> None:
        try:
            import xlsxwriter
        except ImportError as error:
            raise LikelyError("writing Excel needs xlsxwriter: pip install 'likely[excel]'") from error
        self.connection, self.file, self.path = desk.connection, desk.file, desk.folder / "book.xlsx"
        options = {"constant_memory": True, "tmpdir": str(desk.folder)}
        self.book = xlsxwriter.Workbook(str(self.path), options)
        desk.later.callback(self._close)
        self.sheet = self.book.add_worksheet()
        self.day = self.book.add_format({"num_format": "yyyy-mm-dd"})
        self.moment = self.book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self.row = 0

    def start(self, names: Sequence[str]) -> None:
        """Write the header."""
        if len(names) > _COLUMNS:
            raise LikelyError(
                f"a sheet has room for {_COLUMNS} columns, not {len(names)}: write Parquet or CSV"
            )
        for place, name in enumerate(names):
            self.sheet.write_string(0, place, name)

    def add(self, view: str, names: Sequence[str]) -> None:
        """Write the rows."""
        refuse_infinities(self.connection, view, names, "a sheet")
        answer = self.connection.execute(f"FROM {view}")
        while rows := answer.fetchmany(10_000):
            if self.row + len(rows) >= _ROWS:
                raise LikelyError(f"a sheet has room for {_ROWS - 1} rows: write Parquet or CSV")
            for row in rows:
                self.row += 1
                for place, value in enumerate(row):
                    self._cell(place, value, names[place])

    def finish(self) -> None:
        """Close the workbook."""
        self._close()
        with self.path.open("rb") as book:
            shutil.copyfileobj(book, self.file, 1 << 20)

    def _close(self) -> None:
        if not self.book.fileclosed:
            self.book.close()

    def _cell(self, place: int, value: object, name: str) -> None:
        at = (self.row, place)
        if value is None:
            return
        if isinstance(value, bool):
            self.sheet.write_boolean(*at, value)
        elif isinstance(value, float) or (isinstance(value, int) and abs(value) <= _EXACT):
            self.sheet.write_number(*at, value)
        elif isinstance(value, date) and value.year >= 1900 and getattr(value, "tzinfo", None) is None:
            self.sheet.write_datetime(*at, value, self.moment if isinstance(value, datetime) else self.day)
        elif len(text := str(value)) <= _LONGEST:
            self.sheet.write_string(*at, text)
        else:
            raise LikelyError(
                f"column {name!r}, row {self.row - 1} holds {len(text)} characters, and a cell of a sheet "
                f"has room for {_LONGEST}: write Parquet or CSV"
            )


Maker = Callable[[Desk], Form]

_FORMS: dict[str, Maker] = {
    ".csv": Csv,
    ".tsv": partial(Csv, separator="\t"),
    ".json": partial(Json, array=True),
    ".jsonl": Json,
    ".ndjson": Json,
    ".parquet": Parquet,
    ".pq": Parquet,
    ".xlsx": Excel,
}


def form_for(path: str | Path) -> Maker:
    """The format that the suffix of a file names; standard output is CSV.

    >>> form_for("people.parquet").__name__
    'Parquet'
    """
    if str(path) == "-":
        return Csv
    *_, inner, outer = ["", "", *(suffix.lower() for suffix in Path(path).suffixes)]
    if outer == ".gz" and inner in _ALSO_GZIPPED:
        return partial(_Gzipped, _FORMS[inner])
    if outer not in _FORMS:
        shown = "".join((inner if outer == ".gz" else "", outer))
        raise LikelyError(
            f"{path}: suffix {shown!r} is not known\n"
            f"What can be written is {', '.join(_FORMS)}; .csv, .tsv and the JSON ones also with .gz"
        )
    return _FORMS[outer]


class _Gzipped:
    """A form whose bytes are compressed on their way to the file."""

    def __init__(self, maker: Maker, desk: Desk) -> None:
        self.packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=desk.file, mtime=0)
        desk.later.callback(self.packed.close)
        self.inner = maker(replace(desk, file=self.packed))  # type: ignore[arg-type]

    def start(self, names: Sequence[str]) -> None:
        self.inner.start(names)

    def add(self, view: str, names: Sequence[str]) -> None:
        self.inner.add(view, names)

    def finish(self) -> None:
        self.inner.finish()
        self.packed.close()
