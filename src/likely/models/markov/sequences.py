"""Which rows of a table are a sequence: told by lengths, or by a column that names it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import LikelyError
from likely.estimator.fitted import class_codes, split_target, target_column
from likely.table.accepted import TableLike, Target, Weights
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Sequences:
    """The sequences of a table, each with its rows in the order of the table."""

    rows: Ints  # (n,): the rows of the first sequence, then those of the second, and so on
    lengths: Ints  # (sequences,)
    names: tuple[Any, ...] | None = None  # of each, if a column names them

    @classmethod
    def of(cls, X: TableLike, lengths: ArrayLike | None, groups: Target | None) -> tuple[Frame, Sequences]:
        """The table without the column that names its sequences, if it has one; and these."""
        frame = Frame.of(X)
        if groups is not None:
            if lengths is not None:
                raise LikelyError(
                    "both lengths and groups are given: each says what a sequence is, give one."
                )
            return cls._named(frame, groups)
        if lengths is None:
            return frame, cls(np.arange(frame.n), np.array([frame.n], np.intp))
        given = np.asarray(lengths)
        if given.ndim != 1 or given.dtype.kind not in "iu" or (given < 1).any() or given.sum() != frame.n:
            raise LikelyError(
                f"lengths={_short(lengths)}: give the number of rows of each sequence, from 1, adding up to "
                f"the {frame.n} rows of the table."
            )
        return frame, cls(np.arange(frame.n), given.astype(np.intp))

    @classmethod
    def _named(cls, frame: Frame, groups: Target) -> tuple[Frame, Sequences]:
        rest, raw = split_target(frame, groups, "groups")
        names = target_column(raw)
        codes = class_codes(names, raw)
        counts = np.bincount(codes, minlength=len(names.levels or ()))
        rows = np.argsort(codes, kind="stable")
        return rest, cls(rows, counts.astype(np.intp), names.levels)

    @property
    def n(self) -> int:
        """How many sequences there are."""
        return len(self.lengths)

    def weights(self, given: Weights) -> Floats | None:
        """The weight of each sequence, checked; None for none."""
        if given is None:
            return None
        weight = np.asarray(given, np.float64)
        if weight.shape != (self.n,) or not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
            raise LikelyError(
                f"sequence_weight={_short(given)}: give a weight of 0 or more for each of the {self.n} "
                "sequences, and not 0 for all."
            )
        return weight

    def of_rows(self, weight: Floats | None) -> Floats | None:
        """The weight of every row of the table, by its sequence's."""
        if weight is None:
            return None
        by_row = np.empty(len(self.rows))
        by_row[self.rows] = np.repeat(weight, self.lengths)
        return by_row


def _short(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 60 else f"{said[:57]}..."
