"""What is typed, looked up among what there is: column=value, the name of a column or class, a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

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


def class_named(word: str, classes: Iterable[Any]) -> Any:
    """The class that is written like this: 1 is the number where the classes are numbers.

    >>> class_named("1", [0, 1])
    1
    """
    by_name = {str(label): label for label in classes}
    if word not in by_name:
        raise LikelyError(f"there is no class {word!r}: {nearest(word, by_name, 'classes')}")
    return by_name[word]


def nearest(name: str, columns: Iterable[str], what: str = "columns") -> str:
    """A hint at the right name: the nearest, or all.

    >>> nearest("Sex", ["age", "sex"]), nearest("height", ["age", "sex"])
    ("did you mean 'sex'?", "the columns are 'age', 'sex'.")
    """
    known = list(columns)
    plain = {column.casefold(): column for column in known}
    near = get_close_matches(name.casefold(), plain, 1)
    if near:
        return f"did you mean {plain[near[0]]!r}?"
    return f"the {what} are {', '.join(map(repr, known[:20]))}{', ...' if len(known) > 20 else '.'}"


def number(text: str, option: str) -> float:
    """A number that is typed.

    >>> number("2", "--cost age")
    2.0
    """
    try:
        return float(text)
    except ValueError:
        raise LikelyError(f"{option}={text}: give a number.") from None
