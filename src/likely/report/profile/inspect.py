"""A column of a table -> its kind and why, and its cells; and how many rows repeat an earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.score.columns import codes_of
from likely.stats.groups import Ints
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type, kind_of, levels_of, says_truth, why
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.schema import Schema

MEASURED = (Kind.QUANTITATIVE, Kind.COUNT)
_U = np.uint64
_STEP = _U(0x9E3779B97F4A7C15)  # odd, and its bits in disorder: 2^64 over the golden ratio


@dataclass(frozen=True, slots=True)
class Inspected:
    """One column: numbers if it is measured, else a code a row (-1 missing) and what the codes stand for."""

    column: Column
    why: str
    n: int
    numbers: NDArray[Any] | None = None  # (n,), NaN missing; of a sparse column those that are stored
    rows: Ints | None = None  # of a sparse column: the rows of the numbers; the others hold 0
    codes: NDArray[Any] | None = None  # (n,)
    levels: Sequence[Any] = ()
    complaint: str = ""  # what is wrong with a column of several types


def inspect_column(raw: Raw, declared: object = None) -> Inspected:
    """Look at one column.

    >>> inspected = inspect_column(as_raw("sex", ["m", None, "f"]))
    >>> inspected.column.kind, inspected.codes, inspected.levels
    (<Kind.CATEGORICAL: 'categorical'>, array([ 0, -1,  1], dtype=int8), ['m', 'f'])
    """
    n, reason = len(raw.values), why(raw, declared)
    if declared is not None:
        column = Column.learn(raw, declared)
    else:
        # Not learnt: sorting a million levels, or reading all texts word by word, would be for nothing.
        kind = Kind.CATEGORICAL if raw.type is Type.MIXED else kind_of(raw)
        said = tuple(levels_of(raw)) if says_truth(raw) else None
        column = Column(raw.name, kind, raw.type, said, zone=raw.zone)
    if column.kind in MEASURED:
        return Inspected(column, reason, n, column.numbers(raw))
    if column.kind is Kind.BOOLEAN and not column.has_levels:
        truth = column.numbers(raw)
        codes = np.where(truth == truth, truth, -1).astype(np.int8)
        return Inspected(column, reason, n, codes=codes, levels=(False, True))
    if column.has_levels and (column.kind is Kind.BOOLEAN or declared is not None):
        return Inspected(column, reason, n, codes=codes_of(column, raw), levels=column.known)
    codes, levels = raw.distinct()
    return Inspected(column, reason, n, codes=codes, levels=levels, complaint=raw.complaint)


def inspect_columns(frame: Frame, declared: Mapping[str, Any]) -> Iterator[Inspected]:
    """Look at the columns of a table one after another; what is made of one is dropped before the next."""
    if frame.matrix is not None and not isinstance(frame.matrix, np.ndarray):
        yield from _inspect_sparse(frame, declared)
        return
    for name in frame.names:
        yield inspect_column(frame.raw(name), declared.get(name))
        frame.seen.pop(name, None)


def _inspect_sparse(frame: Frame, declared: Mapping[str, Any]) -> Iterator[Inspected]:
    """Only what is stored is looked at, unless the column is declared to have levels."""
    schema, matrix = Schema.learn(frame, declared), frame.matrix.tocsc()
    reason = why(as_raw("x", np.zeros(1, matrix.dtype)))
    for j, column in enumerate(schema.columns):
        if column.kind in MEASURED:
            own = slice(matrix.indptr[j], matrix.indptr[j + 1])
            said = "declared" if declared.get(column.name) is not None else reason
            yield Inspected(column, said, frame.n, matrix.data[own], matrix.indices[own])
        else:
            yield inspect_column(frame.raw(column.name), declared.get(column.name))
            frame.seen.pop(column.name, None)


class Fingerprints:
    """64 bits for each row, the sum of those of its cells; two different rows share them 1 in 2^64 times.

    >>> rows = Fingerprints(3)
    >>> rows.add(Inspected(None, "", 3, codes=np.array([0, 1, 0]), levels="ab"))
    >>> rows.repeated
    1
    """

    def __init__(self, n: int) -> None:
        self._sums = np.zeros(n, _U)
        self._columns = 0

    def add(self, inspected: Inspected) -> None:
        """Put in one column; missing cells are equal to each other."""
        self._columns += 1
        if inspected.numbers is None:
            assert inspected.codes is not None
            self._sums += self._mixed(inspected.codes.astype(np.int64))
        elif inspected.rows is None:
            self._sums += self._mixed(_bits(inspected.numbers))
        else:
            stored = inspected.numbers != 0  # zeros add nothing, whether stored or not
            np.add.at(self._sums, inspected.rows[stored], self._mixed(_bits(inspected.numbers[stored])))

    @property
    def repeated(self) -> int:
        """How many rows are the same as an earlier one."""
        if not self._columns:
            return 0
        ordered = np.sort(self._sums)
        return int(np.count_nonzero(ordered[1:] == ordered[:-1]))

    def _mixed(self, cells: NDArray[Any]) -> NDArray[np.uint64]:
        """Shuffle the bits of every cell (as splitmix64 does), in another way for every column."""
        mixed = cells.view(_U) + _U(self._columns * int(_STEP) % 2**64)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed ^= mixed >> _U(shift)
            mixed *= _U(factor)
        mixed ^= mixed >> _U(31)
        return mixed


def _bits(numbers: NDArray[Any]) -> NDArray[Any]:
    """Equal bits for equal numbers: one kind of zero, one kind of NaN."""
    if numbers.dtype.kind != "f":
        return numbers.astype(np.int64)
    floats = numbers.astype(np.float64) + 0.0
    floats[np.isnan(floats)] = np.nan
    return floats
