"""Tokens -> a query, by descent: one method for each rule of the grammar in docs/asking.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

from likely.errors import LikelyError
from likely.language.query import Condition, Not, Query, Statement, Word, all_of, any_of, name
from likely.language.tokens import NUMBER, Sort, Token, is_keyword, refuse, tokens

ASKS = {
    "P": "P(survived = yes | sex = female)",
    "odds": "odds(survived = yes | sex = female)",
    "E": "E(age | sex = female)",
    "sd": "sd(age | sex = female)",
    "var": "var(age | sex = female)",
    "cov": "cov(age, height | sex = female)",
    "median": "median(age | sex = female)",
    "quantile": "quantile(age, 0.9 | sex = female)",
    "argmax": "argmax(survived | sex = female)",
    "H": "H(survived | sex)",
    "I": "I(survived; sex)",
}
DEEPEST = 50  # brackets and `not` inside each other
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


def parse_query(text: str) -> Query:
    """The query that a text means, or an error that points at the place where it means none.

    >>> parse_query("E(age | sex=female)").variables
    ('age',)
    >>> parse_query("P(survived=yes | sex)")
    Traceback (most recent call last):
    likely.errors.LikelyError: 'sex' has no value: after the bar write sex = ...; only H and I average.
      P(survived=yes | sex)
                       ^
    """
    return _Parser(text).query()


def parse_conditions(text: str) -> tuple[Statement, ...]:
    """What a text such as "sex=female, age>=18" says; a chain of two signs makes two conditions.

    >>> parse_conditions("0.4 < theta <= 0.6")[1]
    Condition(variable='theta', relation='<=', words=(Word(text='0.6', quoted=False),))
    """
    parser = _Parser(text)
    items = parser.items()
    parser.end()
    return parser.all_conditions(items, "write {} = ...")


@dataclass(frozen=True, slots=True)
class _Item:
    """A bare name, or what is said of one or more variables; and where it begins."""

    token: Token
    name: str
    said: tuple[Statement, ...] = ()  # all of it


class _Parser:
    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise LikelyError(f"the question is {text!r}: give text, such as 'P(survived = yes)'.")
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        self.depth = 0

    def query(self) -> Query:
        ask = self.ask()
        variables: tuple[str, ...] = ()
        events: tuple[Statement, ...] = ()
        others: tuple[str, ...] = ()
        share = None
        if ask == "quantile":
            variables = (self.name(),)
            self.expect(",", f"give a share between 0 and 1, as in {ASKS[ask]}.")
            share = self.share()
        else:
            items = self.items()
            if ask == "odds" or (ask == "P" and items[0].said):
                events = self.all_conditions(items, "ask for events only, or move it behind the bar")
            else:
                variables = self.all_names(items, ask)
        if ask == "I":
            self.expect(";", f"two sides tell of each other, as in {ASKS[ask]}.")
            others = self.all_names(self.items(), ask)
        known, done = self.known() if self.accept("|") else ([], ())
        self.expect(")", "close the bracket.")
        self.end()
        averaged = tuple(item.name for item in known if not item.said)
        given = tuple(one for item in known for one in item.said)
        if ask not in ("H", "I"):
            given = self.all_conditions(known, "after the bar write {} = ...; only H and I average")
        return Query(ask, events, variables, others, share, given, averaged, done)

    def ask(self) -> str:
        token = self.take()
        if token.sort is not Sort.WORD or not self.sees("("):
            self.refuse(token, f"begin with what you ask for, as in {ASKS['P']}.")
        if token.text not in ASKS:
            near = get_close_matches(token.text.lower(), {word.lower(): word for word in ASKS}, 1)
            hint = next((f"did you mean {a}?" for a in ASKS if near and a.lower() == near[0]), "")
            hint = hint or f"ask for one of {', '.join(ASKS)}."
            self.refuse(token, f"there is no question {token.text[:40]!r}: {hint}")
        self.take()
        return token.text

    def known(self) -> tuple[list[_Item], tuple[Condition, ...]]:
        """What stands after the bar: items, and in do(...) what is done."""
        items: list[_Item] = []
        done: list[Condition] = []
        while True:
            here = self.tokens[self.at]
            if here.sort is Sort.WORD and here.text == "do" and self.tokens[self.at + 1].text == "(":
                done += self.actions()
            else:
                items += self.either()
            if not (self.accept(",") or (done and self.accept("and", "&"))):
                return items, tuple(done)

    def actions(self) -> list[Condition]:
        """do(name = value, ...)."""
        self.take()
        self.take()
        items = self.items()
        self.expect(")", "close the bracket of do.")
        done = []
        for item in items:
            for said in item.said or (None,):
                if not isinstance(said, Condition) or said.relation != "=":
                    self.refuse(item.token, "do sets variables to values: write do(name = value).")
                done.append(said)
        return done

    def items(self) -> list[_Item]:
        """Statements and bare names, with commas between them: a comma binds less than `or`."""
        items = self.either()
        while self.accept(","):
            items += self.either()
        return items

    def either(self) -> list[_Item]:
        """One list of items, or several with `or` between them, which make one item."""
        first = self.every()
        if not self.sees("or"):
            return first
        parts = [self.together(first)]
        while self.accept("or"):
            parts.append(self.together(self.every()))
        return [_Item(first[0].token, first[0].name, (any_of(parts),))]

    def every(self) -> list[_Item]:
        """Items with `and` between them."""
        items = self.single()
        while self.accept("and", "&"):
            items += self.single()
        return items

    def single(self) -> list[_Item]:
        """`not` and a single one, items in brackets, or one item."""
        here = self.tokens[self.at]
        if not self.sees("not", "("):
            return [self.item()]
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(here, f"brackets and 'not' go {DEEPEST} deep at most: ask for less at a time.")
        if self.accept("not"):
            inner = self.single()
            items = [_Item(here, inner[0].name, (Not(self.together(inner)),))]
        else:
            self.take()
            items = self.items()
            self.expect(")", "close the bracket.")
        self.depth -= 1
        return items

    def together(self, items: Sequence[_Item]) -> Statement:
        """What is said by all of these, none of which may be a bare name."""
        return all_of(self.all_conditions(items, "with or and not, write {} = ..."))

    def item(self) -> _Item:
        """One of `name = value`, `name in {...}`, `value < name`, `value < name < value`, or `name`."""
        first = self.term()
        if self.accept("in"):
            variable = self.as_name(first)
            return _Item(first, variable, (Condition(variable, "in", self.braces()),))
        if not self.sees(*MIRRORED):
            return _Item(first, self.as_name(first))
        relation = self.take().text
        second = self.term(value=True)
        if self.sees(*MIRRORED):
            return self.chain(first, relation, second)
        if self.is_value(first, relation) and not self.is_value(second, relation):
            first, relation, second = second, MIRRORED[relation], first
        variable = self.as_name(first)
        return _Item(first, variable, (Condition(variable, relation, (self.as_word(second),)),))

    def chain(self, first: Token, relation: str, second: Token) -> _Item:
        """`18 <= age < 30`: both signs must point the same way."""
        words = second.text.split()
        if second.sort is Sort.WORD and len(words) > 1 and (relation == "=" or NUMBER.fullmatch(words[0])):
            at = second.at + len(second.text) - len(words[-1])
            refuse(self.text, at, f"a comma is missing before {words[-1]!r}: put one between conditions.")
        sign = self.take()
        last = self.term(value=True)
        if relation[0] not in "<>" or sign.text[0] != relation[0]:
            self.refuse(sign, f"{relation} and {sign.text} make no chain: write it as in 18 <= age < 30.")
        variable = self.as_name(second)
        both = (
            Condition(variable, MIRRORED[relation], (self.as_word(first),)),
            Condition(variable, sign.text, (self.as_word(last),)),
        )
        return _Item(second, variable, both)

    def braces(self) -> tuple[Word, ...]:
        self.expect("{", "list the values, as in {a, b}; a name with this word goes in backquotes (`).")
        words = [self.as_word(self.term(value=True))]
        while self.accept(","):
            words.append(self.as_word(self.term(value=True)))
        self.expect("}", "close the list of values.")
        return tuple(words)

    def share(self) -> float:
        token = self.take()
        try:
            share = float(token.text)
        except ValueError:
            share = -1.0
        if token.sort is not Sort.WORD or not 0 <= share <= 1:
            self.refuse(token, f"{token.shown} is no share: give a number from 0 to 1, such as 0.9.")
        return share

    def name(self) -> str:
        return self.as_name(self.term())

    def term(self, value: bool = False) -> Token:
        """A word, or something in quotes; only a value may be a keyword."""
        token = self.take()
        if token.sort in (Sort.SIGN, Sort.END):
            self.refuse(token, f"a {'value' if value else 'name'} is missing before {token.shown}: add it.")
        if not value and is_keyword(token):
            self.refuse(
                token, f"{token.text!r} is a word of the language: as a name, put it in backquotes (`)."
            )
        return token

    def as_name(self, token: Token) -> str:
        if token.sort is Sort.TEXT:
            self.refuse(token, f"{token.shown} is in the quotes of a value: put a name in backquotes (`).")
        return token.text

    def as_word(self, token: Token) -> Word:
        if token.sort is Sort.NAME:
            self.refuse(
                token,
                f"{token.shown} is in the backquotes of a name: put a value in quotes; "
                "variables are not compared with each other.",
            )
        return Word(token.text, token.sort is Sort.TEXT or len(token.text.split()) > 1)

    def is_value(self, token: Token, relation: str) -> bool:
        """Whether a token beside this sign cannot be a name: text, or a number beside < or >."""
        number = token.sort is Sort.WORD and NUMBER.fullmatch(token.text) is not None
        return token.sort is Sort.TEXT or (number and relation[0] in "<>")

    def all_names(self, items: Sequence[_Item], ask: str) -> tuple[str, ...]:
        if ask in ("E", "sd", "var", "median") and len(items) > 1:
            self.refuse(items[1].token, f"{ask} is of one variable, as in {ASKS[ask]}.")
        if ask == "cov" and len(items) != 2:
            self.refuse(items[0].token, f"cov is of two variables, as in {ASKS[ask]}.")
        for item in items:
            if item.said:
                moved = "ask for all values of it, or move the condition behind the bar"
                self.refuse(
                    item.token, f"{ask} is of variables here, and {item.name!r} has a value: {moved}."
                )
        return tuple(item.name for item in items)

    def all_conditions(self, items: Sequence[_Item], remedy: str) -> tuple[Statement, ...]:
        for item in items:
            if not item.said:
                self.refuse(item.token, f"{item.name!r} has no value: {remedy.format(name(item.name))}.")
        return tuple(one for item in items for one in item.said)

    def take(self) -> Token:
        token = self.tokens[self.at]
        self.at += token.sort is not Sort.END
        return token

    def sees(self, *signs: str) -> bool:
        """Whether one of these signs or keywords comes next."""
        here = self.tokens[self.at]
        if here.sort is Sort.WORD:
            return is_keyword(here) and here.text.lower() in signs
        return here.sort is Sort.SIGN and here.text in signs

    def accept(self, *signs: str) -> bool:
        accepted = self.sees(*signs)
        self.at += accepted
        return accepted

    def expect(self, sign: str, why: str) -> None:
        here = self.tokens[self.at]
        if not self.accept(sign):
            self.refuse(here, f"{sign!r} is missing before {here.shown}: {why}")

    def end(self) -> None:
        here = self.tokens[self.at]
        if here.sort is not Sort.END:
            self.refuse(here, f"{here.shown} comes after the end: ask one question at a time.")

    def refuse(self, token: Token, complaint: str) -> NoReturn:
        refuse(self.text, token.at, complaint)
