"""The kinds of column: what its values mean."""

from __future__ import annotations

from difflib import get_close_matches
from enum import StrEnum

from likely.errors import LikelyError


class Kind(StrEnum):
    """What the values of a column are.

    >>> Kind.of("ordinal")
    <Kind.ORDINAL: 'ordinal'>
    """

    BOOLEAN = "boolean"  # true or false
    CATEGORICAL = "categorical"  # levels without an order
    ORDINAL = "ordinal"  # levels with an order and no scale
    QUANTITATIVE = "quantitative"  # numbers on a scale
    COUNT = "count"  # whole numbers from 0: how many times
    TEXT = "text"  # free text

    @classmethod
    def of(cls, word: object, column: str | None = None) -> Kind:
        """The kind that a user's word means; `column` is named if it means none."""
        asked = str(word).lower()
        try:
            return cls(asked)
        except ValueError:
            where = "" if column is None else f" for column {column!r}"
            near = get_close_matches(asked, list(cls), 1)
            hint = f"did you mean {str(near[0])!r}?" if near else f"use one of {', '.join(cls)}."
            raise LikelyError(f"kind {word!r}{where} is unknown: {hint}") from None

    @property
    def coded(self) -> bool:
        """Whether values are kept as codes of named levels."""
        return self in (Kind.CATEGORICAL, Kind.ORDINAL)
