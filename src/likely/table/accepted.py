"""What people may hand over: one name for each thing that many functions take."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.table.column.kinds import Kind
from likely.table.column.words import Words
from likely.table.frame import Frame


class FrameLike(Protocol):
    """A table of pandas, Polars, PyArrow or DuckDB: named columns of one length."""

    @property
    def columns(self) -> Iterable[Any]:
        """The columns, or their names."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows by columns."""


class SparseLike(Protocol):
    """A sparse matrix or array of SciPy."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows by columns."""

    def tocsr(self) -> Any:
        """The same, row by row."""


# A data frame, columns by name, a matrix (dense or sparse), or a list of rows.
TableLike = Frame | FrameLike | SparseLike | Mapping[Any, Any] | Sequence[Any] | ArrayLike

# One of the values that a column of levels may have: text, a number, a truth, a date.
Level = Hashable

# The class or the outcome of every row; or the name of the column of the table that holds it.
Target = ArrayLike | Sequence[Any] | str | int

# The weight of every row, from 0; None if each counts once.
Weights = ArrayLike | None

# A kind by its name, the levels in order (which make a column ordinal), or how texts are cut into words ...
KindWord = Kind | str | Words | Sequence[Any] | NDArray[Any]

# ... for all columns, or by the column's name; None takes them from the types.
Kinds = Mapping[str, KindWord] | KindWord | None

# Where chance begins: a seed, or a generator that is carried on (scikit-learn's too); None: anew each time.
RandomState = int | Sequence[int] | np.random.Generator | np.random.RandomState | None
