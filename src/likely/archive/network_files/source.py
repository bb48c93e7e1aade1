"""The text of a network file: its tokens, where each stands, and the errors that say so."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

from likely.errors import LikelyError

SHOWN = 40  # characters of a token that an error shows


@dataclass(frozen=True)
class Grammar:
    """What a text format is written with: its signs, and how its comments begin."""

    format: str
    signs: str
    comments: str  # a regular expression; what it matches is left out
    opens: tuple[str, ...]  # what such comments begin with

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """One token: a comment, a text in quotes, a sign, or a word up to any of them.

        Texts and comments that never end run to the end of the file, so that no character is read twice.
        """
        ends = rf'\s,"{re.escape(self.signs)}'
        first = re.escape("".join(sorted({mark[0] for mark in self.opens})))
        word = rf"(?:[^{ends}{first}]++|(?!{'|'.join(map(re.escape, self.opens))})[{first}])++"
        text, sign = r'"(?:[^"\\]++|\\.)*+"?', f"[{re.escape(self.signs)}]"
        return re.compile(f"{self.comments}|{text}|{sign}|{word}", re.DOTALL)

    def as_token(self, name: str) -> str:
        r"""A name as its token: names that look like a sign are marked by a quote in front of them.

        >>> grammar = Grammar("made up", "()", "%[^\\n]*+", ("%",))
        >>> grammar.as_token("rain"), grammar.as_token("(")
        ('rain', '"(')
        """
        return f'"{name}' if name in self.signs or name.startswith('"') else name  # "" is in everything


def name_of(token: str) -> str:
    """The name that a token stands for."""
    return token.removeprefix('"')


@dataclass
class NetworkText:
    """A text that is read token by token.

    Commas are white space: every format can be read without them, and files differ in where they put them.
    """

    text: str
    grammar: Grammar
    at: int = field(default=0)  # the token that comes next

    @cached_property
    def tokens(self) -> list[str]:
        """All tokens; texts in quotes without them."""
        text = self.text
        if '"' not in text and not any(mark in text for mark in self.grammar.opens):
            spaced = text.replace(",", " ")  # nothing is quoted and nothing left out: words are what is
            for sign in self.grammar.signs:  # between spaces, and splitting is faster than any pattern
                spaced = spaced.replace(sign, f" {sign} ")
            return spaced.split()
        raw = self.grammar.pattern.findall(text)
        return [self._unquoted(token) for token in raw if not token.startswith(self.grammar.opens)]

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each token begins and ends in the text; only asked for by errors and properties."""
        matches = self.grammar.pattern.finditer(self.text)
        return [m.span() for m in matches if not m[0].startswith(self.grammar.opens)]

    def _unquoted(self, token: str) -> str:
        if not token.startswith('"'):
            return token
        if len(token) < 2 or not token.endswith('"') or _ends_escaped(token):
            at = self.text.rfind(token)
            raise LikelyError(f"{place(self.text, at)}: a quote is opened and never closed; close it")
        return self.grammar.as_token(unquoted(token))

    def peek(self) -> str:
        """The token that comes next; no text at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        """The token that comes next, which is then behind us."""
        token = self.peek()
        self.at += 1
        return token

    def expect(self, *wanted: str) -> None:
        """Take these tokens and no others."""
        if self.tokens[self.at : self.at + len(wanted)] == list(wanted):
            self.at += len(wanted)
            return
        for sign in wanted:
            if self.peek() != sign:
                self.fail(f"expected {sign!r}")
            self.at += 1

    def name(self, what: str) -> str:
        """Take the name of something."""
        token = self.peek()
        if not token or token in self._signs:
            self.fail(f"expected {what}")
        self.at += 1
        return name_of(token)

    def until(self, sign: str) -> list[str]:
        """Take the tokens in front of a sign, and the sign."""
        try:
            end = self.tokens.index(sign, self.at)
        except ValueError:
            self.fail(f"{sign!r} is missing from here on", remedy="was the file cut short?")
        taken = self.tokens[self.at : end]
        self.at = end + 1
        return taken

    def names_until(self, sign: str, what: str) -> tuple[str, ...]:
        """Take names up to a sign, and the sign."""
        start, taken = self.at, self.until(sign)
        if not self._signs.isdisjoint(taken):
            wrong = next(i for i, token in enumerate(taken) if token in self._signs)
            self.fail(f"expected {what}", start + wrong)
        return tuple(map(name_of, taken))

    @cached_property
    def _signs(self) -> frozenset[str]:
        return frozenset(self.grammar.signs)

    def words_until(self, sign: str) -> str:
        """Take the text up to a sign as it stands in the file, and the sign."""
        start = self.at
        n = len(self.until(sign))
        return self.text[self.spans[start][0] : self.spans[start + n - 1][1]] if n else ""

    def value_until(self, sign: str) -> str:
        """Take a value up to a sign, and the sign: a text without its quotes, anything else as it stands."""
        start = self.at
        words = self.words_until(sign)
        return name_of(self.tokens[start]) if self.at - start == 2 else words

    def check_count(self, stated: str, n: int, name: str, at: int) -> None:
        """Refuse a variable that names another number of states than it says."""
        if not stated.isdecimal() or len(stated) > 9 or int(stated) != n:
            said = f"{name!r} says that it has {stated[:9]} states and names {n}"
            self.fail(said, at, remedy="correct either")

    def fail(self, message: str, token: int | None = None, *, remedy: str = "") -> NoReturn:
        """Raise an error that names line, column and what stands there."""
        index = self.at if token is None else token
        if index < len(self.spans):
            start, end = self.spans[index]
            shown = self.text[start:end]
            there = f", not {shown[:SHOWN] + '...' if len(shown) > SHOWN else shown}"
        else:
            start, there = len(self.text.rstrip()), ", not the end of the file"
        if not message.startswith("expected"):
            there = ""
        after = f"; {remedy}" if remedy else ""
        raise LikelyError(f"{place(self.text, start)}: {message}{there}{after}")


def place(text: str, offset: int) -> str:
    r"""Line and column of a character.

    >>> place("one\ntwo", 5)
    'line 2, column 2'
    """
    line = text.count("\n", 0, offset) + 1
    return f"line {line}, column {offset - text.rfind(chr(10), 0, offset)}"


def quoted(name: str) -> str:
    r"""A name in quotes.

    >>> print(quoted('6" pipe'))
    "6\" pipe"
    """
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquoted(text: str) -> str:
    r"""The name of a text in quotes.

    >>> print(unquoted('"6\\" pipe"'))
    6" pipe
    """
    return re.sub(r'\\(["\\])', r"\1", text[1:-1])


def _ends_escaped(token: str) -> bool:
    """Whether the last quote belongs to the text, as an odd number of backslashes stands before it."""
    body = token[1:-1]
    return bool((len(body) - len(body.rstrip("\\"))) % 2)
