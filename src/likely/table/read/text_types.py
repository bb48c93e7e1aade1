"""Which type a column of texts has. Every value is looked at, so no late row can come as a surprise."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from likely.table.read.column import RawColumn
from likely.table.read.duck import fetched, quoted
from likely.table.read.missing_marks import Marks

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
    connection: DuckDBPyConnection, allowed: Sequence[Collection[str]], marks: Marks
) -> list[RawColumn]:
    """The columns c0, c1, ... of the table `texts`, each as the first allowed type that holds."""
    types = text_types(connection, allowed)
    # Spaces around a number are no reason to refuse it; a text keeps its own.
    cells = [
        f"c{place}" if plain == "VARCHAR" else f"trim(c{place}) AS c{place}"
        for place, plain in enumerate(types)
    ]
    return fetched(connection, f"(SELECT {', '.join(cells)} FROM texts)", types, marks)


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
        answers = aggregates(connection, [_holds(place, plain) for place, plain in tried.items()])
        for (place, plain), holds in zip(tried.items(), answers, strict=True):
            if holds:
                chosen[place] = plain
                open_types[place] = []
    return chosen


def _fits(example: str | None, plain: str) -> bool:
    return example is not None and re.fullmatch(PATTERNS[plain], example.strip(" ")) is not None


def _holds(place: int, plain: str) -> str:
    text = f"trim(c{place})"
    # The pattern alone would let 2013-02-30 through; the cast alone would make 1.5 whole and 1_000 a number.
    holds = (
        f"regexp_full_match({text}, {quoted(PATTERNS[plain])}) AND TRY_CAST({text} AS {plain}) IS NOT NULL"
    )
    return f"bool_and({holds}) FILTER (WHERE c{place} IS NOT NULL)"


def aggregates(connection: DuckDBPyConnection, wanted: Sequence[str]) -> list[Any]:
    """The answers to SQL aggregates over the table `texts`."""
    answers: list[Any] = []
    for start in range(0, len(wanted), _AT_ONCE):
        asked = ", ".join(wanted[start : start + _AT_ONCE])
        # All that there is to fetch: DuckDB 2 takes no query of another sort before that.
        answers += connection.execute(f"SELECT {asked} FROM texts").fetchall()[0]
    return answers
