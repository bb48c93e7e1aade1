"""What is typed as column=value, with the column looked up among those that there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from likely.errors import LikelyError


def pair(text: str, columns: Sequence[str], option: str) -> tuple[str, str]:
    """A column and what is said of it; names may hold "=" themselves.

    >>> pair("a=b=ordinal", ["a=b", "c"], "--kind")
    ('a=b', 'ordinal')
    >>> pair("sexx=ordinal", ["sex", "age"], "--kind")
    Traceback (most recent call last):
    likely.errors.LikelyError: --kind 'sexx=ordinal': there is no column 'sexx'; did you mean 'sex'?
    """
    for place, letter in enumerate(text):
        if letter == "=" and text[:place] in columns:
            return text[:place], text[place + 1 :]
    name, equals, _ = text.partition("=")
    if not equals:
        raise LikelyError(f"{option} {text!r}: write COLUMN=..., such as {option} {columns[0]}=...")
    raise LikelyError(f"{option} {text!r}: there is no column {name!r}; {nearest(name, columns)}")


def known_column(name: str, columns: Sequence[str], option: str) -> str:
    """The name, if there is such a column."""
    if name not in columns:
        raise LikelyError(f"{option} {name!r}: there is no such column; {nearest(name, columns)}")
    return name


def nearest(name: str, columns: Iterable[str]) -> str:
    """A hint at the right name: the nearest, or all.

    >>> nearest("Sex", ["age", "sex"]), nearest("height", ["age", "sex"])
    ("did you mean 'sex'?", "the columns are 'age', 'sex'.")
    """
    known = list(columns)
    plain = {column.casefold(): column for column in known}
    near = get_close_matches(name.casefold(), plain, 1)
    if near:
        return f"did you mean {plain[near[0]]!r}?"
    return f"the columns are {', '.join(map(repr, known[:20]))}{', ...' if len(known) > 20 else '.'}"


def number(text: str, option: str) -> float:
    """A number that is typed.

    >>> number("2", "--cost age")
    2.0
    """
    try:
        return float(text)
    except ValueError:
        raise LikelyError(f"{option}={text}: give a number.") from None
