"""Text -> tokens: words, names in backquotes, texts in quotes, and signs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from likely.errors import LikelyError

LONGEST = 20_000  # characters of a question
SHOWN = 72  # characters of it that an error shows


class Sort(Enum):
    """What a token is."""

    WORD = "word"
    NAME = "name in backquotes"
    TEXT = "text in quotes"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text, and where it begins."""

    sort: Sort
    text: str  # without its quotes
    at: int

    @property
    def shown(self) -> str:
        """The token as an error names it."""
        return "the end" if self.sort is Sort.END else repr(self.text[:40])


KEYWORDS = ("and", "in", "not", "or")
BARE = re.compile(r"[\w.%$#@/:+~-]+")  # a word that needs no quotes
# A number or a date: in front of < it is a value, and the name stands behind.
NUMBER = re.compile(
    r"[+-]?(\d++(\.\d*+)?|\.\d++)(e[+-]?\d++)?|[+-]?inf|\d{4}-\d\d-\d\d([T ][\d:.+-]+Z?)?|\d\d?:\d\d[\d:.]*",
    re.IGNORECASE,
)
_QUOTES = {"`": Sort.NAME, "'": Sort.TEXT, '"': Sort.TEXT}
# A quote inside quotes of its own sort is written twice. What has matched is never given back, so the time
# grows with the length of the text and no faster.
_QUOTED = {quote: re.compile(f"{quote}((?:[^{quote}]|{quote}{quote})*+){quote}") for quote in _QUOTES}
_SIGN = re.compile(r"==|!=|<=|>=|[=<>(){},;|&]")


def tokens(source: str) -> list[Token]:
    """The tokens of a text, and one that marks its end. Words side by side are one name or value.

    >>> [token.text for token in tokens('P(`my age` >= 1e3, name="O\\'Hara")')][2:]
    ['my age', '>=', '1e3', ',', 'name', '=', "O'Hara", ')', '']
    """
    if len(source) > LONGEST:
        raise LikelyError(
            f"the question has {len(source):,} characters, and {LONGEST:,} is the most: shorten it."
        )
    tokens, at = [], 0
    while at < len(source):
        character = source[at]
        if character.isspace():
            at += 1
            continue
        token, at = _next(source, at)
        tokens.append(token)
    return [*_phrases(source, tokens), Token(Sort.END, "", len(source))]


def _phrases(source: str, tokens: list[Token]) -> list[Token]:
    """The tokens, with words that stand side by side put together: `monthly charge`, `Two years`.

    >>> [token.text for token in tokens("days of care > 3 or size in {very  large}")][:-1]
    ['days of care', '>', '3', 'or', 'size', 'in', '{', 'very  large', '}']
    """
    phrases: list[Token] = []
    for token in tokens:
        last = phrases[-1] if phrases else None
        if last is not None and _is_plain_word(last) and _is_plain_word(token):
            phrases[-1] = Token(Sort.WORD, source[last.at : token.at + len(token.text)], last.at)
        else:
            phrases.append(token)
    return phrases


def _is_plain_word(token: Token) -> bool:
    return token.sort is Sort.WORD and not is_keyword(token)


def is_keyword(token: Token) -> bool:
    """Whether a token is a word of the language."""
    return token.sort is Sort.WORD and token.text.lower() in KEYWORDS


def _next(source: str, at: int) -> tuple[Token, int]:
    quote = source[at]
    if quote in _QUOTES:
        match = _QUOTED[quote].match(source, at)
        if match is None:
            refuse(source, at, f"the quote {quote} is not closed: write another one behind the text.")
        return Token(_QUOTES[quote], match[1].replace(quote * 2, quote), at), match.end()
    for sort, pattern in ((Sort.SIGN, _SIGN), (Sort.WORD, BARE)):
        match = pattern.match(source, at)
        if match is not None:
            text = "=" if match[0] == "==" else match[0]
            return Token(sort, text, at), match.end()
    refuse(
        source,
        at,
        f"{quote!r} means nothing here: put a value that contains it in quotes, a name in backquotes (`).",
    )


def refuse(source: str, at: int, complaint: str) -> NoReturn:
    """Raise an error that points at a place in the text."""
    plain = "".join(c if c.isprintable() else " " for c in source)
    start = max(0, min(at - SHOWN // 2, len(plain) - SHOWN))
    before, after = "... " if start else "", " ..." if start + SHOWN < len(plain) else ""
    line = f"{before}{plain[start : start + SHOWN]}{after}"
    raise LikelyError(f"{complaint}\n  {line}\n  {' ' * (len(before) + at - start)}^")
