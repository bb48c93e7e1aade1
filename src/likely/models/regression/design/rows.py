"""The rows of a design matrix, made block by block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.infer.standard import Matrix
from likely.table.block import Codes, Numbers
from likely.table.column.words import Bags
from likely.table.scratch import scratch

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

WIDE = 500  # columns of levels beyond so many are kept sparse


@dataclass(frozen=True)
class OneHot:
    """Columns of codes as 0 and 1 for each level."""

    first: int  # the first code that has a column: 1 if the first level is what others are compared with
    offset: Ints  # where the levels of each column begin
    n: int  # of all columns

    @property
    def wide(self) -> bool:
        """Whether they are so many that they are kept sparse."""
        return self.n > WIDE

    def write(self, codes: Ints, out: Floats) -> None:
        """The 0 and 1 of codes (b, d) into (b, n)."""
        out[:] = 0.0
        out[self._places(codes)] = 1.0

    def sparse(self, codes: Ints) -> Matrix:
        """The same as a sparse matrix."""
        from scipy.sparse import csr_array

        row, place = self._places(codes)
        return csr_array((np.ones(len(row)), (row, place)), shape=(len(codes), self.n))

    def _places(self, codes: Ints) -> tuple[Ints, Ints]:
        at = codes - self.first
        row, column = np.nonzero(at >= 0)
        return row, (at + self.offset)[row, column]


@dataclass(frozen=True)
class DesignRows:
    """Numbers, levels, what is missing and words, side by side; called with (start, stop) of the rows."""

    numbers: Numbers
    codes: Codes
    bags: tuple[Bags, ...]
    levels: OneHot
    mean: Floats  # (m,) what missing numbers are taken for
    gaps_of_numbers: list[int]  # which numbers have a column that says they were missing
    gaps_of_codes: list[int]  # which columns of levels
    whole: bool = False  # it is known that no number is missing or infinite

    @property
    def sparse(self) -> bool:
        """Whether the rows are sparse."""
        matrix = self.numbers.matrix
        of_numbers = matrix is not None and not isinstance(matrix, np.ndarray)
        return bool(self.bags) or self.levels.wide or of_numbers

    @property
    def _only_numbers(self) -> bool:
        others = (
            len(self.bags) + len(self.levels.offset) + len(self.gaps_of_numbers) + len(self.gaps_of_codes)
        )
        return not others

    def __call__(self, start: int, stop: int) -> Matrix:
        """Rows start to stop, (b, p), dense or sparse, without missing cells."""
        cells = _view(self.numbers, start, stop)
        if not isinstance(cells, np.ndarray):
            if self.whole and self._only_numbers:
                return cells
            filled = _filled(cells, self.mean, self.gaps_of_numbers)
            return filled[0] if self._only_numbers else _beside(list(filled))
        with np.errstate(over="ignore", invalid="ignore"):
            whole = self.whole or bool(np.isfinite(cells.sum()))
        if whole and self._only_numbers:
            return cells
        holes = np.isnan(cells)
        if not whole:
            self._refuse_infinity(cells, start, stop)
        if self._only_numbers and not holes.any():
            return cells
        return self._joined(cells, holes, start, stop)

    def _joined(self, cells: Floats, holes: NDArray[np.bool_], start: int, stop: int) -> Matrix:
        m, between = cells.shape[1], 0 if self.levels.wide else self.levels.n
        gaps = len(self.gaps_of_numbers) + len(self.gaps_of_codes)
        out = scratch("design", (stop - start, m + between + gaps))
        out[:, :m] = cells
        np.copyto(out[:, :m], self.mean, where=holes)
        at = m + between
        out[:, at : at + len(self.gaps_of_numbers)] = holes[:, self.gaps_of_numbers]
        parts: list[Matrix] = [out]
        if len(self.levels.offset):
            codes = self.codes.rows(start, stop)
            out[:, at + len(self.gaps_of_numbers) :] = codes[:, self.gaps_of_codes] == -1
            if self.levels.wide:
                parts = [out[:, :m], self.levels.sparse(codes), out[:, m:]]
            else:
                self.levels.write(codes, out[:, m:at])
        parts += [bag.rows(start, stop).counts for bag in self.bags]
        return out if len(parts) == 1 else _beside(parts)

    def _refuse_infinity(self, cells: Floats, start: int, stop: int) -> None:
        if np.isinf(cells).any():
            self.numbers.refuse_extremes(start, stop)


def _view(numbers: Numbers, start: int, stop: int) -> Matrix:
    """Rows of numbers; of a sparse matrix without a copy of its cells."""
    matrix = numbers.matrix
    if matrix is None or isinstance(matrix, np.ndarray) or numbers.places is not None:
        return numbers.rows(start, stop)
    from scipy.sparse import csr_array

    first, last = matrix.indptr[start], matrix.indptr[stop]
    parts = matrix.data[first:last], matrix.indices[first:last], matrix.indptr[start : stop + 1] - first
    return csr_array(parts, shape=(stop - start, matrix.shape[1]))


def _filled(cells: Matrix, mean: Floats, gaps: list[int]) -> tuple[Matrix, Matrix]:
    """Sparse cells with the mean where they are missing, and 1 where that was, of the columns `gaps`."""
    from scipy.sparse import csr_array

    if np.isfinite(cells.data.sum()):
        return cells, csr_array((cells.shape[0], len(gaps)))
    if np.isinf(cells.data).any():
        raise LikelyError("Input X contains infinity: correct it, or mark it as missing.")
    lost = np.isnan(cells.data)
    holes = csr_array((lost.astype(np.float64), cells.indices, cells.indptr), shape=cells.shape)
    filled = np.where(lost, mean[cells.indices], cells.data)
    return csr_array((filled, cells.indices, cells.indptr), shape=cells.shape), holes[:, gaps]


def _beside(parts: list[Matrix]) -> Matrix:
    from scipy.sparse import csr_array, hstack

    return hstack([csr_array(part) for part in parts], format="csr")
