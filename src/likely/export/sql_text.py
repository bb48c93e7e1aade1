"""Names and values as SQL: safely quoted, in the words of each database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from likely.errors import LikelyError
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Kind, Type, truth_of

LARGEST = 1.7976931348623157e308
DAYS, SECONDS = UNITS[Type.DATE][2], UNITS[Type.DATETIME][2]


@dataclass(frozen=True)
class Dialect:
    """How a database writes what is not the same in all of them."""

    name: str
    double: str  # the type of numbers with 53 bits
    number: str = "{}"  # around the digits of such a number
    quote: str = '"'  # around names
    backslash: bool = False  # whether a backslash means something in texts
    doubled: bool = True  # whether a quote in a text is written twice, and not after a backslash
    finite: str = f"ABS({{0}}) <= {LARGEST!r}"  # also of NaN, which is no number or above all of them
    greatest: str = "GREATEST"
    least: str = "LEAST"
    fence: str = ""  # keeps a subquery apart, or its expressions are worked out again wherever they are used
    vectors: bool = False  # whether it works on columns, where sums are cheap beside conditions; exp may be 0
    lists: bool = False  # whether it finds what a list has at a place at once, for all rows that say the same
    rows: str = "(VALUES {rows}) AS {alias}({names})"  # a table in the text
    times: Mapping[str, str] = field(default_factory=dict)  # how times become numbers, by their unit

    def identifier(self, name: str) -> str:
        """A name, quoted.

        >>> DIALECTS["duckdb"].identifier('a"b'), DIALECTS["spark"].identifier("a`b")
        ('"a""b"', '`a``b`')
        """
        if "\0" in name:
            raise LikelyError(f"the name {name!r} holds a character 0, which no database allows: rename it.")
        if self.quote == "`" and not self.doubled and self.name == "bigquery":
            return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
        return self.quote + name.replace(self.quote, self.quote * 2) + self.quote

    def text(self, value: str) -> str:
        """A text, quoted.

        >>> DIALECTS["postgres"].text("it's"), DIALECTS["bigquery"].text("it's")
        ("'it''s'", "'it\\\\'s'")
        """
        if "\0" in value:
            raise LikelyError(f"the text {value!r} holds a character 0, which no database has: replace it.")
        if self.backslash:
            value = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
        return "'" + value.replace("'", "''" if self.doubled else "\\'") + "'"

    def real(self, value: float) -> str:
        """A number with 53 bits, all of them.

        >>> DIALECTS["duckdb"].real(0.1), DIALECTS["postgres"].real(-1.0)
        ('0.1e0', "'-1.0'::float8")
        """
        digits = repr(float(value))
        return self.number.format(digits if "e" in digits or "'" in self.number else f"{digits}e0")

    def literal(self, value: object) -> str:
        """A value of a column: a number, a truth value, a text, or nothing."""
        if value is None or (isinstance(value, float) and np.isnan(value)):
            return "NULL"
        if isinstance(value, bool | np.bool_):
            return "TRUE" if value else "FALSE"
        if isinstance(value, int | np.integer):
            return str(int(value))
        if isinstance(value, float):
            if np.isinf(value):
                return f"CAST('{'-' if value < 0 else ''}Infinity' AS {self.double})"
            return self.real(value)
        return self.text(str(value))

    def highest(self, numbers: Sequence[str]) -> str:
        """The greatest of some numbers.

        >>> DIALECTS["sqlite"].highest(["a", "b"]), DIALECTS["duckdb"].highest(["a"])
        ('MAX(a, b)', 'a')
        """
        return numbers[0] if len(numbers) == 1 else f"{self.greatest}({', '.join(numbers)})"

    def one_if(self, condition: str) -> str:
        """1 where something holds, else 0."""
        return f"CAST({condition} AS INTEGER)" if self.lists else f"CASE WHEN {condition} THEN 1 ELSE 0 END"

    def within(self, number: str, low: float, high: float) -> str:
        """A number moved into a range."""
        return f"{self.greatest}({self.least}({number}, {self.real(high)}), {self.real(low)})"

    def power(self, number: str) -> str:
        """e to the power of a number that is not above 0; 0 where that is too small for some databases."""
        if self.vectors:
            return f"EXP({number})"
        return f"CASE WHEN {number} > -700 THEN EXP({number}) WHEN {number} <= -700 THEN {self.real(0.0)} END"

    def log_sum(self, logs: Sequence[str], highest: str) -> str:
        """The log of the sum of the powers of some numbers, of which one is the highest."""
        if len(logs) == 1:
            return logs[0]
        return f"{highest} + LN({' + '.join(self.power(f'{one} - {highest}') for one in logs)})"

    def table(self, alias: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """A table of expressions in the text of a query."""
        if self.name == "bigquery":
            first = ", ".join(f"{cell} AS {name}" for cell, name in zip(rows[0], names, strict=True))
            structs = [f"STRUCT({first})", *(f"({', '.join(row)})" for row in rows[1:])]
            return f"UNNEST([{', '.join(structs)}]) AS {alias}"
        lines = ", ".join(f"({', '.join(row)})" for row in rows)
        columns = ", ".join(f"column{i + 1} AS {name}" for i, name in enumerate(names))
        return self.rows.format(rows=lines, alias=alias, names=", ".join(names), columns=columns)


_POSTGRES_EPOCH = "EXTRACT(EPOCH FROM {0})"
DIALECTS: dict[str, Dialect] = {
    one.name: one
    for one in (
        Dialect(
            "duckdb",
            "DOUBLE",
            vectors=True,
            lists=True,
            finite="isfinite({0})",  # comparisons are decided by statistics, which overlook NaN
            times={DAYS: "date_diff('day', DATE '1970-01-01', {0})", SECONDS: "epoch({0})"},
        ),
        Dialect(
            "postgres",
            "float8",
            number="'{}'::float8",
            fence=" OFFSET 0",
            times={DAYS: "({0} - DATE '1970-01-01')", SECONDS: _POSTGRES_EPOCH},
        ),
        Dialect(
            "sqlite",
            "REAL",
            greatest="MAX",
            least="MIN",
            fence=" LIMIT -1 OFFSET 0",
            rows="(SELECT {columns} FROM (VALUES {rows})) AS {alias}",
            times={DAYS: "(julianday({0}) - 2440587.5)"},
        ),
        Dialect(
            "spark",
            "DOUBLE",
            number="{}D",
            quote="`",
            backslash=True,
            doubled=False,
            times={DAYS: "datediff({0}, DATE '1970-01-01')"},
        ),
        Dialect(
            "snowflake",
            "DOUBLE",
            number="'{}'::DOUBLE",
            backslash=True,
            times={DAYS: "DATEDIFF('day', '1970-01-01'::DATE, {0})"},
        ),
        Dialect(
            "bigquery",
            "FLOAT64",
            quote="`",
            backslash=True,
            doubled=False,
            times={DAYS: "DATE_DIFF({0}, DATE '1970-01-01', DAY)", SECONDS: "UNIX_MICROS({0}) / 1000000.0"},
        ),
    )
}
_PLAIN = DIALECTS["duckdb"]


def dialect_of(name: str) -> Dialect:
    """The dialect of this name.

    >>> dialect_of("oracle")
    Traceback (most recent call last):
    likely.errors.LikelyError: dialect='oracle': use duckdb, postgres, sqlite, spark, snowflake or bigquery.
    """
    if name not in DIALECTS:
        *first, last = DIALECTS
        raise LikelyError(f"dialect={name!r}: use {', '.join(first)} or {last}.")
    return DIALECTS[name]


def sql_name(name: str) -> str:
    """A name as an identifier of standard SQL.

    >>> sql_name('a"b')
    '"a""b"'
    """
    return _PLAIN.identifier(name)


def sql_number(column: Column) -> str:
    """A column as a number: dates in days and times in seconds since 1970, truth is 1."""
    name = sql_name(column.name)
    if column.kind is Kind.BOOLEAN and column.levels is not None:
        cases = [f"WHEN {_PLAIN.literal(level)} THEN {truth_of(level) or 0.0:.0f}" for level in column.known]
        return f"CASE {name} {' '.join(cases)} END"
    if column.unit is None:
        return name
    if column.unit not in _PLAIN.times:
        raise _refused(column)
    return _PLAIN.times[column.unit].format(name)


def sql_value(value: object, column: Column | None = None) -> str:
    """A value as a literal of standard SQL: numbers of the type that columns of them have.

    >>> sql_value("it's"), sql_value(0.1), sql_value(True), sql_value(None)
    ("'it''s'", '0.1e0', 'TRUE', 'NULL')
    """
    if column is not None and column.type in UNITS:
        raise _refused(column)
    return _PLAIN.literal(value)


def _refused(column: Column) -> LikelyError:
    return LikelyError(
        f"column {column.name!r} holds {column.type.value}, for which there is no SQL: turn it into a "
        "number first, for example of days."
    )
