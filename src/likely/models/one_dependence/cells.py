"""Columns of any kind as codes: levels as they are, numbers in bins of about as many rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.stats.bins import bin_codes, equal_frequency_starts, midway
from likely.table.accepted import Kinds
from likely.table.column.block import Codes, Numbers
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FEWEST, MOST = 3, 8  # bins of a column of numbers


@dataclass(frozen=True)
class CellCodes:
    """How the columns of a table are coded, learnt once."""

    schema: Schema
    edges: tuple[Floats, ...]  # of each column of numbers, midway between bins
    gaps: bool  # whether a missing number is a level of its own, the last

    @classmethod
    def learn(cls, frame: Frame, kinds: Kinds, missing: str, weight: Floats | None = None) -> CellCodes:
        """From a table; the bins are of about as many rows each, and there are more of them the more rows."""
        if missing not in ("ignore", "level"):
            raise LikelyError(
                f"missing={missing!r}: use 'ignore' (no evidence) or 'level' (a level of its own)."
            )
        schema = Schema.learn(frame, kinds, missing_level=missing == "level")
        for column in schema.columns:
            if column.kind is Kind.TEXT:
                raise LikelyError(
                    f"column {column.name!r} is text, and the columns of this model are levels and numbers: "
                    "leave it out, declare it categorical, or use NaiveBayes."
                )
        n = frame.n if weight is None else float(weight.sum())
        bins = int(np.clip(round(n ** (1 / 3)), FEWEST, MOST))
        rows = cls(schema, tuple(np.zeros(0) for _ in schema.columns), False).rows_of(frame)
        numbers = rows.numbers_of(0, frame.n)
        edges = [np.zeros(0) for _ in schema.columns]
        for place, j in enumerate(rows.counted):
            known = ~np.isnan(numbers[:, place])
            values, which = np.unique(numbers[known, place], return_inverse=True)
            times = np.bincount(which, None if weight is None else weight[known], len(values))
            starts = equal_frequency_starts(times, bins) if len(values) else np.zeros(0, np.intp)
            truth = schema.columns[j].kind is Kind.BOOLEAN
            edges[j] = np.array([0.5]) if truth else midway(values, starts, times)
        return cls(schema, tuple(edges), missing == "level")

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many levels, or bins, each column has."""
        pairs = zip(self.schema.columns, self.edges, strict=True)
        return tuple(
            max(1, len(column.levels)) if column.levels is not None else len(edges) + 1 + self.gaps
            for column, edges in pairs
        )

    def rows_of(self, frame: Frame) -> CellRows:
        """The rows of a table that fits the schema."""
        counted = [j for j, column in enumerate(self.schema.columns) if column.levels is None]
        coded = [j for j, column in enumerate(self.schema.columns) if column.levels is not None]
        numbers = self.schema.numbers(frame, counted)
        numbers.refuse_extremes(0, frame.n)
        return CellRows(self, counted, coded, numbers, self.schema.codes(frame, coded) if coded else None)


@dataclass(frozen=True)
class CellRows:
    """The rows of a table, handed out as codes."""

    reading: CellCodes
    counted: list[int]  # places of the columns of numbers
    coded: list[int]  # and of those of levels
    numbers: Numbers
    levels: Codes | None

    def numbers_of(self, start: int, stop: int) -> Floats:
        """The numbers of some rows, (b, m), NaN where missing."""
        part: Any = self.numbers.rows(start, stop)
        return np.array(part if isinstance(part, np.ndarray) else part.toarray(), np.float64)

    def rows(self, start: int, stop: int) -> Ints:
        """The codes of some rows, (b, d): -1 where missing, -2 where never seen."""
        codes = np.empty((stop - start, len(self.reading.sizes)), np.intp)
        numbers = self.numbers_of(start, stop)
        for place, j in enumerate(self.counted):
            column = numbers[:, place]
            gap = len(self.reading.edges[j]) + 1 if self.reading.gaps else -1
            codes[:, j] = np.where(np.isnan(column), gap, bin_codes(self.reading.edges[j], column))
        if self.levels is not None:
            codes[:, self.coded] = self.levels.rows(start, stop)
        return codes
