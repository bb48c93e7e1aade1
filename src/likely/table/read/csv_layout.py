"""How the text of a table is cut into cells: its separator, and the names in its first row."""

from __future__ import annotations

import csv
import gzip
import math
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import IO, Any

from likely.errors import LikelyError, notice
from likely.table.read.column import ALWAYS, column_names
from likely.table.read.duck import is_gzip, unreadable
from likely.table.read.encoding import in_utf8
from likely.table.read.options import ReadOptions

SPACES = " "  # any number of spaces and tabs between two cells
_SEPARATORS = ",;\t|"  # the one that cuts the header into most names; on a draw, the first
TEXT_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".dat", ".data")
_LOOKED_AT = 50  # rows that show whether spaces stand between cells


@dataclass(frozen=True)
class CsvLayout:
    """How the text of a file is cut into cells."""

    names: list[str]
    separator: str
    skip: int  # rows up to and including the header, blank ones counted
    source: Path  # the file that a person knows: what is read may be a copy of it
    written: str  # the separator there


@contextmanager
def csv_text(path: Path, options: ReadOptions) -> Iterator[tuple[Path, CsvLayout]]:
    """The text of a table in UTF-8 with one character between cells, a copy if need be; and its layout."""
    _check(options.separator)
    with in_utf8(path, options.encoding) as text, _cut_once(text, options.separator) as (cut, separator):
        layout = layout_of(cut, separator, options.header, path)
        yield cut, layout if cut is text else replace(layout, written=SPACES)


def _check(separator: str | None) -> None:
    if separator is not None and (len(separator) != 1 or separator in '"\r\n\0'):
        raise LikelyError(
            f"separator={separator!r} is none: give the one character between cells, such as ';', "
            "or ' ' for any number of spaces"
        )


def layout_of(
    path: Path, separator: str | None = None, header: bool = True, source: Path | None = None
) -> CsvLayout:
    """The names of the columns, and how the file is cut: by its first row that is not blank."""
    source = source or path
    separator, row, place = _first_row(path, separator)
    if not header:
        return CsvLayout(column_names([""] * len(row), source), separator, place - 1, source, separator)
    names = _names(row, source)
    if _is_data(row):
        example = next(cell for cell in row if _number(cell) is not None)
        notice(
            f"{source.name}: the first row is taken for the names of the columns, "
            f"but {example.strip()!r} looks like data; header=False reads it as a row."
        )
    return CsvLayout(names, separator, place, source, separator)


def _names(row: Sequence[str], path: Path) -> list[str]:
    try:
        return column_names(row, path)
    except LikelyError as error:
        if not _is_data(row):
            raise
        raise LikelyError(f"{error}; if the first row holds no names, say header=False") from None


def _first_row(path: Path, separator: str | None) -> tuple[str, list[str], int]:
    """The separator, the first row that is not blank, and its place from 1."""
    if separator is None:
        tabs = path.name.lower().endswith((".tsv", ".tsv.gz", ".tab", ".tab.gz"))
        tried = "\t" if tabs else _SEPARATORS
    else:
        tried = separator
    readings = {one: _header(path, one) for one in tried}
    best = max(readings, key=lambda one: len(readings[one][0]))
    return best, *readings[best]


def _header(path: Path, separator: str) -> tuple[list[str], int]:
    try:
        with opened_text(path) as lines:
            for place, row in enumerate(csv.reader(lines, delimiter=separator), 1):
                if any(name.strip() for name in row):
                    return row, place
    except UnicodeDecodeError as error:
        raise not_utf8(path) from error
    except (csv.Error, EOFError, OSError) as error:
        raise unreadable(path, "CSV", error) from error
    raise LikelyError(f"{path} is empty; a table needs a first row with the names of its columns")


def _is_data(header: Sequence[str]) -> bool:
    """Whether a first row holds numbers that are no names: fractions, or whole numbers in no rising order.

    >>> _is_data(["country", "1990", "1991"]), _is_data(["5.1", "3.5", "setosa"]), _is_data(["1", "0", "1"])
    (False, True, True)
    """
    numbers = [number for cell in header if (number := _number(cell)) is not None]
    rising = all(a < b for a, b in pairwise(numbers))
    return bool(numbers) and not (rising and all(number.is_integer() for number in numbers))


def _number(cell: str) -> float | None:
    """The finite number that a cell is."""
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def opened_text(path: Path) -> IO[str]:
    """A file of text in UTF-8, plain or gzipped."""
    how: Any = gzip.open if is_gzip(path) else open
    opened: IO[str] = how(path, "rt", encoding="utf-8-sig", newline="")
    return opened


def not_utf8(path: Path) -> LikelyError:
    """What to say of a file that is no UTF-8: where."""
    with gzip.open(path) if is_gzip(path) else path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                byte = f"0x{line[error.start]:02x}"
                return LikelyError(f"{path}, line {number}: byte {byte} is not UTF-8; save the file as UTF-8")
    return LikelyError(f"{path} is not UTF-8; save the file as UTF-8")


@contextmanager
def _cut_once(path: Path, separator: str | None) -> Iterator[tuple[Path, str | None]]:
    """A file whose cells have one character between them, and which, if that is known."""
    if separator != SPACES and (separator is not None or not _spaced(path)):
        yield path, separator
        return
    if separator is None:
        notice(f"{path.name} is cut into cells at its spaces; separator=',' or another says otherwise.")
    with tempfile.TemporaryDirectory(prefix="likely-") as folder:
        copy = Path(folder, path.name.removesuffix(".gz"))
        with copy.open("w", encoding="utf-8", newline="") as target:
            try:
                csv.writer(target, lineterminator="\n").writerows(_rows_between_spaces(path))
            except UnicodeDecodeError as error:
                raise not_utf8(path) from error
            except (csv.Error, EOFError, OSError) as error:
                raise unreadable(path, "CSV", error) from error
        yield copy, ","


def _spaced(path: Path) -> bool:
    """Whether spaces cut all rows alike, no other separator cuts any, and some column holds numbers."""
    try:
        if len(_first_row(path, None)[1]) > 1:
            return False
        rows = [row for row in islice(_rows_between_spaces(path), _LOOKED_AT) if row]
    except (LikelyError, UnicodeDecodeError, csv.Error, EOFError, OSError):
        return False  # whoever reads the file says what is wrong with it
    d = len(rows[0]) if rows else 0
    if d < 2 or len(rows) < 3 or any(len(row) != d for row in rows):
        return False
    return any(
        all(_number(cell) is not None or cell in ALWAYS for cell in cells)
        and any(_number(cell) is not None for cell in cells)
        for cells in zip(*rows[1:], strict=True)
    )


def _rows_between_spaces(path: Path) -> Iterator[list[str]]:
    """The rows of a file; a run of spaces and tabs is one separator, and cuts nothing at the end of a row."""
    with opened_text(path) as lines:
        between = (line.replace("\t", SPACES) for line in lines)
        for row in csv.reader(between, delimiter=SPACES, skipinitialspace=True):
            yield row[:-1] if row and not row[-1] else row
