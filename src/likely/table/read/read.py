"""`read`: a file, a query or the name of a bundled table in, a frame of your library out."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from likely.errors import LikelyError
from likely.table.read.column import Marks, RawColumn
from likely.table.read.csv_layout import TEXT_SUFFIXES, csv_text, layout_of
from likely.table.read.gap_words import say_gaps
from likely.table.read.into import in_library, library_for
from likely.table.read.options import OPTIONS, ReadOptions
from likely.table.read.text_files import csv_columns, json_columns
from likely.table.read.typed_files import (
    arrow_columns,
    database_format,
    duckdb_columns,
    parquet_columns,
    sheet_columns,
    sqlite_columns,
)
from likely.table.read.written_dates import say_dates
from likely.table.read.written_numbers import decimal_styles, say_written

_FOLDER = Path(__file__).parents[1] / "bundled"
_FORMATS = {
    "csv": TEXT_SUFFIXES,
    "json": (".jsonl", ".ndjson", ".json"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".ipc", ".feather"),
    "sheet": (".xlsx", ".xls", ".ods"),
    "database": (".duckdb", ".sqlite", ".sqlite3", ".db"),
}
_ALSO_GZIPPED = ("csv", "json")
_FILES: dict[str, Callable[[Path, Marks], dict[str, RawColumn]]] = {
    "json": json_columns,
    "parquet": parquet_columns,
    "arrow": arrow_columns,
    "sheet": sheet_columns,
}
_DATABASES: dict[str, Callable[[Path, Marks, str | None], dict[str, RawColumn]]] = {
    "duckdb": duckdb_columns,
    "sqlite": sqlite_columns,
}


def bundled_names() -> list[str]:
    """The names that `read` knows without a file.

    >>> bundled_names()
    ['customers', 'emails', 'play_tennis', 'titanic']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.csv"))


def bundled_columns(name: str, marks: Marks) -> dict[str, RawColumn]:
    """A bundled table; one that was published as counts (column `count`) comes back as its rows."""
    path = _FOLDER / f"{name}.csv"
    columns = csv_columns(path, layout_of(path), marks)
    counts = columns.pop("count", None)
    if counts is None:
        return columns
    return {name: column.repeated(counts.values) for name, column in columns.items()}


_FORMAT_OF = {suffix: name for name, suffixes in _FORMATS.items() for suffix in suffixes}


def bundled_name(source: str | Path) -> str | None:
    """The bundled table that a bare word means, unless a file of that name lies here."""
    name = str(source)
    return name if name in bundled_names() and not Path(name).is_file() else None


def existing_file(source: str | Path) -> Path:
    """The file a source means; it exists and has something in it."""
    path = Path(source).expanduser()
    if path.is_dir():
        raise LikelyError(f"{path} is a folder; name one file in it")
    if not path.is_file():
        raise LikelyError(f"there is no file {path}{_hint(path)}")
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise LikelyError(f"{path} cannot be read: {error.strerror}") from error
    if empty:
        raise LikelyError(f"{path} is empty; a table needs at least the names of its columns")
    return path


