"""The columns of a table as whole numbers: places among levels, or steps from the least number."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.codes.description.code_length import Step, step_of
from likely.errors import LikelyError
from likely.table.column.raw import Raw

Ints = NDArray[np.int64]
MOST_POINTS = 1 << 14  # of a column of numbers


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """What the codes of a column stand for: levels, or `n_points` numbers a step apart."""

    name: str
    levels: tuple[Any, ...] = ()
    origin: str = ""  # the least number, in decimals
    step: str = ""
    n_points: int = 0

    @property
    def k(self) -> int:
        """How many values there are."""
        return self.n_points or len(self.levels)

    def values(self, codes: Ints) -> list[Any]:
        """What codes stand for; None for -1."""
        if self.n_points:
            first, step = Decimal(self.origin), Decimal(self.step)
            return [None if code < 0 else float(first + step * int(code)) for code in codes.tolist()]
        return [None if code < 0 else self.levels[code] for code in codes.tolist()]

    @classmethod
    def of_levels(cls, raw: Raw, levels: tuple[Any, ...]) -> tuple[CodedColumn, Ints]:
        """A column whose levels a model knows."""
        at, distinct = raw.distinct()
        place = {level: i for i, level in enumerate(levels)}
        lost = [value for value in distinct if value not in place]
        if lost:
            raise LikelyError(
                f"column {raw.name!r} holds {lost[0]!r}, which the model has never seen and cannot code: "
                "fit the model to rows that have it, or declare it among the levels."
            )
        codes = np.array([place[value] for value in distinct] + [-1], np.int64)[at]
        return cls(raw.name, levels), codes

    @classmethod
    def of_numbers(cls, raw: Raw, step: Step) -> tuple[CodedColumn, Ints]:
        """A column of numbers, rounded to a step."""
        numbers = np.asarray(raw.numbers(), np.float64)
        known = numbers[~np.isnan(numbers)]
        if not np.isfinite(known).all():
            raise LikelyError(f"column {raw.name!r} holds infinity, which has no code: leave such rows out.")
        if not len(known):
            return cls(raw.name, (), "0", "1", 1), np.full(len(numbers), -1, np.int64)
        own = step_of(raw.name, numbers, step)
        span = float(known.max() - known.min()) / own
        if span >= MOST_POINTS:
            raise LikelyError(
                f"column {raw.name!r} has room for {span + 1:,.0f} numbers {own:g} apart, and at most "
                f"{MOST_POINTS:,} are coded one by one: give a coarser step, as step={{{raw.name!r}: "
                f"{float(known.max() - known.min()) / 1000:.2g}}}."
            )
        first = Decimal(repr(float(known.min())))
        codes = np.full(len(numbers), -1, np.int64)
        codes[~np.isnan(numbers)] = np.rint((known - known.min()) / own).astype(np.int64)
        return cls(raw.name, (), str(first), repr(float(own)), int(codes.max()) + 1), codes
