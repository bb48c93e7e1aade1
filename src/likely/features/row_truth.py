"""Statements of the language of questions, as columns of a table: true, false, or not known."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from decimal import ROUND_FLOOR, Context

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Levels
from likely.ask.resolve import as_number, as_value, constraint_of
from likely.ask.world import Variable
from likely.errors import LikelyError
from likely.export.sql_text import sql_name, sql_number, sql_value
from likely.features.counted import codes_of, is_numbers, numbers_of
from likely.language import And, Condition, Not, Or, Statement, Word, parse_conditions
from likely.language.query import all_of, any_of, conditions_of
from likely.stats.bins import equal_frequency
from likely.stats.groups import Floats, Ints
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

Bools = NDArray[np.bool_]
Truth = tuple[Bools, Bools]  # where it certainly holds, and where it may: they differ where a cell is missing

COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
FEW_DIGITS = 6  # of a number that people read
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


def read(text: str, schema: Schema) -> Statement:
    """The statement that a text means, of columns that there are."""
    if not isinstance(text, str):
        raise LikelyError(f"{text!r} is no condition: give text, such as 'age >= 18 and sex = female'.")
    statement = all_of(parse_conditions(text))
    columns = {column.name: column for column in schema.columns}
    for condition in conditions_of(statement):
        declared_by_name(schema.names, {condition.variable: None}, f"condition {text!r}")
        _meaning(columns[condition.variable], condition)  # refuses words that mean nothing there
    return statement


def truth_of(statement: Statement, schema: Schema, frame: Frame) -> Floats:
    """1 where a statement holds, 0 where not, NaN where what is missing would decide, (n,)."""
    certain, possible = _truth(statement, schema, frame)
    return np.where(certain, 1.0, np.where(possible, np.nan, 0.0))


def negated(statement: Statement) -> Statement:
    """That a statement does not hold, without `not` around a whole: of a conjunction, a disjunction.

    >>> str(negated(all_of(parse_conditions("3 <= length <= 5 and gills = no"))))
    'length < 3 or length > 5 or gills != no'
    """
    match statement:
        case Not(part):
            return part
        case And(parts):
            return any_of([negated(part) for part in parts])
        case Or(parts):
            return all_of([negated(part) for part in parts])
        case Condition(variable, relation, words) if relation in OPPOSITE:
            return Condition(variable, OPPOSITE[relation], words)
    return Not(statement)


def sql_of(statement: Statement, schema: Schema) -> str:
    """The statement as an expression of SQL, whose logic of missing cells is the same."""
    match statement:
        case Not(part):
            return f"NOT ({sql_of(part, schema)})"
        case And(parts):
            return " AND ".join(f"({sql_of(part, schema)})" for part in parts)
        case Or(parts):
            return " OR ".join(f"({sql_of(part, schema)})" for part in parts)
    column = next(c for c in schema.columns if c.name == statement.variable)
    meaning, name = _meaning(column, statement), sql_name(column.name)
    if isinstance(meaning, Levels):
        levels = Variable.of_levels(column).levels
        allowed = [sql_value(v) for v, inside in zip(levels, meaning.allowed, strict=True) if inside]
        if statement.relation == "!=":  # a level that was never seen is another one, too
            others = [sql_value(v) for v, inside in zip(levels, meaning.allowed, strict=True) if not inside]
            return f"{name} NOT IN ({', '.join(others)})"
        return f"{name} IN ({', '.join(allowed)})" if allowed else f"{name} <> {name}"
    if column.unit is None:
        numbers = [sql_value(as_value(column, number)) for number in meaning]
    else:  # times are compared as what they are counted in
        name, numbers = sql_number(column), [sql_value(number) for number in meaning]
    if statement.relation == "in":
        return f"{name} IN ({', '.join(numbers)})"
    return f"{name} {'<>' if statement.relation == '!=' else statement.relation} {numbers[0]}"


def candidates(
    schema: Schema, frame: Frame, chosen: Sequence[int], cuts: int, weight: Floats, least: float = 0.0
) -> Iterator[Condition]:
    """The conditions that a search tries: each level, and numbers from or below some of their quantiles.

    No level that fewer rows than `least` have: of 100,000 names of rows there is nothing to try.
    """
    for j in chosen:
        column = schema.columns[j]
        if is_numbers(column) and column.kind is not Kind.BOOLEAN:
            for value in _some_values(numbers_of(schema, frame, j), cuts, weight):
                word = (Word(_text(column, value)),)
                yield Condition(column.name, ">=", word)
                yield Condition(column.name, "<", word)
            continue
        levels = Variable.of_levels(column).levels
        rows = _rows_of_levels(codes_of(schema, frame, j), weight, len(levels))
        up_to = np.cumsum(rows)
        if column.kind is Kind.ORDINAL:
            for k, level in enumerate(levels[1:], 1):
                if level is not None and up_to[-1] - up_to[k - 1] >= least:
                    yield Condition(column.name, ">=", (Word(str(level)),))
                if level is not None and up_to[k - 1] >= least:
                    yield Condition(column.name, "<", (Word(str(level)),))
        for level, own in zip(levels, rows, strict=True):
            if level is not None and own >= least:
                yield Condition(column.name, "=", (Word(str(level)),))


def _rows_of_levels(codes: Ints, weight: Floats, k: int) -> Floats:
    """The weight of the rows of each level, (k,)."""
    seen = codes >= 0
    return np.asarray(np.bincount(codes[seen], weight[seen], k), np.float64)


def _truth(statement: Statement, schema: Schema, frame: Frame) -> Truth:
    match statement:
        case Not(part):
            certain, possible = _truth(part, schema, frame)
            return ~possible, ~certain
        case And(parts) | Or(parts):
            truths = [_truth(part, schema, frame) for part in parts]
            meet = np.logical_and if isinstance(statement, And) else np.logical_or
            return np.asarray(meet.reduce([t[0] for t in truths])), np.asarray(
                meet.reduce([t[1] for t in truths])
            )
    j = schema.names.index(statement.variable)
    column = schema.columns[j]
    meaning = _meaning(column, statement)
    if isinstance(meaning, Levels):
        boolean = is_numbers(column)
        cells = numbers_of(schema, frame, j) if boolean else codes_of(schema, frame, j)
        missing = np.isnan(cells) if boolean else cells == -1
        codes = np.where(missing, 0, np.nan_to_num(cells)).astype(np.intp)
        seen = (codes >= 0) & (codes < len(meaning.allowed))
        holds = np.where(
            seen, np.asarray(meaning.allowed)[np.where(seen, codes, 0)], statement.relation == "!="
        )
    else:
        values = numbers_of(schema, frame, j)
        missing = np.isnan(values)
        compare = COMPARE.get(statement.relation)
        holds = np.isin(values, meaning) if compare is None else compare(values, meaning[0])
    return np.asarray(holds & ~missing), np.asarray(holds | missing)


def _meaning(column: Column, condition: Condition) -> Levels | list[float]:
    """The levels that a condition allows, or the numbers that it names."""
    if column.kind is Kind.TEXT:
        raise LikelyError(f"column {column.name!r} is text, of which conditions say nothing: use Structured.")
    if not is_numbers(column) or column.kind is Kind.BOOLEAN:
        meaning = constraint_of(Variable.of_levels(column), condition, True)
        assert isinstance(meaning, Levels)
        return meaning
    numbers = [as_number(column, word.text) for word in condition.words]
    if None in numbers:
        raise LikelyError(f"{condition}: column {column.name!r} holds {column.type.value}: give one of them.")
    return [number for number in numbers if number is not None]


def _some_values(values: Floats, cuts: int, weight: Floats) -> list[float]:
    """Where to cut a column of numbers, each as `_few_digits` has it."""
    known = ~np.isnan(values)
    distinct, place = np.unique(values[known], return_inverse=True)
    starts = np.arange(len(distinct))
    if len(distinct) > cuts + 1:
        rows = np.asarray(np.bincount(place, weight[known]), np.float64)
        starts = equal_frequency(rows, cuts + 1)[:-1]
    return [_few_digits(*distinct[[start - 1, start]].tolist()) for start in starts[1:]]


def _few_digits(below: float, value: float) -> float:
    """A number to cut at before a value: itself, or, if it has many digits, one of fewer above that below it.

    >>> _few_digits(0.2, 0.3), _few_digits(0.2, 0.26451670765772495), _few_digits(0.2645167, 0.26451671)
    (0.3, 0.264516, 0.26451671)
    """
    lower = (Context(digits, ROUND_FLOOR).create_decimal(repr(value)) for digits in range(FEW_DIGITS, 17))
    shorter = map(float, lower)
    return value if value.is_integer() else next((x for x in shorter if below < x <= value), value)


def _text(column: Column, value: float) -> str:
    if column.unit is not None:
        return str(as_value(column, value))
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
