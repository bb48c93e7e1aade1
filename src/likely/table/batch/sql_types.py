"""The SQL that turns the cells of a file into what a model or `read` takes them for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from likely.table.column.column import Column
from likely.table.column.kinds import FALSE, TRUE, Kind, Type
from likely.table.read.column import Marks
from likely.table.read.duck import quoted, unmarked
from likely.table.read.text_files import PATTERNS
from likely.table.read.written_dates import DateStyle
from likely.table.read.written_numbers import Style

TRUTH = "TRUTH"  # true, false, or a number that says the same
_EXACT = 2**53  # whole numbers beyond this are not told apart as floats
# What a text should have been, for the user who wrote something else.
SHOULD_HOLD = {
    TRUTH: "true or false (1 or 0)",
    "BOOLEAN": "true or false",
    "BIGINT": "whole numbers",
    "DOUBLE": "numbers",
    "DATE": "dates such as 2024-12-31",
    "TIMESTAMP": "times such as 2024-12-31 23:59:00",
    "TIMESTAMPTZ": "times with a time zone such as 2024-12-31T23:59:00Z",
}


@dataclass(frozen=True)
class Wanted:
    """A column to be typed: cell c<place> as a plain type."""

    name: str
    place: int
    plain: str
    from_text: bool  # whether the cells are texts, and the type is only a wish
    style: Style | DateStyle | None = None  # of numbers or dates that are written in no plain way

    def marks(self, marks: Marks) -> Marks:
        """The marks that hold in this column."""
        numbers = self.from_text and self.plain in ("BIGINT", "DOUBLE")
        return marks.among_numbers() if numbers else marks


def plain_type(column: Column) -> str:
    """The type in which a model needs the cells of a column that a file has as texts.

    >>> from likely.table.column.as_raw import as_raw
    >>> plain_type(Column.learn(as_raw("zip", ["007", "123"])))
    'VARCHAR'
    >>> plain_type(Column.learn(as_raw("age", [31, 4])))
    'DOUBLE'
    """
    if column.kind is Kind.TEXT or any(isinstance(level, str) for level in column.known):
        return "VARCHAR"
    if column.type is Type.DATETIME:
        return "TIMESTAMP" if column.zone is None else "TIMESTAMPTZ"
    if column.type is Type.DATE:
        return "DATE"
    if column.type in (Type.DURATION, Type.TIME) or (column.has_levels and not column.known):
        return "VARCHAR"
    if column.kind is Kind.BOOLEAN or column.type is Type.BOOLEAN:
        return TRUTH
    large = column.type is Type.INTEGER and any(abs(level) >= _EXACT for level in column.known)
    return "BIGINT" if large else "DOUBLE"


def typed_rows(cells: str, rows: Sequence[str], wanted: Sequence[Wanted], marks: Marks) -> str:
    """The query for `rows` as they are, each wanted column as t<i>, and whether a text `misfits` its type."""
    unmark = "".join(f", {_present(one, marks)} AS u{i}" for i, one in enumerate(wanted))
    values = "".join(f", {_value(one, f'u{i}')} AS v{i}" for i, one in enumerate(wanted))
    asked = [f"{_unless_marked(one, f'v{i}', marks)} AS t{i}" for i, one in enumerate(wanted)]
    doubtful = [i for i, one in enumerate(wanted) if one.from_text and one.plain != "VARCHAR"]
    misfits = " OR ".join(f"(u{i} IS NOT NULL AND v{i} IS NULL)" for i in doubtful) or "false"
    inner = f"(SELECT *{values} FROM (SELECT *{unmark} FROM {cells}))"
    return f"SELECT {', '.join([*rows, *asked])}, {misfits} AS misfits FROM {inner}"


def _present(one: Wanted, marks: Marks) -> str:
    """The cell, or null where a text is a mark for "missing"."""
    if one.from_text:
        return unmarked(f"c{one.place}", one.marks(marks))
    return unmarked(f"CAST(c{one.place} AS VARCHAR)", marks) if one.plain == "VARCHAR" else f"c{one.place}"


def _value(one: Wanted, cell: str) -> str:
    """The cell as its type; null also where a text is none of that type."""
    if one.plain == "VARCHAR":
        return cell
    if not one.from_text:
        return f"CAST({cell} AS {one.plain})"
    if one.plain == TRUTH:
        cell = _plain(one, cell)
        yes, no = (", ".join(map(quoted, words)) for words in (TRUE, FALSE))
        word = f"lower(trim({cell}))"
        said = f"CASE WHEN {word} IN ({yes}) THEN 1.0::DOUBLE WHEN {word} IN ({no}) THEN 0.0::DOUBLE"
        return f"{said} ELSE {_parsed(cell, 'DOUBLE')} END"
    return _parsed(_plain(one, cell), one.plain)


def _plain(one: Wanted, cell: str) -> str:
    """A number or a date in the plain way, if its column is written otherwise; others stay as they are."""
    if one.style is None:
        return cell
    text = f"trim({cell})"
    fits = f"regexp_full_match({text}, {quoted(one.style.pattern)})"
    return f"CASE WHEN {fits} THEN {one.style.plain(text)} ELSE {cell} END"


def _parsed(cell: str, plain: str) -> str:
    # The pattern decides what a number looks like, as it does when `read` chooses types; see read_texts.
    text = f"trim({cell})"
    return (
        f"CASE WHEN regexp_full_match({text}, {quoted(PATTERNS[plain])}) THEN TRY_CAST({text} AS {plain}) END"
    )


def _unless_marked(one: Wanted, value: str, marks: Marks) -> str:
    if not marks.numbers or one.plain not in ("BIGINT", "DOUBLE", TRUTH):
        return value
    return f"CASE WHEN {value} NOT IN ({', '.join(map(repr, marks.numbers))}) THEN {value} END"
