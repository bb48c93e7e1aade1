"""A question in its parts, and back to text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.language.tokens import BARE, KEYWORDS, NUMBER

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Word:
    """A value as it was written. In quotes it is text, whatever it looks like."""

    text: str
    quoted: bool = False

    def __str__(self) -> str:
        bare = not self.quoted and BARE.fullmatch(self.text)
        return self.text if bare else _in_quotes(self.text, '"')


@dataclass(frozen=True, slots=True)
class Condition:
    """What is said of one variable.

    >>> str(Condition("my age", "in", (Word("18"), Word("30 or so"))))
    '`my age` in {18, "30 or so"}'
    """

    variable: str
    relation: str  # =, !=, <, <=, > or >=, each of one word; or "in", of one or more
    words: tuple[Word, ...]

    def __str__(self) -> str:
        values = ", ".join(map(str, self.words))
        return f"{name(self.variable)} {self.relation} {f'{{{values}}}' if self.relation == 'in' else values}"


@dataclass(frozen=True, slots=True)
class Not:
    """That something does not hold."""

    part: Statement

    def __str__(self) -> str:
        return f"not {_bracketed(self.part, And | Or)}"


@dataclass(frozen=True, slots=True)
class And:
    """That all parts hold; no part is an `And` itself."""

    parts: tuple[Statement, ...]  # two at least

    def __str__(self) -> str:
        return " and ".join(_bracketed(part, Or) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Or:
    """That one part holds at least; no part is an `Or` itself.

    >>> rain, wind = Condition("rain", "=", (Word("yes"),)), Condition("wind", ">", (Word("7"),))
    >>> str(And((Or((rain, Not(wind))), wind)))
    '(rain = yes or not wind > 7) and wind > 7'
    """

    parts: tuple[Statement, ...]  # two at least

    def __str__(self) -> str:
        return " or ".join(map(str, self.parts))


Statement = Condition | Not | And | Or


def all_of(statements: Sequence[Statement]) -> Statement:
    """The statement that all of these hold; there is one at least."""
    flat = [part for one in statements for part in (one.parts if isinstance(one, And) else (one,))]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def any_of(statements: Sequence[Statement]) -> Statement:
    """The statement that one of these holds at least; there is one at least."""
    flat = [part for one in statements for part in (one.parts if isinstance(one, Or) else (one,))]
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def conditions_of(statement: Statement) -> Iterator[Condition]:
    """The conditions that a statement is made of, as they are written."""
    match statement:
        case Condition():
            yield statement
        case Not(part):
            yield from conditions_of(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from conditions_of(part)


def truth(statement: Statement, of_condition: Callable[[Condition], Bools]) -> Bools:
    """Where a statement holds, by where each of its conditions does."""
    match statement:
        case Condition():
            return of_condition(statement)
        case Not(part):
            return ~truth(part, of_condition)
    truths = [truth(part, of_condition) for part in statement.parts]
    meet = np.logical_and if isinstance(statement, And) else np.logical_or
    return np.asarray(meet.reduce(truths))


def _bracketed(statement: Statement, loose: Any) -> str:
    """A part as it stands in a whole that binds it more tightly than these."""
    return f"({statement})" if isinstance(statement, loose) else str(statement)


@dataclass(frozen=True, slots=True)
class Query:
    """A question: what is asked of which events or variables, given what.

    >>> str(Query("I", variables=("x",), others=("y",), given=(Condition("z", "=", (Word("1"),)),)))
    'I(x; y | z = 1)'
    """

    ask: str  # P, odds, E, sd, var, median, quantile, argmax, H or I
    events: tuple[Statement, ...] = ()  # P and odds, unless variables are asked for; all must hold
    variables: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # I: what stands behind the semicolon
    share: float | None = None  # quantile
    given: tuple[Statement, ...] = ()  # all hold
    averaged: tuple[str, ...] = ()  # H and I: known variables whose value is not said
    done: tuple[Condition, ...] = ()  # variables that are set by action, not seen to have a value

    def __str__(self) -> str:
        asked = ", ".join([*map(str, self.events), *map(name, self.variables)])
        if self.others:
            asked += f"; {', '.join(map(name, self.others))}"
        if self.share is not None:
            asked += f", {self.share!r}"
        acted = [f"do({', '.join(map(str, self.done))})"] if self.done else []
        known = ", ".join([*map(name, self.averaged), *acted, *map(str, self.given)])
        return f"{self.ask}({asked} | {known})" if known else f"{self.ask}({asked})"


def name(variable: str) -> str:
    """The name of a variable as it must be written.

    >>> name("age"), name("my age"), name("in"), name("18")
    ('age', '`my age`', '`in`', '`18`')
    """
    plain = BARE.fullmatch(variable) and not NUMBER.fullmatch(variable)
    bare = plain and variable.lower() not in KEYWORDS
    return variable if bare else _in_quotes(variable, "`")


def _in_quotes(text: str, quote: str) -> str:
    return f"{quote}{text.replace(quote, quote * 2)}{quote}"
