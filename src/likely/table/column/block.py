"""Columns of one kind side by side, handed out in blocks of rows: views, or buffers used again.

Rows of a sparse matrix are views too: SciPy's own slices and transposes copy, and so do its constructors. A
fresh temporary of a block's size costs more in page faults than the arithmetic that fills it (measured on
1,000,000 x 20: 71 ms to subtract into new memory, 28 ms into used), so a thread uses its own again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

if TYPE_CHECKING:
    from likely.table.column.levels import Coded

Floats = NDArray[np.float64]
_local = threading.local()
_LINE = 64  # bytes of a cache line, and of the widest registers
_KEEP = 1 << 20  # cells: larger than any block of ordinary width
LIMIT = 1e150  # beyond this a square leaves the range of the numbers


class SparseRows(Protocol):
    """What is asked of a sparse block of rows (b, d), whichever of SciPy's classes it is."""

    data: NDArray[Any]
    indices: NDArray[Any]  # of the stored cells: their columns (CSR) or rows (CSC)
    indptr: NDArray[Any]  # where the cells of each row (CSR) or column (CSC) begin, and the end

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the cells."""

    def toarray(self) -> NDArray[Any]:
        """Written out."""

    def astype(self, dtype: type) -> SparseRows:
        """A copy, of another type."""

    def tocsr(self) -> SparseRows:
        """Row by row; itself if it is so already."""

    def eliminate_zeros(self) -> None:
        """Stored no more, in place."""

    def multiply(self, other: SparseRows) -> SparseRows:
        """Cell by cell."""

    def __getitem__(self, index: slice | NDArray[Any] | tuple[slice, slice | NDArray[Any]]) -> SparseRows: ...

    def __matmul__(self, other: NDArray[Any]) -> Any: ...


Rows = NDArray[Any] | SparseRows  # (b, d), dense or sparse


def rows_of(matrix: SparseRows, start: int, stop: int) -> SparseRows:
    """Rows start to stop of a CSR matrix, as floats: a view if they are floats.

    >>> from scipy.sparse import csr_array
    >>> rows_of(csr_array([[1, 0], [0, 2], [3, 0]]), 1, 3).toarray()
    array([[0., 2.],
           [3., 0.]])
    """
    begins = matrix.indptr[start : stop + 1]
    some = slice(begins[0], begins[-1])
    made: Any = type(matrix)
    part: SparseRows = made((stop - start, matrix.shape[1]))
    part.data = matrix.data[some].astype(np.float64, copy=False)
    part.indices, part.indptr = matrix.indices[some], begins - begins[0]
    return part


def turned(rows: SparseRows) -> SparseRows:
    """The transpose of a CSR matrix, as a view.

    >>> from scipy.sparse import csr_array
    >>> turned(csr_array([[1, 0], [4, 2]])).toarray()
    array([[1, 4],
           [0, 2]])
    """
    return made_of_columns(rows.data, rows.indices, rows.indptr, rows.shape[1])


def made_of_columns(
    data: NDArray[Any], places: NDArray[Any], begins: NDArray[Any], height: int
) -> SparseRows:
    """A matrix with these cells at these places of its columns, which begin at `begins` (CSC)."""
    from scipy.sparse import csc_array

    empty: Any = csc_array((height, len(begins) - 1), dtype=data.dtype)
    matrix: SparseRows = empty
    matrix.data, matrix.indices, matrix.indptr = data, places, begins
    return matrix


def row_sums(rows: Rows) -> Any:
    """The sum of each row, (b,), dense or sparse; NaN where a cell is.

    >>> from scipy.sparse import csr_array
    >>> row_sums(csr_array([[1.0, 0.0], [0.0, 0.0], [4.0, 2.0]]))
    array([1., 0., 6.])
    """
    if isinstance(rows, np.ndarray):
        return rows.sum(axis=1)
    rows = rows.tocsr()
    begins = rows.indptr[:-1]
    filled = begins < rows.indptr[1:]
    sums = np.zeros(rows.shape[0])
    if filled.any():
        sums[filled] = np.add.reduceat(rows.data, begins[filled])
    return sums


def has_gaps(rows: Rows) -> bool:
    """Whether a cell of a block, dense or sparse, is missing.

    >>> has_gaps(np.array([[1.0, np.nan]])), has_gaps(np.array([[np.inf, -np.inf]]))
    (True, False)
    """
    cells = rows.ravel(order="K") if isinstance(rows, np.ndarray) else rows.data
    with np.errstate(over="ignore", invalid="ignore"):  # huge and infinite cells have infinite squares
        return bool(np.isnan(np.dot(cells, cells)))  # squares never cancel, and no array of answers is made


def aligned(shape: tuple[int, ...]) -> Floats:
    """An uninitialised array that begins where a cache line does.

    Products and squares are a quarter faster so than 16 bytes further on, where large arrays else begin.
    """
    cells = prod(shape)
    whole = np.empty(cells + _LINE // 8 - 1)
    start = -whole.ctypes.data % _LINE // 8
    return whole[start : start + cells].reshape(shape)


def scratch(name: str, shape: tuple[int, ...]) -> Floats:
    """An uninitialised array of this thread's, good until the same name is asked for again."""
    cells = prod(shape)
    if cells > _KEEP:
        return aligned(shape)
    held: Floats | None = getattr(_local, name, None)
    if held is None or held.size < cells:
        held = aligned((cells,))
        setattr(_local, name, held)
    return held[:cells].reshape(shape)