def _hint(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f" (nor a folder {folder})"
    bare = path.name == str(path)
    here = [entry.name for entry in folder.iterdir() if entry.is_file()]
    near = difflib.get_close_matches(path.name, here + (bundled_names() if bare else []), n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return (
        f"; tables that need no file are {', '.join(map(repr, bundled_names()))}"
        if bare and not path.suffix
        else ""
    )


def format_of(path: Path) -> str:
    """The format of a file: by its first bytes for databases, else by its suffix."""
    database = database_format(path)
    if database:
        return database
    *_, inner, outer = ["", "", *(suffix.lower() for suffix in path.suffixes)]
    form = _FORMAT_OF.get(outer)
    if outer == ".gz" and _FORMAT_OF.get(inner) in _ALSO_GZIPPED:
        form = _FORMAT_OF[inner]
    if form == "database":
        raise LikelyError(f"{path} is neither a DuckDB nor an SQLite file, whatever its suffix says")
    if form is None:
        understood = ", ".join(_FORMAT_OF)
        raise LikelyError(
            f"{path}: suffix {''.join((inner if outer == '.gz' else '', outer))!r} is not known\n"
            f"Understood are {understood}; those of text also with .gz"
        )
    return form


def read(
    source: str | Path,
    *,
    query: str | None = None,
    missing: str | float | Iterable[str | float] = (),
    decimal: str | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    header: bool = True,
    into: Literal["pandas", "polars", "pyarrow", "dict"] | None = None,
) -> Any:
    """Read a table.

    `source` is the path of a CSV, TSV or JSON file (also `.gz`), of a Parquet, Arrow (Feather), Excel,
    DuckDB or SQLite file, or the name of a bundled table: "titanic", "play_tennis", "emails" or "customers".
    A database file with more than one table needs a `query`. Of a workbook the first sheet is read.

    Empty cells, `?` and `NA` are missing, and so is every mark in `missing` (texts or numbers); spaces
    around a mark do not matter. So are words such as n/a and null in a column whose other values are all
    numbers, with a notice. A column that has only missing values is a float column of NaN.

    `into` is the library of the answer: by default the first of pandas, Polars and PyArrow that is
    installed, else a dict of NumPy columns. Whole numbers with missing values are float in pandas and in
    a dict.

    Numbers may be written as people write them: $1,752, 16.5%, 12 500 €, (1,234) for a negative one; and
    1.002,06 where a comma comes before fractions, if a column shows it, or `decimal` says so for all of them.
    A notice tells which columns. Text files are UTF-8, or of the `encoding` that is given; what is neither
    UTF-8 nor UTF-16 is taken for Latin-1, with a notice.

    In text files every value counts when the type of a column is chosen: true/false are truth values, ISO
    dates are dates, and codes with leading zeros stay text. So are 31.12.2024 and 12/31/2024 dates, if the
    whole column shows which is the day, with a notice; where it does not, they stay text, with a notice.
    The first row holds the names of the columns, unless `header=False`: they are column1, column2, ... then.
    Between cells stands the `separator`, where " " is any number of spaces; without a word on it, the one
    of `,` `;` tab `|` that gives most names, or spaces, if they alone cut all rows alike.

    >>> tennis = read("play_tennis", into="dict")
    >>> tennis["outlook"][:4].tolist(), tennis["windy"][:4].tolist()
    (['sunny', 'sunny', 'overcast', 'rainy'], [False, True, False, False])
    >>> {name: len(column) for name, column in read("titanic", into="dict").items()}
    {'class': 2201, 'sex': 2201, 'age': 2201, 'survived': 2201}
    >>> read("titanik")
    Traceback (most recent call last):
    likely.errors.LikelyError: there is no file titanik; did you mean 'titanic'?
    """
    library = library_for(into)
    options = OPTIONS.get().over(missing, decimal, encoding, separator, header)
    marks = Marks.of(options.missing)
    columns = raw_columns(source, query, marks, options)
    _say_styles(columns, options)
    return in_library({name: column.without(marks) for name, column in columns.items()}, library)


def _say_styles(columns: Mapping[str, RawColumn], options: ReadOptions) -> None:
    """Notices of what is written as people write it."""
    told = {name: column for name, column in columns.items() if column.written is not None}
    numbers = {name: str(column.written) for name, column in told.items() if column.values.dtype.kind in "if"}
    if options.decimal is None:
        say_written(numbers)
    say_gaps({name: column.gap for name, column in columns.items() if column.gap is not None})
    dates = {name: (str(one.written), one.order) for name, one in told.items() if one.order is not None}
    say_dates(dates, {name: str(one.written) for name, one in told.items() if name not in {*numbers, *dates}})


def raw_columns(
    source: str | Path, query: str | None, marks: Marks, options: ReadOptions
) -> dict[str, RawColumn]:
    """The columns of a table, wherever it comes from."""
    styles = decimal_styles(options.decimal)
    bundled = bundled_name(source)
    path = None if bundled else existing_file(source)
    form = format_of(path) if path else "csv"
    if query is not None and form not in _DATABASES:
        raise LikelyError(
            f"query={query!r} needs a DuckDB or SQLite file, and {source} is not one; leave query out"
        )
    if path is None:
        return bundled_columns(str(bundled), marks)
    if form in _DATABASES:
        return _DATABASES[form](path, marks, query)
    if form == "csv":
        with csv_text(path, options) as (text, layout):
            return csv_columns(text, layout, marks, styles)
    return _FILES[form](path, marks)
