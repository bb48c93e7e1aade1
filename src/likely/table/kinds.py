"""The kinds of column, and which statistics each of them allows."""

from __future__ import annotations

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
        try:
            return cls(str(word).lower())
        except ValueError:
            where = "" if column is None else f" for column {column!r}"
            raise LikelyError(f"kind {word!r}{where} is unknown: use one of {', '.join(cls)}.") from None

    @property
    def coded(self) -> bool:
        """Whether values are kept as codes of named levels."""
        return self in (Kind.CATEGORICAL, Kind.ORDINAL)