def scratch_like(name: str, rows: NDArray[Any]) -> Floats:
    """As `scratch`, in the memory order of `rows` (b, d)."""
    return scratch(name, rows.shape[::-1]).T if by_columns(rows) else scratch(name, rows.shape)


def by_columns(rows: NDArray[Any]) -> bool:
    """Whether neighbours in memory are of one column, as in a slice of rows of a column-ordered table."""
    return bool(rows.strides[0] < rows.strides[1])


def _within(cells: NDArray[Any]) -> bool:
    """Whether no number is beyond the limit, as infinity is; a missing one is not."""
    if not cells.size:
        return True
    low, high = cells.min(), cells.max()
    if np.isnan(low):  # slower, but no copy either
        low, high = np.fmin.reduce(cells, axis=None), np.fmax.reduce(cells, axis=None)
    return not (high > LIMIT or low < -LIMIT)


class Block(Protocol):
    """Columns of one kind side by side."""

    def rows(self, start: int, stop: int) -> Any:
        """Rows start to stop, (b, d): to read, and good until the thread asks a block for rows again."""


@dataclass(frozen=True, slots=True)
class Support:
    """Which numbers a family of distributions can describe, and what is said of others."""

    inside: Callable[[Any], NDArray[np.bool_]]
    rule: str

    def first_outside(self, part: Rows) -> tuple[int, int] | None:
        """The row and the column of the first number outside, in a block dense or sparse; NaN is none."""
        stored = part if isinstance(part, np.ndarray) else np.append(part.data, 0.0)
        if (self.inside(stored) | ~np.isfinite(stored)).all():  # infinity is refused with the extremes
            return None
        cells = part if isinstance(part, np.ndarray) else part.toarray()
        wrong = np.argwhere(~self.inside(cells) & np.isfinite(cells))
        return (int(wrong[0, 0]), int(wrong[0, 1])) if len(wrong) else None


@dataclass(frozen=True, slots=True)
class Numbers:
    """Columns of numbers, NaN where missing; from a matrix (also sparse) or from separate columns."""

    names: Sequence[str]
    matrix: Any = None  # (n, D)
    places: NDArray[np.intp] | None = None  # which columns of the matrix; None for all
    columns: tuple[NDArray[Any], ...] = ()
    support: Support | None = None  # beyond which numbers are refused

    def rows(self, start: int, stop: int) -> Any:
        """Numbers of rows start to stop, (b, d)."""
        part = self._rows(start, stop)
        wrong = None if self.support is None else self.support.first_outside(part)
        if self.support is not None and wrong is not None:
            cells = part if isinstance(part, np.ndarray) else part.toarray()
            raise LikelyError(
                f"column {self.names[wrong[1]]!r}, row {start + wrong[0]}: {cells[wrong]:g} is impossible: "
                f"{self.support.rule}. Correct it, mark it as missing, or choose another family."
            )
        return part

    def _rows(self, start: int, stop: int) -> Any:
        if self.matrix is None:
            out = scratch("numbers", (len(self.columns), stop - start))
            for j, column in enumerate(self.columns):
                out[j] = column[start:stop]
            return out.T
        if not isinstance(self.matrix, np.ndarray):
            sparse = rows_of(self.matrix, start, stop)
            return sparse if self.places is None else sparse[:, self.places]
        part = self.matrix[start:stop]
        if self.places is None and part.dtype == np.float64:
            return part
        out = scratch("numbers", (stop - start, len(self.names)))
        out[:] = part if self.places is None else part[:, self.places]
        return out

    def refuse_extremes(self, start: int, stop: int, before: int = 0) -> None:
        """Name the first value that no model can use, if any; `before` rows came before this table."""
        part = self.rows(start, stop)
        cells = part if isinstance(part, np.ndarray) else part.data
        if _within(cells):
            return
        part = part if isinstance(part, np.ndarray) else part.toarray()
        row, j = (int(place) for place in np.argwhere(np.abs(part) > LIMIT)[0])
        value = part[row, j]
        what = f"{value:g}, a value too large for dtype('float64') squared"
        if np.isinf(value):
            what = "infinity" if value > 0 else "-infinity"
        raise LikelyError(
            f"Input X contains {what}: column {self.names[j]!r}, row {before + start + row}. "
            f"Correct it, mark it as missing, or rescale the column to stay within {LIMIT:g}."
        )


@dataclass(frozen=True, slots=True)
class Codes:
    """Columns of codes of levels: -1 where missing, -2 where never seen."""

    columns: tuple[Coded, ...] = ()  # one by one
    together: Coded | None = None  # or all at once

    def rows(self, start: int, stop: int) -> NDArray[np.intp]:
        """Codes of rows start to stop, (b, d)."""
        one = self.columns[0] if len(self.columns) == 1 else self.together
        if one is None:
            out = scratch("codes", (len(self.columns), stop - start)).view(np.intp)
            for j, column in enumerate(self.columns):
                column.rows(start, stop, out[j])
            return out.T
        codes = one.as_they_are(start, stop)
        if codes is None:
            codes = scratch("codes", (stop - start, one.values.shape[1])).view(np.intp)
            one.rows(start, stop, codes)
        return codes


@dataclass(frozen=True, slots=True)
class Missing:
    """Whether each number of another block is missing: 1 or 0."""

    of: Numbers

    def rows(self, start: int, stop: int) -> Any:
        """1 where missing, of rows start to stop, (b, d)."""
        part = self.of.rows(start, stop)
        if isinstance(part, np.ndarray):
            return np.isnan(part).astype(np.float64)
        gaps = part.copy()
        gaps.data = np.isnan(part.data).astype(np.float64)
        return gaps
