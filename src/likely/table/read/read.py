"""`read`: a file, a query or the name of a bundled table in, a frame of your library out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from likely.errors import LikelyError
from likely.table.read.bundled_tables import bundled_columns
from likely.table.read.column import RawColumn
from likely.table.read.csv_file import csv_columns
from likely.table.read.database import duckdb_columns, sqlite_columns
from likely.table.read.encoding import in_utf8
from likely.table.read.into import in_library, library_for
from likely.table.read.json_lines import json_columns
from likely.table.read.missing_marks import Marks
from likely.table.read.options import OPTIONS, ReadOptions
from likely.table.read.source import bundled_name, existing_file, format_of
from likely.table.read.typed import arrow_columns, parquet_columns, sheet_columns
from likely.table.read.written_numbers import decimal_styles, say_written

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


def read(
    source: str | Path,
    *,
    query: str | None = None,
    missing: str | float | Iterable[str | float] = (),
    decimal: str | None = None,
    encoding: str | None = None,
    into: Literal["pandas", "polars", "pyarrow", "dict"] | None = None,
) -> Any:
    """Read a table.

    `source` is the path of a CSV, TSV or JSON file (also `.gz`), of a Parquet, Arrow (Feather), Excel,
    DuckDB or SQLite file, or the name of a bundled table: "titanic", "play_tennis" or "emails". A
    database file with more than one table needs a `query`. Of a workbook the first sheet is read.

    Empty cells, `?` and `NA` are missing, and so is every mark in `missing` (texts or numbers); spaces
    around a mark do not matter. A column that has only missing values is a float column of NaN.

    `into` is the library of the answer: by default the first of pandas, Polars and PyArrow that is
    installed, else a dict of NumPy columns. Whole numbers with missing values are float in pandas and in
    a dict.

    Numbers may be written as people write them: $1,752, 16.5%, 12 500 €, (1,234) for a negative one; and
    1.002,06 where a comma comes before fractions, if a column shows it, or `decimal` says so for all of them.
    A notice tells which columns. Text files are UTF-8, or of the `encoding` that is given; what is neither
    UTF-8 nor UTF-16 is taken for Latin-1, with a notice.

    In text files every value counts when the type of a column is chosen: true/false are truth values, ISO
    dates are dates, and codes with leading zeros stay text. The first row is the header, and the
    separator is the one of `,` `;` tab `|` that gives it most names.

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
    options = OPTIONS.get().over(missing, decimal, encoding)
    marks = Marks.of(options.missing)
    columns = raw_columns(source, query, marks, options)
    if options.decimal is None:
        say_written({name: column.written for name, column in columns.items() if column.written is not None})
    return in_library({name: column.without(marks) for name, column in columns.items()}, library)


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
        with in_utf8(path, options.encoding) as text:
            return csv_columns(text, marks, styles)
    return _FILES[form](path, marks)
