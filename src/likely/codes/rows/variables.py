"""The columns of a table as whole numbers: places among levels, or steps from the least number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.codes.description.code_length import Step, step_of
from likely.errors import LikelyError, notice
from likely.table.column.raw import Raw

Ints = NDArray[np.int64]
MOST_POINTS = 1 << 14  # of a column of numbers
EXACT = 1e-6  # of a step: what is nearer is the same number


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
        here = np.bincount(at[at >= 0], minlength=len(distinct)) > 0  # categories may be there without rows
        lost = [value for value, held in zip(distinct, here, strict=True) if held and value not in place]
        if lost:
            raise LikelyError(
                f"column {raw.name!r} holds {lost[0]!r}, which the model has never seen and cannot code: "
                "fit the model to rows that have it, or declare it among the levels."
            )
        codes = np.array([place.get(value, -1) for value in distinct] + [-1], np.int64)[at]
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
        given = step.get(raw.name) if isinstance(step, Mapping) else step
        back = known.min() + own * codes[~np.isnan(numbers)]
        worst = int(np.argmax(np.abs(back - known)))
        if given is None and abs(back[worst] - known[worst]) > EXACT * own:
            notice(
                f"column {raw.name!r} has no common step: {float(known[worst])!r} comes back as "
                f"{float(back[worst])!r}. Give the step to round to, as step={{{raw.name!r}: 0.001}}.",
            )
        return cls(raw.name, (), str(first), repr(float(own)), int(codes.max()) + 1), codes
