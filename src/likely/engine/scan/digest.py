"""Digests of columns read block by block: levels, range and decimals, enough for a schema. They add."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.engine.memory import ReduceTask
from likely.engine.query.levels import MOST_LEVELS, too_many_levels
from likely.errors import LikelyError
from likely.table.column.block import LIMIT
from likely.table.column.column import DECIMALS, ENOUGH, FEW, decimals_of
from likely.table.column.kinds import UNITS, Type
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.looked_at import looked_at


@dataclass(frozen=True, slots=True)
class ColumnDigest:
    """Every level of a column once, or a few of its numbers: the first, the range, one with most decimals."""

    raw: Raw
    known: int

    @classmethod
    def of(cls, raw: Raw, coded: bool) -> ColumnDigest:
        """Of some rows of a column."""
        if coded and raw.found is None and raw.type is not Type.BOOLEAN:
            codes, levels = raw.distinct()
            raw = replace(raw, values=codes, found=levels)
        if raw.found is not None:
            codes = np.unique(raw.values)
            levels = [raw.found[code] for code in codes[codes >= 0].tolist()]
            places = np.append(np.arange(len(levels)), [-1] if len(codes) and codes[0] < 0 else [])
            return cls(
                replace(raw, values=places.astype(np.int32), found=levels, read={}),
                int((raw.values >= 0).sum()),
            )
        gaps = raw.missing()
        values = raw.values[~gaps]
        few = values[:FEW]
        if len(values):
            ends = np.array([values.min(), values.max(), _finest(replace(raw, values=values))], values.dtype)
            few = np.concatenate([few, ends])
        if gaps.any():
            few = np.append(few, raw.values[int(np.argmax(gaps))])
        return cls(replace(raw, values=few), len(values))

    def __add__(self, other: ColumnDigest) -> ColumnDigest:
        a, b = self.raw, other.raw
        known = self.known + other.known
        if not len(a.values) or not len(b.values):
            return ColumnDigest(a if len(a.values) else b, known)
        if Type.EMPTY in (a.type, b.type) and (a.found is None) is not (b.found is None):
            filled = b if a.type is Type.EMPTY else a  # nothing but gaps came in on the other side
            return ColumnDigest(ColumnDigest.of(_with_gap(filled), False).raw, known)
        numbers = {a.type, b.type} <= {Type.INTEGER, Type.FLOAT}
        if a.type is not b.type and not numbers and Type.EMPTY not in (a.type, b.type):
            raise LikelyError(
                f"column {a.name!r} holds {a.type.value} in one part of the table and {b.type.value} in "
                "another: convert one of them."
            )
        if a.found is not None and b.found is not None:
            return ColumnDigest(_together(a, b), known)
        values = np.concatenate([a.values, b.values])
        whole = replace(a, type=a.type if a.type is b.type else Type.FLOAT, values=values)
        return ColumnDigest(ColumnDigest.of(whole, False).raw, known)

    def described(self) -> Raw:
        """The column to learn the schema from, its values repeated until they are seen not to be few."""
        raw = self.raw
        if raw.found is not None or not len(raw.values):
            return raw
        gaps = raw.missing()
        values = raw.values[~gaps]
        if self.known < ENOUGH:
            values = np.unique(np.array([values.min(), values.max()])) if len(values) else values
        elif len(values):
            values = np.resize(values, max(len(values), ENOUGH))
        return replace(raw, values=np.concatenate([values, raw.values[gaps]]))


def _with_gap(raw: Raw) -> Raw:
    """The same column with one more missing cell."""
    if raw.type in UNITS:
        return replace(raw, values=np.append(raw.values, np.array(["NaT"], raw.values.dtype)))
    return replace(raw, values=np.append(raw.values.astype(np.float64), np.nan))


def _together(a: Raw, b: Raw) -> Raw:
    """The levels of both."""
    if a.levels != b.levels and a.type is Type.CATEGORY:
        listed = a.levels is not None and b.levels is not None
        a = replace(
            a, levels=tuple(dict.fromkeys([*(a.levels or ()), *(b.levels or ())])) if listed else None
        )
    levels = list(dict.fromkeys([*(a.found or ()), *(b.found or ())]))
    if len(levels) > MOST_LEVELS:
        raise too_many_levels(a.name, len(levels))
    gap = bool((a.values < 0).any() or (b.values < 0).any())
    places = np.append(np.arange(len(levels)), [-1] if gap else []).astype(np.int32)
    return replace(a, type=b.type if a.type is Type.EMPTY else a.type, values=places, found=levels)


def _finest(known: Raw) -> Any:
    """A value with the largest number of decimals."""
    if known.type in (Type.INTEGER, Type.BOOLEAN):
        return known.values[0]
    numbers = np.asarray(known.numbers(), np.float64)
    finite = np.isfinite(numbers) & (np.abs(numbers) < LIMIT)
    if not finite.any():
        return known.values[0]
    decimals = decimals_of(numbers[finite])
    fewer = DECIMALS if decimals is None else max(decimals - 1, 0)
    more = np.round(np.where(finite, numbers, 0.0), fewer) != np.where(finite, numbers, 0.0)
    return known.values[int(np.argmax(more))]


@dataclass(frozen=True, slots=True)
class TableDigest:
    """Digests of all columns; digests of pieces add up to the digest of the whole."""

    columns: tuple[ColumnDigest, ...]
    n: int

    def __add__(self, other: TableDigest) -> TableDigest:
        if self.names != other.names:
            raise LikelyError(
                f"one part of the table has the columns {list(self.names)[:10]!r} and another "
                f"{list(other.names)[:10]!r}: files that are read together need the same columns in order."
            )
        pairs = zip(self.columns, other.columns, strict=True)
        return TableDigest(tuple(mine + theirs for mine, theirs in pairs), self.n + other.n)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.raw.name for column in self.columns)

    def frame(self, library: str, leave_out: str | None = None) -> Frame:
        """A table of n rows whose cells cannot be read, for code that needs only its columns."""
        seen = {
            column.raw.name: column.described() for column in self.columns if column.raw.name != leave_out
        }
        return looked_at(seen, self.n, library, "give a table that is.")

    def raw(self, name: str) -> Raw:
        """One column."""
        return next(column.described() for column in self.columns if column.raw.name == name)


@dataclass(frozen=True, slots=True)
class DigestColumns(ReduceTask[Frame, TableDigest]):
    """What each column holds, in short."""

    coded: tuple[str, ...]  # columns of numbers that are levels

    def step(self, data: Frame, start: int, stop: int) -> TableDigest:
        """Of some rows."""
        columns = []
        for name in data.names:
            raw = data.raw(name)
            columns.append(ColumnDigest.of(replace(raw, values=raw.values[start:stop]), name in self.coded))
        return TableDigest(tuple(columns), stop - start)
