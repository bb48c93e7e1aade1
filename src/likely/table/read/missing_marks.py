"""What stands for a missing value in a file: empty, `?`, `NA` and the user's own marks.

A cell is compared with the marks without the spaces around it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from likely.errors import LikelyError

ALWAYS = ("", "?", "NA")


@dataclass(frozen=True)
class Marks:
    """The texts and the numbers that mean "missing"."""

    texts: frozenset[str]
    numbers: tuple[float, ...]  # whole ones are kept as int, so that they compare exactly with int64

    @classmethod
    def of(cls, missing: str | float | Iterable[str | float]) -> Marks:
        """The marks a user gave, in addition to the three that always hold.

        >>> marks = Marks.of([-999, "none"])
        >>> sorted(marks.texts), marks.numbers
        (['', '-999', '?', 'NA', 'none'], (-999,))
        >>> Marks.of("-999").numbers
        (-999,)
        """
        given = list(missing) if isinstance(missing, Iterable) and not isinstance(missing, str) else [missing]
        for mark in given:
            if isinstance(mark, bool) or not isinstance(mark, str | int | float | np.number):
                raise LikelyError(
                    f"missing={mark!r} is not a mark; give texts or numbers, as in missing=['-999']"
                )
        numbers = [number for mark in given if (number := _number(mark)) is not None]
        texts = {str(mark).strip(" ") for mark in given} | {str(number) for number in numbers}
        return cls(frozenset(texts.union(ALWAYS)), tuple(numbers))

    def cover(self, cell: object) -> bool:
        """Whether this cell is missing."""
        if isinstance(cell, str):
            return cell.strip(" ") in self.texts
        if isinstance(cell, bool):
            return False
        return cell is None or cell != cell or cell in self.numbers


def _number(mark: str | float) -> float | None:
    try:
        number = float(mark)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    # int(mark) and not int(number): 64-bit codes have more digits than a float holds
    return number if number != math.floor(number) else _whole(mark)


def _whole(mark: str | float) -> int:
    try:
        return int(mark)
    except ValueError:  # a whole number with a decimal point, such as "-999.0"
        return int(float(mark))
