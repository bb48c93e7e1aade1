"""Anything that a user may call a table -> named columns, without copying it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.table.raw import Raw


@dataclass(frozen=True, slots=True)
class Frame:
    """A table of n rows: either a matrix (NumPy or sparse) or columns by name.

    >>> frame = Frame.of({"sex": ["m", "f"], "age": [31, 4]})
    >>> frame.names, frame.n, frame.library
    (('sex', 'age'), 2, 'dict')
    """

    names: tuple[str, ...]
    n: int
    library: str  # "pandas", "polars", "pyarrow", "numpy", "scipy" or "dict"
    named: bool  # whether the names are the user's own, or ours for places (x0, x1, ...)
    matrix: Any = None  # (n, d) ndarray or CSR
    columns: Any = None  # a narwhals frame, or a dict of arrays and lists
    position: Mapping[str, int] = None  # type: ignore[assignment]

    @classmethod
    def of(cls, table: Any) -> Frame:
        """Look at a pandas, Polars, PyArrow, NumPy or SciPy-sparse table, or a dict of columns."""
        if isinstance(table, Frame):
            return table
        if hasattr(table, "tocsr") and hasattr(table, "shape"):  # a DOK array is a mapping, too
            return _from_matrix(table.tocsr(), "scipy")
        if isinstance(table, Mapping):
            return _from_dict(table)
        if isinstance(table, np.ndarray | list | tuple) or _only_array(table):
            return _from_array(table)
        return _from_native(table)

    def raw(self, name: str) -> Raw:
        """One column as it came in."""
        if self.matrix is None:
            return Raw.of(name, self.columns[name])
        j = self.position[name]
        column = self.matrix[:, j] if isinstance(self.matrix, np.ndarray) else _dense(self.matrix, j)
        return Raw.of(name, column)

    def renamed(self, names: tuple[str, ...]) -> Frame:
        """The same columns under other names."""
        if names == self.names:
            return self
        columns: Any = None
        if self.matrix is None:
            columns = {new: self.columns[old] for new, old in zip(names, self.names, strict=True)}
        return _with_names(names, self.n, self.library, self.named, matrix=self.matrix, columns=columns)

    def without(self, name: str) -> Frame:
        """The table without one column."""
        if self.columns is None:
            raise LikelyError(f"the target {name!r} must be given as values: the table has no column names.")
        left = tuple(other for other in self.names if other != name)
        return _with_names(left, self.n, self.library, self.named, columns=self.columns)


def _with_names(names: tuple[str, ...], n: int, library: str, named: bool, **content: Any) -> Frame:
    return Frame(names, n, library, named, position={name: i for i, name in enumerate(names)}, **content)


def _refuse_duplicates(names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise LikelyError(
            f"column name {twice[0]!r} occurs {names.count(twice[0])} times: "
            "rename the columns so that every name is used once."
        )


def _from_dict(table: Mapping[Any, Any]) -> Frame:
    columns = {str(name): column for name, column in table.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(columns) < len(table):
        _refuse_duplicates([str(name) for name in table])
    if len(set(lengths.values())) > 1:
        first, *others = lengths
        other = next(name for name in others if lengths[name] != lengths[first])
        raise LikelyError(
            f"column {other!r} has {lengths[other]} values and column {first!r} has {lengths[first]}: "
            "all columns must be of the same length."
        )
    n = next(iter(lengths.values()), 0)
    return _with_names(tuple(columns), n, "dict", True, columns=columns)


def _from_array(table: Any) -> Frame:
    array = np.asarray(table)
    if array.ndim != 2:
        raise LikelyError(
            f"Expected 2D array, got {array.ndim}D array instead (shape {array.shape}). Reshape your data "
            "using array.reshape(-1, 1) if it has a single column, or array.reshape(1, -1) if it is one row."
        )
    if array.dtype.kind == "c":
        raise LikelyError("Complex data not supported: give real numbers.")
    return _from_matrix(array, "numpy")


def _from_matrix(matrix: Any, library: str) -> Frame:
    n, d = matrix.shape
    if matrix.dtype.kind in "biuf":
        return _with_names(tuple(f"x{j}" for j in range(d)), n, library, False, matrix=matrix)
    if matrix.dtype.kind == "c":
        raise LikelyError("Complex data not supported: give real numbers.")
    columns = {f"x{j}": matrix[:, j] for j in range(d)}
    return _with_names(tuple(columns), n, library, False, columns=columns)


def _only_array(table: Any) -> bool:
    """An array of another library, which is no frame."""
    return (
        hasattr(table, "__array__") and not hasattr(table, "columns") and not hasattr(table, "column_names")
    )


def _from_native(table: Any) -> Frame:
    import narwhals.stable.v2 as nw

    try:
        frame: Any = nw.from_native(table)
    except (TypeError, nw.exceptions.NarwhalsError, ValueError) as cause:
        names = list(map(str, getattr(table, "columns", [])))
        _refuse_duplicates(names)
        raise LikelyError(
            f"a {type(table).__name__} is not a table: give a pandas, Polars or PyArrow frame, "
            "a two-dimensional array, or a dict of columns."
        ) from cause
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    names = frame.columns
    _refuse_duplicates([str(name) for name in names])
    texts = [isinstance(name, str) for name in names]
    if any(texts) and not all(texts):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{sorted({type(name).__name__ for name in names})} as feature name / column name types. "
            "Rename the columns, for example with X.columns = X.columns.astype(str)."
        )
    library = frame.implementation.name.lower()
    if all(texts):
        return _with_names(tuple(names), len(frame), library, True, columns=frame)
    columns = {f"x{j}": frame[:, j] for j in range(len(names))}
    return _with_names(tuple(columns), len(frame), library, False, columns=columns)


def _dense(matrix: Any, j: int) -> Any:
    return matrix[:, [j]].toarray().ravel()
