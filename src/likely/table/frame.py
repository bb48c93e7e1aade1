"""Anything that a user may call a table -> named columns, without copying it."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError, notice
from likely.table.column.as_raw import as_raw, filled
from likely.table.column.contiguous import MOST_COPIED, apart, contiguous, made_contiguous, read_together
from likely.table.column.raw import Raw
from likely.table.records import columns_of

T = TypeVar("T")


class AsTuple(Sequence[T]):
    """A sequence that is equal to the tuple of its items, and is hashed and shown as that is."""

    __slots__ = ()

    @abstractmethod
    def _same(self, other: Self) -> bool:
        """Whether another sequence of this class has the same items; cheaper than to look at each."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, type(self)):
            return self._same(other)
        return tuple(self) == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Places(AsTuple[str]):  # a name that stands in model files
    """The names x0, x1, ... of d columns that have none of their own; otherwise a tuple of them.

    >>> names = Places(3)
    >>> names[-1], names[:2], names == ("x0", "x1", "x2")
    ('x2', ('x0', 'x1'), True)
    """

    d: int

    def __len__(self) -> int:
        return self.d

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        places = range(self.d)[place]
        return tuple(f"x{j}" for j in places) if isinstance(places, range) else f"x{places}"

    def __iter__(self) -> Iterator[str]:
        return (f"x{j}" for j in range(self.d))

    def __contains__(self, name: object) -> bool:
        return position_of(name) in range(self.d)

    def _same(self, other: Places) -> bool:
        return self.d == other.d


@dataclass(frozen=True, slots=True)
class DefaultPositions(Mapping[str, int]):
    """The place of each name of `Places`.

    >>> DefaultPositions(Places(3))["x2"], "x3" in DefaultPositions(Places(3))
    (2, False)
    """

    names: Places

    def __getitem__(self, name: str) -> int:
        place = position_of(name)
        if place is None or place >= self.names.d:
            raise KeyError(name)
        return place

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return self.names.d


def position_of(name: object) -> int | None:
    """The place that a name such as x12 means; None if it means none.

    >>> position_of("x12"), position_of("x012"), position_of("age")
    (12, None, None)
    """
    digits = name[1:] if isinstance(name, str) and name.startswith("x") else ""
    if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and digits != "0"):
        return None
    return int(digits)


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with as many "_" behind it as it takes to be none that is taken.

    >>> free_name("group", ("age", "group")), free_name("group", ())
    ('group_', 'group')
    """
    while name in taken:
        name += "_"
    return name


def take(table: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of a table, or of a column.

    >>> take({"a": [1, None, 3], "b": np.array([4, 5, 6])}, np.array([0, 2]))
    {'a': [1, 3], 'b': array([4, 6])}
    """
    if isinstance(table, Frame):
        return table.at(rows)
    if hasattr(table, "tocsr"):  # of these some are mappings, too
        return table.tocsr()[rows]
    if isinstance(table, Mapping):
        table = columns_of(table)
        return {name: take(column, rows) for name, column in table.items()}
    if isinstance(table, list | tuple):  # an array would change the types of its values
        return [table[row] for row in rows]
    frame: Any = table if isinstance(table, np.ndarray) else _native(table)
    return frame[rows].to_native() if hasattr(frame, "to_native") else np.asarray(frame)[rows]


def without(table: Any, *columns: str) -> Any:
    """A table with names, without some of its columns.

    >>> without({"a": [1], "b": [2]}, "b")
    {'a': [1]}
    """
    table = columns_of(table)
    if isinstance(table, Mapping):
        return {name: values for name, values in table.items() if str(name) not in columns}
    frame = _native(table)
    return frame.drop([name for name in frame.columns if str(name) in columns]).to_native()


LAZY_LIBRARIES = ("duckdb", "_duckdb", "polars", "dask", "pyspark", "ibis", "sqlframe", "narwhals")


def is_lazy(table: object) -> bool:
    """Whether the rows of a table are not in memory, but are to be asked of the engine that holds them.

    >>> is_lazy({"a": [1]}), is_lazy(np.zeros((2, 2)))
    (False, False)
    """
    if type(table).__module__.split(".")[0] not in LAZY_LIBRARIES:
        return False
    import narwhals.stable.v2 as nw

    return isinstance(nw.from_native(table, allow_series=True, pass_through=True), nw.LazyFrame)


def is_large(table: object) -> bool:
    """Whether a table is not in memory: lazy, a scan of files, or a reader of Arrow batches."""
    return type(table).__name__ in ("Scan", "RecordBatchReader") or is_lazy(table)


def _native(table: Any) -> Any:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(table, allow_series=True, pass_through=True)
    return _collected(frame) if isinstance(frame, nw.LazyFrame) else frame


