"""One column on its way from a file to a frame: its values, and the marks of those that are missing.

A cell is compared with the marks without the spaces around it.
"""

from __future__ import annotations

import datetime
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.read.gap_words import GAPS

ALWAYS = ("", "?", "NA")
_NUMBERS = frozenset({int, float})
_DATES = frozenset({datetime.date, datetime.datetime})


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

    def among_numbers(self) -> Marks:
        """These, and the words that can be no number: in a column of numbers they mean nothing else.

        >>> Marks.of(()).among_numbers().cover("N/A"), Marks.of(()).cover("N/A")
        (True, False)
        """
        return Marks(self.texts | GAPS, self.numbers)

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


@dataclass(frozen=True)
class RawColumn:
    """Values as bool, int64, float64, str objects, datetime64[D] or [us], and a mask beside them."""

    values: NDArray[Any]  # n
    missing: NDArray[np.bool_]  # n
    utc: bool = False  # times are instants in UTC, not wall-clock times
    written: str | None = None  # of numbers or dates that a text file has in no plain way: one of them
    order: str | None = None  # of the day, the month and the year in such dates
    gap: str | None = None  # a word that was read as missing, because all else are numbers

    def repeated(self, times: NDArray[np.int64]) -> RawColumn:
        """Row i as many times as `times[i]` says."""
        return RawColumn(np.repeat(self.values, times), np.repeat(self.missing, times), self.utc)

    def without(self, marks: Marks) -> RawColumn:
        """The same column with the numbers that mean "missing" taken out."""
        if self.values.dtype.kind not in "if" or not marks.numbers:
            return self
        marked = np.logical_or.reduce([self.values == number for number in marks.numbers])  # n
        return raw_column(self.values, self.missing | marked)


def raw_column(values: NDArray[Any], missing: NDArray[np.bool_], *, utc: bool = False) -> RawColumn:
    """Make NaN, None and the mask agree; a column of nothing but missing values is one of NaN.

    >>> raw_column(np.array([1.5, np.nan]), np.array([False, False])).missing.tolist()
    [False, True]
    >>> raw_column(np.array(["a"], dtype=object), np.array([True])).values.tolist()
    [nan]
    """
    if values.dtype.kind == "f":
        missing = missing | np.isnan(values)
    if missing.all():
        return RawColumn(np.full(len(values), np.nan), missing)
    if values.dtype == object and missing.any():
        values = with_none(values, missing)
    return RawColumn(values, missing, utc)


def with_none(values: NDArray[Any], missing: NDArray[np.bool_]) -> NDArray[Any]:
    """Objects, with None where a value is missing."""
    objects = values.astype(object)  # a copy, n
    objects[missing] = None
    return objects


def column_of_cells(cells: Sequence[object], marks: Marks) -> RawColumn:
    """Type a column of Python values, as spreadsheets and SQLite give them, by what is in it.

    >>> column_of_cells([1, "?", 2.5], Marks.of(())).values.tolist()
    [1.0, nan, 2.5]
    >>> column_of_cells([1, "two"], Marks.of(())).values.tolist()
    ['1', 'two']
    >>> column_of_cells([1, 3, "n/a"], Marks.of(())).missing.tolist()
    [False, False, True]
    """
    gap = _gap_word(cells, marks)
    if gap is not None:
        column = column_of_cells(cells, marks.among_numbers())
        return RawColumn(column.values, column.missing, gap=gap)
    missing = np.array([marks.cover(cell) for cell in cells], dtype=bool)  # n
    kept = [cell for cell, gone in zip(cells, missing, strict=True) if not gone]
    dtype = _dtype_of(kept)
    if dtype.kind == "O":
        kept = [str(cell) for cell in kept]
    values = np.full(len(cells), np.nan) if dtype.kind == "f" else np.zeros(len(cells), dtype=dtype)  # n
    values[~missing] = kept
    return raw_column(values, missing)


def _gap_word(cells: Sequence[object], marks: Marks) -> str | None:
    """A word among numbers that can mean nothing but "missing", if that is all that is no number."""
    texts = [cell for cell in cells if isinstance(cell, str) and not marks.cover(cell)]
    numbers = sum(type(cell) in _NUMBERS and not marks.cover(cell) for cell in cells)
    if not 0 < len(texts) < numbers or not all(text.strip(" ") in GAPS for text in texts):
        return None
    others = {type(cell) for cell in cells if not marks.cover(cell)} - {str}
    return texts[0].strip(" ") if others <= _NUMBERS else None


def _dtype_of(cells: Sequence[object]) -> np.dtype[Any]:
    types = {type(cell) for cell in cells}
    if types == {bool}:
        return np.dtype(bool)
    if types == {int}:
        fits = all(-(2**63) <= cell < 2**63 for cell in cells if isinstance(cell, int))
        return np.dtype(np.int64) if fits else np.dtype(object)
    if types <= _NUMBERS:
        return np.dtype(np.float64)
    if types == {datetime.date}:
        return np.dtype("datetime64[D]")
    return np.dtype("datetime64[us]") if types <= _DATES else np.dtype(object)


def column_names(header: Sequence[str], where: object) -> list[str]:
    """The names to use for a header: unnamed columns are called by their place, doubled names refused.

    >>> column_names(["age", ""], "people.csv")
    ['age', 'column2']
    """
    names = [name or f"column{place}" for place, name in enumerate(header, 1)]
    doubled = [name for name, times in Counter(names).items() if times > 1]
    if doubled:
        raise LikelyError(
            f"{where}: column names must differ, but {', '.join(map(repr, doubled))} stand"
            f"{'s' if len(doubled) == 1 else ''} more than once; rename them"
        )
    return names
