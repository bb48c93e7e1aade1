"""What is said about columns on the command line -> what a model takes: kinds, families and the prior."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from likely.cli.pairs import pair
from likely.errors import LikelyError
from likely.table.frame import Frame


def kinds_of(declared: Sequence[str], frame: Frame) -> Any:
    """`--kind`: one kind for all, COLUMN=KIND, or COLUMN=LOW<MIDDLE<HIGH for levels in order.

    >>> frame = Frame.of({"size": ["s", "l"], "stars": [1, 5]})
    >>> kinds_of(["size=s<m<l", "stars=1<2<5"], frame)
    {'size': ['s', 'm', 'l'], 'stars': [1, 2, 5]}
    >>> kinds_of(["categorical"], frame), kinds_of([], frame)
    ('categorical', None)
    """
    found = _by_column(declared, frame.names, "--kind")
    if not isinstance(found, dict):
        return found
    return {name: _levels(name, what, frame) if "<" in what else what for name, what in found.items()}


def families_of(declared: Sequence[str], columns: Sequence[str]) -> Any:
    """`--family`: one family for all, or COLUMN=FAMILY.

    >>> families_of(["auto"], ["age"]), families_of(["age=kernel"], ["age"])
    ('auto', {'age': 'kernel'})
    """
    return _by_column(declared, columns, "--family")


def prior_of(word: str) -> Any:
    """`--prior`: default, none, or a strength.

    >>> prior_of("default"), prior_of("none"), prior_of("0.5")
    ('default', None, 0.5)
    """
    if word in ("default", "none"):
        return None if word == "none" else word
    try:
        return float(word)
    except ValueError:
        raise LikelyError(
            f"--prior {word!r}: give 'default', 'none' (maximum likelihood), or the strength of the default "
            "as a number."
        ) from None


def _by_column(declared: Sequence[str], columns: Sequence[str], option: str) -> Any:
    if len(declared) == 1 and "=" not in declared[0]:
        return declared[0]
    return dict(pair(text, columns, option) for text in declared) or None


def _levels(name: str, what: str, frame: Frame) -> list[Any]:
    """Levels as the column has them: those of numbers are numbers."""
    found = {str(value): value for value in frame.raw(name).distinct()[1]}
    numbers = bool(found) and all(isinstance(value, int | float) for value in found.values())
    return [found.get(text, _number(text) if numbers else text) for text in map(str.strip, what.split("<"))]


def _number(text: str) -> Any:
    try:
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError:
        return text
