"""What is typed, looked up among what there is: column=value, the name of a column, a number."""

from __future__ import annotations

from collections.abc import Sequence

from likely.errors import LikelyError
from likely.table.names import nearest


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


def number(text: str, option: str) -> float:
    """A number that is typed.

    >>> number("2", "--cost age")
    2.0
    """
    try:
        return float(text)
    except ValueError:
        raise LikelyError(f"{option}={text}: give a number.") from None
