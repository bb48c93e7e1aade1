"""Files of text, plain or gzipped: CSV, TSV and JSON lines. All values together choose a column's type."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from likely.errors import LikelyError
from likely.table.read.column import Marks, RawColumn, column_names
from likely.table.read.csv_layout import CsvLayout, not_utf8, opened_text
from likely.table.read.duck import (
    compression,
    connected,
    fetched,
    is_gzip,
    quoted,
    quoted_path,
    unmarked,
    unreadable,
)
from likely.table.read.gap_words import GAPS
from likely.table.read.wide_files import MOST_BYTES, WIDE, number_columns
from likely.table.read.written_dates import DateStyle, date_styles
from likely.table.read.written_numbers import COMMA, Style, most_written, written_styles

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?"
_WHOLE, _POINT = "(0|[1-9][0-9]{0,17})", "((0|[1-9][0-9]*)[.][0-9]*|[.][0-9]+)"
# From narrow to wide: a column has the first type that all its values have. Leading zeros (007, ZIP codes)
# and whole numbers beyond 64 bits make codes, which stay text.
PATTERNS = {
    "BOOLEAN": "(?i:true|false)",
    "BIGINT": "[+-]?(0|[1-9][0-9]{0,18})",
    "DOUBLE": f"(?i:nan|[+-]?inf|[+-]?({_WHOLE}|{_POINT})(e[+-]?[0-9]+)?)",
    "DATE": _DAY,
    "TIMESTAMP": f"{_DAY}([T ]{_CLOCK})?",
    "TIMESTAMPTZ": f"{_DAY}[T ]{_CLOCK}(Z|[+-][0-9]{{2}}(:?[0-9]{{2}})?)",
}


_AT_ONCE = 100  # aggregates in a query: DuckDB's planning time grows with their square
_LONGEST_LINE = 100_000_000  # bytes; DuckDB's own 2 MB is less than some documents
_BARE = ("BOOLEAN", "BIGINT", "DOUBLE")
_IN_QUOTES = ("DATE", "TIMESTAMP", "TIMESTAMPTZ")  # "1234" in quotes is a text, and stays one


def typed_columns(
    connection: DuckDBPyConnection,
    allowed: Sequence[Collection[str]],
    marks: Marks,
    styles: Sequence[Style] = (),
) -> list[RawColumn]:
    """The columns c0, c1, ... of the table `texts`, each as the first allowed type that holds.

    Texts that are all numbers of one of the styles are numbers too, and dates may be written as people do.
    """
    types, written, doubtful = written_types(connection, allowed, styles)
    gaps = gapped_numbers(connection, types, styles)
    if gaps:
        emptied = ", ".join(f"{_ungapped(place)} AS c{place}" for place in gaps)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE texts AS SELECT * REPLACE ({emptied}) FROM texts")
        types, written, doubtful = written_types(connection, allowed, styles)
    # Spaces around a number are no reason to refuse it; a text keeps its own.
    cells = [
        f"c{place}" if plain == "VARCHAR" else f"{_plain(place, written)} AS c{place}"
        for place, plain in enumerate(types)
    ]
    columns = fetched(connection, f"(SELECT {', '.join(cells)} FROM texts)", types, marks)
    examples = dict(zip(written, aggregates(connection, [_example(place) for place in written]), strict=True))
    examples |= doubtful
    orders = {place: style.order for place, style in written.items() if isinstance(style, DateStyle)}
    return [
        replace(column, written=examples.get(place), order=orders.get(place), gap=gaps.get(place))
        for place, column in enumerate(columns)
    ]


def written_types(
    connection: DuckDBPyConnection, allowed: Sequence[Collection[str]], styles: Sequence[Style]
) -> tuple[list[str], dict[int, Style | DateStyle], dict[int, str]]:
    """The types of the columns of `texts`, the styles of those that are written in no plain way, and doubts.

    The doubts are examples of dates of which the column does not say whether day or month is first.
    """
    everywhere = styles == (COMMA,)  # what looks like a plain number is none: 1.500 is fifteen hundred
    written = _written(connection, range(len(allowed)), styles) if everywhere else {}
    types = text_types(connection, [() if place in written else own for place, own in enumerate(allowed)])
    if not everywhere:
        texts = [place for place, plain in enumerate(types) if plain == "VARCHAR"]
        written = _written(connection, texts, styles)
    whole = aggregates(connection, [_all_are(place, "BIGINT", written) for place in written])
    for place, holds in zip(written, whole, strict=True):
        types[place] = "BIGINT" if holds else "DOUBLE"
    if not styles:
        return types, dict(written), {}
    texts = [place for place, plain in enumerate(types) if plain == "VARCHAR"]
    dates, doubtful = dates_in(connection, texts)
    for place, style in dates.items():
        types[place] = style.type
    return types, {**written, **dates}, doubtful


def gapped_numbers(
    connection: DuckDBPyConnection, types: Sequence[str], styles: Sequence[Style]
) -> dict[int, str]:
    """The text columns of `texts` that would be numbers but for words such as n/a, and one such word of each.

    There are more numbers than words.
    """
    texts = [place for place, plain in enumerate(types) if plain == "VARCHAR"] if styles else []
    first = aggregates(connection, [f"any_value(trim(c{p})) FILTER ({_ungapped(p)} IS NULL)" for p in texts])
    words = {place: word for place, word in zip(texts, first, strict=True) if word is not None}
    if not words:
        return {}
    most = aggregates(connection, [f"2 * count({_ungapped(place)}) > count(c{place})" for place in words])
    words = {place: word for (place, word), holds in zip(words.items(), most, strict=True) if holds}
    numbers = ", ".join(f"{_ungapped(place)} AS c{place}" for place in words)
    source = f"(SELECT {numbers or 0} FROM texts)"
    plain = aggregates(connection, [_all_are(place, "DOUBLE") for place in words], source)
    held = {place for place, holds in zip(words, plain, strict=True) if holds and styles != (COMMA,)}
    held |= written_styles(list(words), styles, lambda asked: aggregates(connection, asked, source)).keys()
    return {place: word for place, word in words.items() if place in held}


def _ungapped(place: int) -> str:
    """The SQL for a cell that is null where a word for missing stands, and where it was null."""
    return unmarked(f"c{place}", Marks(GAPS, ()))


def dates_in(
    connection: DuckDBPyConnection, places: Sequence[int], *, all_cells: bool = True
) -> tuple[dict[int, DateStyle], dict[int, str]]:
    """The styles of those columns of `texts` that hold dates which are not ISO, and examples of doubts."""
    return date_styles(places, lambda asked: aggregates(connection, asked), all_cells)


def styles_of_numbers(
    connection: DuckDBPyConnection, places: Sequence[int], styles: Sequence[Style]
) -> dict[int, Style]:
    """The styles of the columns of `texts` that should be numbers, where not all are plain ones.

    Of a column that has something else too, the style that most of its cells have.
    """
    if styles != (COMMA,):
        plain = aggregates(connection, [_all_are(place, "DOUBLE") for place in places])
        places = [place for place, holds in zip(places, plain, strict=True) if not holds]
    held = _written(connection, places, styles)
    odd = [place for place in places if place not in held]
    return held | most_written(odd, styles, lambda asked: aggregates(connection, asked))


def _written(
    connection: DuckDBPyConnection, places: Sequence[int], styles: Sequence[Style]
) -> dict[int, Style]:
    return written_styles(places, styles, lambda asked: aggregates(connection, asked))


def _plain(place: int, written: Mapping[int, Style | DateStyle] = MappingProxyType({})) -> str:
    """The SQL for a cell as a plain number or date."""
    text = f"trim(c{place})"
    return written[place].plain(text) if place in written else text


def _example(place: int) -> str:
    """The SQL for a text that is no plain number, if there is one."""
    return f"any_value(c{place}) FILTER (WHERE NOT {_is(f'trim(c{place})', 'DOUBLE')})"


def text_types(connection: DuckDBPyConnection, allowed: Sequence[Collection[str]]) -> list[str]:
    """The first allowed type that holds for each of the columns c0, c1, ... of the table `texts`."""
    examples = aggregates(connection, [f"any_value(c{place})" for place in range(len(allowed))])
    # One example rules most types out: a column can only have a type that its example has.
    open_types = [
        [plain for plain in PATTERNS if plain in types and _fits(example, plain)]
        for example, types in zip(examples, allowed, strict=True)
    ]
    chosen = ["VARCHAR"] * len(allowed)
    while asked := [place for place, types in enumerate(open_types) if types]:
        tried = {place: open_types[place].pop(0) for place in asked}
        answers = aggregates(connection, [_all_are(place, plain) for place, plain in tried.items()])
        for (place, plain), holds in zip(tried.items(), answers, strict=True):
            if holds:
                chosen[place] = plain
                open_types[place] = []
    return chosen


def _fits(example: str | None, plain: str) -> bool:
    return example is not None and re.fullmatch(PATTERNS[plain], example.strip(" ")) is not None


def _all_are(place: int, plain: str, written: Mapping[int, Style | DateStyle] = MappingProxyType({})) -> str:
    return f"bool_and({_is(_plain(place, written), plain)}) FILTER (WHERE c{place} IS NOT NULL)"


def _is(text: str, plain: str) -> str:
    # The pattern alone would let 2013-02-30 through; the cast alone would make 1.5 whole and 1_000 a number.
    return (
        f"(regexp_full_match({text}, {quoted(PATTERNS[plain])}) AND TRY_CAST({text} AS {plain}) IS NOT NULL)"
    )


def aggregates(connection: DuckDBPyConnection, wanted: Sequence[str], source: str = "texts") -> list[Any]:
    """The answers to SQL aggregates over the table `texts`, or what is made of it."""
    answers: list[Any] = []
    for start in range(0, len(wanted), _AT_ONCE):
        asked = ", ".join(wanted[start : start + _AT_ONCE])
        # All that there is to fetch: DuckDB 2 takes no query of another sort before that.
        answers += connection.execute(f"SELECT {asked} FROM {source}").fetchall()[0]
    return answers


def csv_columns(
    path: Path, layout: CsvLayout, marks: Marks, styles: Sequence[Style] = ()
) -> dict[str, RawColumn]:
    """The columns of a CSV or TSV file, missing marks taken out before the types are chosen."""
    import duckdb

    d = len(layout.names)
    numbers = _wide_numbers(path, layout, marks) if d >= WIDE and styles != (COMMA,) else {}
    rest = [place for place in range(d) if place not in numbers]
    columns = dict(numbers)
    if rest:
        cells = ", ".join(f"{unmarked(f'c{place}', marks)} AS c{i}" for i, place in enumerate(rest))
        with connected() as connection:
            try:
                connection.execute(
                    f"CREATE TEMP TABLE texts AS SELECT {cells} FROM {csv_cells(path, layout)}"
                )
            except duckdb.Error as error:
                raise diagnosis(path, layout, error) from error
            typed = typed_columns(connection, [PATTERNS] * len(rest), marks, styles)
        columns |= dict(zip(rest, typed, strict=True))
    return {name: columns[place] for place, name in enumerate(layout.names)}


def _wide_numbers(path: Path, layout: CsvLayout, marks: Marks) -> dict[int, RawColumn]:
    if path.stat().st_size > MOST_BYTES // (10 if is_gzip(path) else 1):
        return {}
    with opened_text(path) as lines:
        return number_columns(
            lines,
            layout.separator,
            layout.skip,
            len(layout.names),
            marks,
            PATTERNS["BIGINT"],
            PATTERNS["DOUBLE"],
        )


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


def diagnosis(path: Path, layout: CsvLayout, error: Exception) -> LikelyError:
    """What is wrong with the rows, in the words of the file rather than of DuckDB's parser."""
    expected = len(layout.names)
    try:
        with opened_text(path) as lines:
            rows = csv.reader(lines, delimiter=layout.separator)
            line = 1  # where the row starts: a quoted cell may hold line breaks
            for place, row in enumerate(rows, 1):
                # empty cells too many at the end of a row are no fault for DuckDB, and lose nothing
                ragged = len(row) < expected or any(row[expected:])
                if row and ragged and place > layout.skip:
                    return LikelyError(
                        f"{layout.source}, line {line}: expected {expected} columns, found {len(row)}; "
                        f'mend the line (a cell that holds {layout.written!r} needs "quotes" around it)'
                    )
                line = rows.line_num + 1
    except UnicodeDecodeError:
        return not_utf8(path)
    except (csv.Error, EOFError, OSError) as failure:
        return unreadable(layout.source, "CSV", failure)
    return LikelyError(
        f"{unreadable(layout.source, 'CSV', error)}\n"
        "Usual causes are mixed line endings and text after a closing quote; save it with one line ending"
    )


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
