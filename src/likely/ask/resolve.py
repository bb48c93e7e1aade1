"""The words of conditions -> constraints of a model's variables; errors suggest the nearest right word."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from difflib import get_close_matches
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from likely.ask.constraint import Constraint, Exactly, Levels, Piece, Region, after, before, both
from likely.ask.world import Nature, Variable
from likely.errors import LikelyError
from likely.format.words import plain
from likely.language import Condition, Statement, Word, parse_conditions
from likely.language.query import name as written
from likely.table.build import values_of
from likely.table.column.block import LIMIT
from likely.table.column.column import Column
from likely.table.column.kinds import WANTED, Kind, Type, are_numbers, is_missing, misfits, truth_of

ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
MISSING = "missing"  # the word for a missing cell
Variables = Mapping[str, Variable]


def as_number(column: Column, text: str) -> float | None:
    """The number that a word stands for in a column; None if it stands for none.

    >>> from likely.table.column.as_raw import as_raw
    >>> day = Column.learn(as_raw("day", [date(2026, 5, 1)]))
    >>> as_number(day, "1970-01-31"), as_number(day, "31"), as_number(day, "May")
    (30.0, None, None)
    """
    try:
        match column.type:
            case Type.DATE:
                return float((date.fromisoformat(text) - date(1970, 1, 1)).days)
            case Type.DATETIME:
                return _moment(datetime.fromisoformat(text), column.zone)
            case Type.TIME:
                return (datetime.combine(date.min, time.fromisoformat(text)) - datetime.min).total_seconds()
        number = float(text)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(number) else number


def _moment(at: datetime, zone: str | None) -> float:
    """Seconds since 1970 in UTC; a time without a zone is one of the column's own."""
    if at.tzinfo is None:
        at = at.replace(tzinfo=ZoneInfo(zone) if zone else UTC)
    return (at - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()


def value_text(column: Column, number: float) -> str | None:
    """A time as people write it, to the second; None of what is no time."""
    value = as_value(column, number)
    if value is number:
        return None
    return f"{value.replace(microsecond=0) if isinstance(value, datetime) else value}"


def as_value(column: Column, number: float) -> Any:
    """A number as the column shows it: a date for a count of days.

    >>> from likely.table.column.as_raw import as_raw
    >>> str(as_value(Column.learn(as_raw("day", [date(2026, 5, 1)])), 30.0))
    '1970-01-31'
    """
    if column.unit is None or not math.isfinite(number):
        return number
    value = values_of(column, np.array([number]), "dict")[0]
    return value.item() if isinstance(value, np.generic) else value


def find(variables: Variables, name: str, words: Sequence[Word] = ()) -> Variable:
    """The variable of this name; `words` are what it is compared with, one of which may have been meant."""
    if name in variables:
        return variables[name]
    for word in words:
        if word.quoted and word.text in variables:
            raise LikelyError(
                f"{word} is in the quotes of a value, but is a variable: put a name in backquotes (`), as in "
                f"{written(word.text)} = {Word(name)}."
            )
    folded = {known.casefold(): known for known in variables}
    near = [folded[name.casefold()]] if name.casefold() in folded else get_close_matches(name, variables, 1)
    shown = ", ".join(map(written, list(variables)[:10])) + (", ..." if len(variables) > 10 else "")
    hint = f"did you mean {written(near[0])}?" if near else f"there are {shown}."
    raise LikelyError(f"the model knows no variable {name!r}: {hint}")


def as_conditions(given: Any) -> tuple[Statement, ...]:
    """What is known, as text ("sex=female, age>=18") or as values by name; missing ones are not known."""
    if given is None or (isinstance(given, str) and not given.strip()):
        return ()
    if isinstance(given, str):
        return parse_conditions(given)
    if not isinstance(given, Mapping):
        raise LikelyError(f"given={given!r}: give text such as 'sex=female', or values by name.")
    known = ((str(name), plain(value)) for name, value in given.items())
    return tuple(
        Condition(name, "=", (Word(str(value), isinstance(value, str)),))
        for name, value in known
        if not is_missing(value)
    )


def constraints(variables: Variables, conditions: Iterable[Condition]) -> dict[str, Constraint]:
    """What conditions after the bar, which all hold, allow each variable they name."""
    by_name: dict[str, Constraint] = {}
    for condition in conditions:
        variable = find(variables, condition.variable, condition.words)
        by_name[variable.name] = both(by_name.get(variable.name), constraint_of(variable, condition, True))
    return by_name


def constraint_of(variable: Variable, condition: Condition, known: bool) -> Constraint:
    """What a condition allows a variable; `known` if it stands after the bar by itself."""
    match variable.nature:
        case Nature.LEVELS:
            return _levels(variable, condition)
        case Nature.SHOWN:
            return _shown(variable, condition, known)
    if variable.gaps and condition.relation in ("=", "!=") and _says_missing(condition.words[0]):
        gone = condition.relation == "="
        return Region((), missing=True) if gone else Region(((-math.inf, math.inf),))
    return _region(variable, condition, known)


def _levels(variable: Variable, condition: Condition) -> Levels:
    if not variable.levels:
        raise LikelyError(f"{_said(variable)} has no levels: it was missing wherever the model looked.")
    if condition.relation in ("=", "!=", "in"):
        places = {_level_index(variable, word) for word in condition.words}
        keep = condition.relation != "!="
        return Levels(tuple((i in places) is keep for i in range(len(variable.levels))))
    if variable.column.kind is not Kind.ORDINAL:
        raise LikelyError(
            f"the levels of {_said(variable)} have no order, so {condition} means nothing: list those that "
            f"you mean, as in {written(variable.name)} in {{{_some(variable.levels, 3)}}}, or declare their "
            f"order with kinds={{{variable.name!r}: [...]}}."
        )
    return Levels(_in_order(variable, condition))


def _in_order(variable: Variable, condition: Condition) -> tuple[bool, ...]:
    """Which ordinal levels are below or above one; numbers need not be a level themselves."""
    word, holds = condition.words[0], ORDER[condition.relation]
    levels = [level for level in variable.levels if level is not None]
    number = _float(word.text) if are_numbers(levels) else None
    if number is not None:
        inside = [bool(holds(level, number)) for level in levels]
    else:
        mark = _level_index(variable, word)
        if variable.levels[mark] is None:
            raise LikelyError(f"{condition}: a missing value has no place in the order of {_said(variable)}.")
        inside = [bool(holds(place, mark)) for place in range(len(levels))]
    return (*inside, *(False for level in variable.levels if level is None))


def _level_index(variable: Variable, word: Word) -> int:
    levels = variable.levels
    texts = [None if level is None else str(level) for level in levels]
    if word.text in texts:
        return texts.index(word.text)
    if _says_missing(word):
        if None in levels:
            return levels.index(None)
        raise LikelyError(_no_gaps(variable))
    for place, level in enumerate(levels):
        if level is not None and _means(variable, word.text, level):
            return place
    known = [text for text in texts if text is not None]
    folded = [text for text in known if text.casefold() == word.text.casefold()]
    near = folded or get_close_matches(word.text, known, 1)
    hint = f"did you mean {Word(near[0])}?" if near else f"its levels are {_some(levels, 10)}."
    raise LikelyError(f"{word.text!r} is no level of {_said(variable)}: {hint}")


def _means(variable: Variable, text: str, level: object) -> bool:
    """Whether a word that is written otherwise than a level stands for it."""
    if variable.column.kind is Kind.BOOLEAN or isinstance(level, bool):
        said = truth_of(text)
        said = truth_of(_float(text)) if said is None else said  # a table that has gaps writes 1 as 1.0
        return said is not None and said == truth_of(level)
    if isinstance(level, str):
        return text.strip() == level.strip()  # spaces around it, as files may have, are not seen
    if isinstance(level, int | float):
        return _float(text) == level
    moment = as_number(variable.column, text)
    return moment is not None and moment == as_number(variable.column, str(level))


def _region(variable: Variable, condition: Condition, known: bool) -> Constraint:
    whole = variable.nature is Nature.WHOLE
    numbers = [_number(variable, word) for word in condition.words]
    number, relation = numbers[0], condition.relation
    if relation in ("<", "<="):
        return Region(_piece(-math.inf, before(number, whole) if relation == "<" else number, whole))
    if relation in (">", ">="):
        return Region(_piece(after(number, whole) if relation == ">" else number, math.inf, whole))
    if whole:
        return _points(variable, condition, numbers)
    if known and len(numbers) == 1 and relation != "!=":
        return Exactly(_cell(variable, condition, number))
    width = abs(number) / 20 or 0.5
    near = f"{number - width:g} <= {written(variable.name)} < {number + width:g}"
    raise LikelyError(
        f"{_said(variable)} is {variable.column.kind}, and a single value of it has probability 0, so "
        f"{condition} says nothing{' here' if known else ' as an event'}: use an interval, such as {near}."
    )


def _points(variable: Variable, condition: Condition, numbers: list[float]) -> Region:
    places = sorted({_cell(variable, condition, number) for number in numbers})
    if condition.relation != "!=":
        return Region(tuple((place, place) for place in places))
    place = places[0]
    return Region(((-math.inf, place - 1), (place + 1, math.inf)), variable.gaps)


def _piece(low: float, high: float, whole: bool) -> tuple[Piece, ...]:
    if whole:
        low = math.ceil(low) if math.isfinite(low) else low
        high = math.floor(high) if math.isfinite(high) else high
    return ((float(low), float(high)),) if low <= high else ()


def _number(variable: Variable, word: Word) -> float:
    if _says_missing(word):
        raise LikelyError(_no_gaps(variable) if not variable.gaps else f"{_said(variable)}: write = missing.")
    number = as_number(variable.column, word.text)
    if number is None:
        raise LikelyError(
            f"{word.text!r} is no value of {_said(variable)}, which holds {variable.column.type.value}: "
            f"give {'one of them, such as 2026-05-01' if variable.column.unit else 'a number'}."
        )
    return number


def _shown(variable: Variable, condition: Condition, known: bool) -> Exactly:
    if not known or condition.relation != "=":
        example = '"..."' if variable.column.kind is Kind.TEXT else "..."
        raise LikelyError(
            f"{_said(variable)} is {variable.column.kind}: the model knows it only as evidence, so "
            f"{condition} has no probability: put it after the bar by itself, as in "
            f"P(... | {written(variable.name)} = {example})."
        )
    word = condition.words[0]
    if variable.column.kind is Kind.TEXT:
        return Exactly(word.text)
    return Exactly(_cell(variable, condition, _number(variable, word)))


def _cell(variable: Variable, condition: Condition, number: float) -> float:
    """A number that could stand in a table."""
    wrong = misfits(np.array([number]), variable.column.kind)
    if wrong is not None and wrong.any():
        wanted = WANTED[variable.column.kind]
        raise LikelyError(f"{condition}: {_said(variable)} holds {wanted}: give one, or an interval of them.")
    if abs(number) > LIMIT:
        raise LikelyError(f"{condition}: the values of {_said(variable)} stay within {LIMIT:g}.")
    return number


def _says_missing(word: Word) -> bool:
    return word.text == MISSING and not word.quoted


def _no_gaps(variable: Variable) -> str:
    return (
        f"a missing value of {_said(variable)} is no event for this model: leave the condition out, or fit "
        "with missing='level'."
    )


def _float(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _said(variable: Variable) -> str:
    return f"variable {variable.name!r}"


def _some(levels: Sequence[Any], most: int) -> str:
    shown = ", ".join(str(Word(MISSING if level is None else str(level))) for level in levels[:most])
    return f"{shown}, ..." if len(levels) > most else shown