def _collected(frame: Any) -> Any:
    """A lazy frame in memory, which nobody may have meant: it may be of any size."""
    said = f"a lazy table of {frame.implementation.name.lower()} is collected into memory here"
    notice(f"{said}: collect it yourself to say that it fits. Models learn from it as it is.")
    return frame.collect()


@dataclass(frozen=True, slots=True)
class Frame:
    """A table of n rows: either a matrix (NumPy or sparse) or columns by name.

    >>> frame = Frame.of({"sex": ["m", "f"], "age": [31, 4]})
    >>> frame.names, frame.n, frame.library
    (('sex', 'age'), 2, 'dict')
    """

    names: Sequence[str]  # a tuple, or Places
    n: int
    library: str  # "pandas", "polars", "pyarrow", "numpy", "scipy" or "dict"
    named: bool  # whether the names are the user's own, or ours for places (x0, x1, ...)
    matrix: Any = None  # (n, d) ndarray or CSR
    get: Callable[[str], Any] | None = None  # a column by its name, where there is no matrix
    position: Mapping[str, int] = field(default_factory=dict)  # the place of each name
    seen: dict[str, Raw] = field(default_factory=dict, repr=False)  # the columns looked at so far
    found_fit: set[Any] = field(default_factory=set, repr=False)  # kinds of the whole matrix

    @classmethod
    def of(cls, table: Any) -> Frame:
        """Look at a pandas, Polars, PyArrow, NumPy or SciPy-sparse table, a dict of columns, or records."""
        if isinstance(table, Frame):
            return table
        if not isinstance(table, np.ndarray):
            table = columns_of(table)
        if hasattr(table, "tocsr") and hasattr(table, "shape"):  # before dicts: SciPy has one of keys
            return _from_matrix(table, "scipy")
        if isinstance(table, Mapping):
            return _from_dict(table)
        if type(table).__name__ == "RecordBatch" and hasattr(table, "to_struct_array"):
            import pyarrow as pa

            table = pa.Table.from_batches([table])
        if isinstance(table, np.ndarray | list | tuple) or _only_array(table):
            return _from_matrix(_array(table), "numpy")
        return _from_native(table)

    @property
    def width(self) -> int:
        """How many cells of a row are stored."""
        if self.matrix is None or isinstance(self.matrix, np.ndarray):
            return len(self.names)
        # A fourth of them: such rows are not copied, and larger blocks leave fewer statistics to add up.
        return -(-int(self.matrix.nnz) // (4 * max(self.n, 1)))

    def raw(self, name: str) -> Raw:
        """One column as it came in. Looked at once: learning and coding need the same."""
        if name not in self.seen:
            raw = self.seen[name] = as_raw(name, self.values(name))
            if apart(raw.values) and self.get is not None and self.n * len(self.names) <= MOST_COPIED:
                self.seen.update(made_contiguous(raw, self.names[self.position[name] :], self.values))
        return self.seen[name]

    def contiguous_runs(self) -> Iterator[tuple[slice, Frame]]:
        """Runs of columns of a matrix, each column side by side, and which they are: until the next is."""
        runs = read_together(len(self.names), self.n)
        room = np.empty((runs[0].stop, self.n), self.matrix.dtype)
        for some in runs:
            moved = contiguous(list(self.matrix[:, some].T), room).T
            yield some, _named(tuple(self.names[some]), self.n, self.library, self.named, matrix=moved)

    def renamed(self, names: Sequence[str]) -> Frame:
        """The same columns under other names."""
        if names == self.names:
            return self
        old = dict(zip(names, self.names, strict=True))
        get = None if self.get is None else lambda name: self.values(old[name])
        return _named(names, self.n, self.library, self.named, matrix=self.matrix, get=get)

    def without(self, name: str) -> Frame:
        """The table without one column."""
        if self.get is None:
            raise LikelyError(f"the target {name!r} must be given as values: the table has no column names.")
        return self.only(tuple(other for other in self.names if other != name))

    def only(self, names: Sequence[str]) -> Frame:
        """Some of the columns of a table with names."""
        return _named(names, self.n, self.library, self.named, get=self.get, seen=self.seen)

    def with_gaps(self, names: Sequence[str]) -> Frame:
        """A table of columns by name, with more columns, in which every cell is missing."""
        own, gone = self.values, dict.fromkeys(names, [None] * self.n)
        every = (*self.names, *names)
        return _named(every, self.n, self.library, self.named, get=lambda n: gone[n] if n in gone else own(n))

    def at(self, rows: NDArray[np.intp]) -> Frame:
        """Some of the rows, in this order."""
        get = None if self.get is None else lambda name: take(self.values(name), rows)
        matrix = None if self.matrix is None else take(self.matrix, rows)
        return _named(self.names, len(rows), self.library, self.named, matrix=matrix, get=get)

    def values(self, name: str) -> Any:
        """One column as the table itself has it."""
        if self.get is not None:
            return self.get(name)
        j = self.position[name]
        dense = isinstance(self.matrix, np.ndarray)
        return self.matrix[:, j] if dense else self.matrix[:, [j]].toarray().ravel()


def _named(names: Sequence[str], n: int, library: str, named: bool, **content: Any) -> Frame:
    if isinstance(names, Places):
        return Frame(names, n, library, named, position=DefaultPositions(names), **content)
    position = {name: i for i, name in enumerate(names)}
    return Frame(tuple(names), n, library, named, position=position, **content)


def _refuse_duplicates(names: Sequence[str]) -> None:
    name, times = Counter(names).most_common(1)[0] if names else ("", 1)
    if times > 1:
        raise LikelyError(
            f"column name {name!r} occurs {times} times: rename the columns so that every name is used once."
        )


def _from_dict(table: Mapping[Any, Any], library: str = "dict") -> Frame:
    _refuse_duplicates([str(name) for name in table])
    columns = {str(name): column for name, column in table.items()}
    for name, column in columns.items():
        if isinstance(column, str | bytes | Mapping | set) or not hasattr(column, "__len__"):
            raise LikelyError(f"column {name!r} is {column!r}: give a list or an array, one value a row.")
    lengths = {name: len(column) for name, column in columns.items()}
    first = next(iter(columns), "")
    for name, n in lengths.items():
        if n != lengths[first]:
            raise LikelyError(
                f"column {name!r} has {n} values and column {first!r} has {lengths[first]}: "
                "all columns must be of the same length."
            )
    return _named(tuple(columns), lengths.get(first, 0), library, True, get=columns.__getitem__)


def _array(table: Any) -> Any:
    """A matrix of one type, or of objects where cells of several types or gaps need that."""
    if isinstance(table, np.ma.MaskedArray):
        return filled(table)
    try:
        array = np.asarray(table)
        if isinstance(table, list | tuple) and array.dtype.kind in "US":
            array = np.asarray(table, object)  # NumPy has turned the numbers beside text into text
    except ValueError as cause:
        raise LikelyError("the rows of the table are of different lengths: give each the same.") from cause
    if array.dtype.names is not None:
        raise LikelyError(
            "a structured array is not a table: give a dict of columns, for example "
            "{name: array[name] for name in array.dtype.names}."
        )
    return array


def _from_matrix(matrix: Any, library: str) -> Frame:
    if matrix.ndim != 2:
        raise LikelyError(
            f"Expected 2D array, got {matrix.ndim}D array instead (shape {matrix.shape}). Reshape your data "
            "using array.reshape(-1, 1) if it has a single column, or array.reshape(1, -1) if it is one row."
        )
    if matrix.dtype.kind == "c":
        raise LikelyError("Complex data not supported: give real numbers.")
    n, d = matrix.shape
    names = Places(d)
    if matrix.dtype.kind in "biuf":
        content = matrix if isinstance(matrix, np.ndarray) else matrix.tocsr()
        return _named(names, n, library, False, matrix=content)
    return _named(
        names, n, library, False, get={name: matrix[:, j] for j, name in enumerate(names)}.__getitem__
    )


def _only_array(table: Any) -> bool:
    """An array of another library, which is no frame."""
    return (
        hasattr(table, "__array__") and not hasattr(table, "columns") and not hasattr(table, "column_names")
    )


def _from_native(table: Any) -> Frame:
    import narwhals.stable.v2 as nw

    try:
        frame: Any = nw.from_native(table)
        frame = _collected(frame) if isinstance(frame, nw.LazyFrame) else frame
    except (TypeError, ValueError, nw.exceptions.NarwhalsError) as cause:
        _refuse_duplicates(list(map(str, getattr(table, "column_names", getattr(table, "columns", ())))))
        instead = "give a pandas, Polars or PyArrow frame, a two-dimensional array, or a dict of columns."
        raise LikelyError(
            getattr(table, "refused", f"a {type(table).__name__} is not a table: {instead}")
        ) from cause
    names = frame.columns
    library = frame.implementation.name.lower()
    texts = {isinstance(name, str) for name in names}
    if texts == {True, False}:
        raise LikelyError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{sorted({type(name).__name__ for name in names})} as feature name / column name types. "
            "Rename the columns, for example with X.columns = X.columns.astype(str)."
        )
    if texts == {False} and list(names) != list(range(len(names))):
        # Numbers that are more than places are names: another order of them must not go unnoticed.
        native = frame.to_native()
        return _from_dict({name: native[name] for name in names}, library)
    if texts != {False}:
        # pandas over NumPy needs no narwhals, which takes a while for thousands of columns, and takes
        # objects for text if the first 100 are.
        get = frame.to_native().__getitem__ if library == "pandas" else frame.get_column
        return _named(names, len(frame), library, True, get=get)
    columns = dict(zip(Places(len(names)), (c.to_native() for c in frame.iter_columns()), strict=True))
    return _named(tuple(columns), len(frame), library, False, get=columns.__getitem__)
