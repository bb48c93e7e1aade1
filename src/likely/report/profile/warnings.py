"""What deserves a look in a column, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from likely.format.words import shown


@dataclass(frozen=True, slots=True)
class ColumnWarning:
    """A warning about one column: `what` in a word or two, and a `message` that ends in a remedy."""

    column: str
    what: str
    message: str

    def __str__(self) -> str:
        return f"{shown(self.column)}: {self.what}. {self.message}"


def share(part: float, whole: float) -> str:
    """A share in percent that never rounds to nothing or to all.

    >>> share(1, 3), share(1, 10_000), share(9_999, 10_000), share(5, 5), share(0, 0)
    ('33%', '<1%', '>99%', '100%', '0%')
    """
    percent = 100 * part / whole if whole else 0.0
    if 0 < percent < 1 or 99 < percent < 100:
        return "<1%" if percent < 1 else ">99%"
    return f"{percent:.0f}%"


def listed(values: Iterable[object], most: int = 4) -> str:
    """A few values in quotes, and dots for the rest."""
    values = list(values)
    return ", ".join(repr(value) for value in values[:most]) + (", ..." if len(values) > most else "")
