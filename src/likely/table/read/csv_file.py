"""CSV and TSV, plain or gzipped: we read the header, DuckDB the rows, and `read_texts` chooses the types."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from likely.errors import LikelyError
from likely.table.read.column import RawColumn, column_names
from likely.table.read.duck import compression, connected, is_gzip, quoted, quoted_path, unmarked, unreadable
from likely.table.read.missing_marks import Marks
from likely.table.read.text_types import PATTERNS, typed_columns
from likely.table.read.written_numbers import Style

_SEPARATORS = ",;\t|"  # the one that cuts the header into most names; on a draw, the first
_LONGEST_LINE = 100_000_000  # bytes; DuckDB's own 2 MB is less than some documents


@dataclass(frozen=True)
class CsvLayout:
    """How the text of a file is cut into cells."""

    names: list[str]
    separator: str
    skip: int  # rows up to and including the header, blank ones counted


def csv_columns(path: Path, marks: Marks, styles: Sequence[Style] = ()) -> dict[str, RawColumn]:
    """The columns of a CSV or TSV file, missing marks taken out before the types are chosen."""
    import duckdb

    layout = layout_of(path)
    wanted = ", ".join(f"{unmarked(f'c{place}', marks)} AS c{place}" for place in range(len(layout.names)))
    with connected() as connection:
        try:
            connection.execute(f"CREATE TEMP TABLE texts AS SELECT {wanted} FROM {csv_cells(path, layout)}")
        except duckdb.Error as error:
            raise diagnosis(path, layout, error) from error
        columns = typed_columns(connection, [PATTERNS] * len(layout.names), marks, styles)
    return dict(zip(layout.names, columns, strict=True))


def csv_cells(path: Path, layout: CsvLayout, longest_line: int = _LONGEST_LINE) -> str:
    """The SQL source of all cells of a file as the texts they are: columns c0, c1, ..."""
    places = range(len(layout.names))
    # With one column DuckDB takes blank lines for missing values; written down, such a value is "".
    blank_lines = "WHERE c0 IS NOT NULL" if len(places) == 1 else ""
    options = {
        "auto_detect": "false",  # no guess may change which rows are read, and how
        "header": "false",
        "skip": str(layout.skip),
        "columns": "{" + ", ".join(f"'c{place}': 'VARCHAR'" for place in places) + "}",
        "delim": quoted(layout.separator),
        "quote": quoted('"'),
        "escape": quoted('"'),
        "allow_quoted_nulls": "false",
        "compression": compression(path),
        "max_line_size": str(longest_line),
        "buffer_size": str(2 * longest_line),  # by default 16 times as much, and several are held at once
        "hive_partitioning": "false",  # a folder called year=2020 adds no column
    }
    settings = ", ".join(f"{name}={value}" for name, value in options.items())
    return f"(FROM read_csv({quoted_path(path)}, {settings}) {blank_lines})"


def _opened(path: Path) -> IO[str]:
    how: Any = gzip.open if is_gzip(path) else open
    opened: IO[str] = how(path, "rt", encoding="utf-8-sig", newline="")
    return opened


def layout_of(path: Path) -> CsvLayout:
    """The names of the columns, and how the file is cut: by its first row that is not blank."""
    separators = "\t" if path.name.lower().endswith((".tsv", ".tsv.gz")) else _SEPARATORS
    readings = {separator: _header(path, separator) for separator in separators}
    separator = max(readings, key=lambda separator: len(readings[separator][0]))
    header, skip = readings[separator]
    return CsvLayout(column_names(header, path), separator, skip)


def _header(path: Path, separator: str) -> tuple[list[str], int]:
    try:
        with _opened(path) as lines:
            for place, row in enumerate(csv.reader(lines, delimiter=separator), 1):
                if any(name.strip() for name in row):
                    return row, place
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except (csv.Error, EOFError, OSError) as error:
        raise unreadable(path, "CSV", error) from error
    raise LikelyError(f"{path} is empty; a table needs a first row with the names of its columns")


def diagnosis(path: Path, layout: CsvLayout, error: Exception) -> LikelyError:
    """What is wrong with the rows, in the words of the file rather than of DuckDB's parser."""
    expected = len(layout.names)
    try:
        with _opened(path) as lines:
            rows = csv.reader(lines, delimiter=layout.separator)
            line = 1  # where the row starts: a quoted cell may hold line breaks
            for place, row in enumerate(rows, 1):
                # empty cells too many at the end of a row are no fault for DuckDB, and lose nothing
                ragged = len(row) < expected or any(row[expected:])
                if row and ragged and place > layout.skip:
                    return LikelyError(
                        f"{path}, line {line}: expected {expected} columns, found {len(row)}; "
                        f'mend the line (a cell that holds {layout.separator!r} needs "quotes" around it)'
                    )
                line = rows.line_num + 1
    except UnicodeDecodeError:
        return _not_utf8(path)
    except (csv.Error, EOFError, OSError) as failure:
        return unreadable(path, "CSV", failure)
    return LikelyError(
        f"{unreadable(path, 'CSV', error)}\n"
        "Usual causes are mixed line endings and text after a closing quote; save it with one line ending"
    )


def _not_utf8(path: Path) -> LikelyError:
    with gzip.open(path) if is_gzip(path) else path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                byte = f"0x{line[error.start]:02x}"
                return LikelyError(f"{path}, line {number}: byte {byte} is not UTF-8; save the file as UTF-8")
    return LikelyError(f"{path} is not UTF-8; save the file as UTF-8")
