"""Which type a column of texts has. Every value is looked at, so no late row can come as a surprise."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from likely.table.read.column import RawColumn
from likely.table.read.duck import fetched, quoted
from likely.table.read.missing_marks import Marks
from likely.table.read.written_numbers import COMMA, Style, written_styles

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?"
_WHOLE, _POINT = "(0|[1-9][0-9]{0,17})", "((0|[1-9][0-9]*)[.][0-9]*|[.][0-9]+)"
# From narrow to wide: a column has the first type that all its values have. Leading zeros (007, ZIP codes)
# and whole numbers beyond 64 bits make codes, which stay text; so do dates that are not
# ISO (day or month first?).
PATTERNS = {
    "BOOLEAN": "(?i:true|false)",
    "BIGINT": "[+-]?(0|[1-9][0-9]{0,18})",
    "DOUBLE": f"(?i:nan|[+-]?inf|[+-]?({_WHOLE}|{_POINT})(e[+-]?[0-9]+)?)",
    "DATE": _DAY,
    "TIMESTAMP": f"{_DAY}([T ]{_CLOCK})?",
    "TIMESTAMPTZ": f"{_DAY}[T ]{_CLOCK}(Z|[+-][0-9]{{2}}(:?[0-9]{{2}})?)",
}


_AT_ONCE = 100  # aggregates in a query: DuckDB's planning time grows with their square


def typed_columns(
    connection: DuckDBPyConnection,
    allowed: Sequence[Collection[str]],
    marks: Marks,
    styles: Sequence[Style] = (),
) -> list[RawColumn]:
    """The columns c0, c1, ... of the table `texts`, each as the first allowed type that holds.

    Texts that are all numbers of one of the styles are numbers too.
    """
    types, written = written_types(connection, allowed, styles)
    # Spaces around a number are no reason to refuse it; a text keeps its own.
    cells = [
        f"c{place}" if plain == "VARCHAR" else f"{_plain(place, written)} AS c{place}"
        for place, plain in enumerate(types)
    ]
    columns = fetched(connection, f"(SELECT {', '.join(cells)} FROM texts)", types, marks)
    examples = dict(zip(written, aggregates(connection, [_example(place) for place in written]), strict=True))
    return [replace(column, written=examples.get(place)) for place, column in enumerate(columns)]


def written_types(
    connection: DuckDBPyConnection, allowed: Sequence[Collection[str]], styles: Sequence[Style]
) -> tuple[list[str], dict[int, Style]]:
    """The types of the columns of `texts`, and the styles of those that are written in no plain way."""
    everywhere = styles == (COMMA,)  # what looks like a plain number is none: 1.500 is fifteen hundred
    written = _written(connection, range(len(allowed)), styles) if everywhere else {}
    types = text_types(connection, [() if place in written else own for place, own in enumerate(allowed)])
    if not everywhere:
        texts = [place for place, plain in enumerate(types) if plain == "VARCHAR"]
        written = _written(connection, texts, styles)
    whole = aggregates(connection, [_all_are(place, "BIGINT", written) for place in written])
    for place, holds in zip(written, whole, strict=True):
        types[place] = "BIGINT" if holds else "DOUBLE"
    return types, written


def styles_of_numbers(
    connection: DuckDBPyConnection, places: Sequence[int], styles: Sequence[Style]
) -> dict[int, Style]:
    """The styles of the columns of `texts` that should be numbers, where not all are plain ones."""
    if styles != (COMMA,):
        plain = aggregates(connection, [_all_are(place, "DOUBLE") for place in places])
        places = [place for place, holds in zip(places, plain, strict=True) if not holds]
    return _written(connection, places, styles)


def _written(
    connection: DuckDBPyConnection, places: Sequence[int], styles: Sequence[Style]
) -> dict[int, Style]:
    return written_styles(places, styles, lambda asked: aggregates(connection, asked))


def _plain(place: int, written: Mapping[int, Style] = MappingProxyType({})) -> str:
    """The SQL for a cell as a plain number."""
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


def _all_are(place: int, plain: str, written: Mapping[int, Style] = MappingProxyType({})) -> str:
    return f"bool_and({_is(_plain(place, written), plain)}) FILTER (WHERE c{place} IS NOT NULL)"


def _is(text: str, plain: str) -> str:
    # The pattern alone would let 2013-02-30 through; the cast alone would make 1.5 whole and 1_000 a number.
    return (
        f"(regexp_full_match({text}, {quoted(PATTERNS[plain])}) AND TRY_CAST({text} AS {plain}) IS NOT NULL)"
    )


def aggregates(connection: DuckDBPyConnection, wanted: Sequence[str]) -> list[Any]:
    """The answers to SQL aggregates over the table `texts`."""
    answers: list[Any] = []
    for start in range(0, len(wanted), _AT_ONCE):
        asked = ", ".join(wanted[start : start + _AT_ONCE])
        # All that there is to fetch: DuckDB 2 takes no query of another sort before that.
        answers += connection.execute(f"SELECT {asked} FROM texts").fetchall()[0]
    return answers
