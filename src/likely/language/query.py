"""A question in its parts, and back to text."""

from __future__ import annotations

from dataclasses import dataclass

from likely.language.tokens import BARE, KEYWORDS, NUMBER


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
class Query:
    """A question: what is asked of which events or variables, given what.

    >>> str(Query("I", variables=("x",), others=("y",), given=(Condition("z", "=", (Word("1"),)),)))
    'I(x; y | z = 1)'
    """

    ask: str  # P, odds, E, sd, quantile, argmax, H or I
    events: tuple[Condition, ...] = ()  # P and odds, unless variables are asked for
    variables: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # I: what stands behind the semicolon
    share: float | None = None  # quantile
    given: tuple[Condition, ...] = ()
    averaged: tuple[str, ...] = ()  # H and I: known variables whose value is not said

    def __str__(self) -> str:
        asked = ", ".join([*map(str, self.events), *map(name, self.variables)])
        if self.others:
            asked += f"; {', '.join(map(name, self.others))}"
        if self.share is not None:
            asked += f", {self.share!r}"
        known = ", ".join([*map(name, self.averaged), *map(str, self.given)])
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
