"""The classes of a regression's target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.estimator.target import class_codes, target_column
from likely.table.column.column import Column
from likely.table.column.raw import Raw

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def classes_of(raw: Raw, weight: Floats | None) -> tuple[Column, Ints]:
    """The classes of rows that count, and the place of each row's."""
    target = target_column(raw)
    codes = class_codes(target, raw)
    if weight is not None and not weight.all():
        levels = target.levels or ()
        stay = np.flatnonzero(np.bincount(codes, weight > 0, len(levels)))
        place = np.zeros(len(levels), np.intp)  # rows without weight go anywhere
        place[stay] = np.arange(len(stay))
        target, codes = replace(target, levels=tuple(levels[i] for i in stay)), place[codes]
    refuse_one(target)
    return target, codes


def counts_of(codes: Ints, weight: Floats | None, target: Column) -> Floats:
    """The weight of the rows of each class, (g,)."""
    return np.bincount(codes, weight, len(target.levels or ())).astype(np.float64)


def refuse_one(target: Column) -> None:
    """Refuse a target of a single class."""
    levels = target.levels or ()
    if len(levels) < 2:
        raise LikelyError(
            f"the target {target.name!r} has one class only, {levels[0]!r}: logistic regression tells "
            "classes apart, so give rows of at least two."
        )
