"""Parts of a sparse matrix as views. SciPy's own slices and transposes copy, and so do its constructors."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


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
