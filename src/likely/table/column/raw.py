"""One column as it came in: its type, its numbers, its distinct values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.column.kinds import UNITS, Type, is_missing
from likely.table.column.words import Words

if TYPE_CHECKING:
    from pandas import Series as PandasSeries
    from polars import Series as PolarsSeries
    from pyarrow import ChunkedArray


Array = NDArray[Any]


def distinct(values: Any) -> tuple[Array, list[Any]]:
    """A code per row (-1 where missing) and the value each code stands for, in no set order.

    >>> codes, values = distinct(["b", None, "a", "b"])
    >>> codes.tolist(), values
    ([0, -1, 1, 0], ['b', 'a'])
    """
    if isinstance(values, list):
        return _of_cells(values)
    if isinstance(values, np.ndarray):
        return _of_numbers(values)
    match type(values).__module__.split(".")[0]:
        case "polars":
            return _of_polars(values)
        case "pyarrow":
            return _of_arrow(values)
        case _:
            return _of_pandas(values)


def _smallest(codes: Array, n: int) -> Array:
    """The codes -1 to n-1 in the smallest integers that hold them."""
    return codes.astype(np.int8 if n <= 127 else np.int16 if n <= 32767 else np.int32, copy=False)


def _of_cells(cells: list[Any]) -> tuple[Array, list[Any]]:
    place = dict.fromkeys(cells, -1)
    known = [value for value in place if not is_missing(value)]
    place.update((value, i) for i, value in enumerate(known))
    codes = np.fromiter(map(place.__getitem__, cells), np.int32, len(cells))
    return _smallest(codes, len(known)), known


def _of_numbers(values: Array) -> tuple[Array, list[Any]]:
    levels, codes = np.unique(values, return_inverse=True)  # NaNs (or NaTs) are one, and last
    if len(levels) and levels[-1] != levels[-1]:
        levels = levels[:-1]
        codes = np.where(codes == len(levels), -1, codes)
    return _smallest(codes, len(levels)), levels.tolist()


def _of_pandas(values: PandasSeries[Any]) -> tuple[Array, list[Any]]:
    if hasattr(values, "cat"):
        return np.asarray(values.cat.codes), values.cat.categories.tolist()
    codes, levels = values.factorize()
    return _smallest(codes, len(levels)), levels.tolist()


def _of_polars(values: PolarsSeries) -> tuple[Array, list[Any]]:
    import polars as pl

    if isinstance(values.dtype, pl.Categorical):
        return _of_polars_categorical(values)
    levels = values.dtype
    if not isinstance(levels, pl.Enum):
        levels = pl.Enum(values.drop_nulls().unique())
        values = values.cast(levels)
    names = levels.categories.to_list()
    return _smallest(_physical(values), len(names)), names


def _of_polars_categorical(values: PolarsSeries) -> tuple[Array, list[Any]]:
    """Its numbers are places among all categories of the process: keep those that occur here."""
    levels = values.drop_nulls().unique()
    at = levels.to_physical().to_numpy()
    table = np.full(int(at.max(initial=0)) + 2, -1, np.int32)  # the last is for -1, the missing
    table[at] = np.arange(len(at), dtype=np.int32)
    return _smallest(table[_physical(values)], len(at)), levels.to_list()


def _physical(values: PolarsSeries) -> Array:
    """The numbers behind Polars categories, -1 where missing."""
    import polars as pl

    codes = values.to_physical()
    codes = codes.cast(pl.Int64).fill_null(-1) if codes.null_count() else codes
    return np.asarray(codes.to_numpy())


def _of_arrow(values: ChunkedArray) -> tuple[Array, list[Any]]:
    """Read chunk by chunk: chunks may have different dictionaries, with nulls or repetitions in them."""
    import pyarrow as pa

    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    place: dict[Any, int] = {}
    parts: list[Array] = [np.zeros(0, np.int64)]
    dictionary: Any = None
    table = np.zeros(0, np.int64)
    for chunk in values.chunks if isinstance(values, pa.ChunkedArray) else [values]:
        if dictionary is None or not chunk.dictionary.equals(dictionary):
            dictionary = chunk.dictionary
            table = _places(dictionary.to_pylist(), place)
        # signed before the gaps are filled: -1 does not fit the unsigned
        codes = chunk.indices.cast(pa.int64()).fill_null(-1)
        parts.append(table[codes.to_numpy(zero_copy_only=False)])
    return _smallest(np.concatenate(parts), len(place)), list(place)


def _places(values: Sequence[Any], place: dict[Any, int]) -> Array:
    """The place of each value among those found so far, and -1 for the missing after them."""
    places = [-1 if is_missing(value) else place.setdefault(value, len(place)) for value in values]
    return np.array([*places, -1], np.int64)


@dataclass(frozen=True, slots=True)
class Raw:
    """A column as it came in: an array of numbers or times, or codes of the distinct values found.

    >>> from likely.table.column.as_raw import as_raw
    >>> raw = as_raw("age", [31.0, None, 4.0])
    >>> raw.type, raw.numbers()
    (<Type.FLOAT: 'numbers'>, array([31., nan,  4.]))
    >>> as_raw("sex", ["m", None, "f"]).distinct()
    (array([ 0, -1,  1], dtype=int8), ['m', 'f'])
    """

    name: str
    type: Type
    values: Array  # (n,): numbers (NaN missing), times (NaT missing), or codes (-1 missing)
    found: Sequence[Any] | None = None  # what each code stands for
    levels: tuple[Any, ...] | None = None  # declared with the type, observed or not
    ordered: bool = False  # whether the declared levels are in order
    zone: str | None = None  # the time zone that times were given in; they are kept in UTC
    complaint: str = ""  # what is wrong with a column of several or other types
    read: dict[Words, tuple[Any, list[str]]] = field(default_factory=dict, repr=False, compare=False)

    def numbers(self) -> Array:
        """The values as numbers, NaN where missing: a view where the type allows it."""
        if self.type in UNITS:
            unit, size, _ = UNITS[self.type]
            counted = self.values.astype(unit)
            return np.where(np.isnat(counted), np.nan, counted.astype(np.int64) / size)
        if self.found is None:
            return self.values
        # Codes stand for numbers where these are declared levels, or too large for floats.
        table = [as_float(value) if isinstance(value, int | float) else None for value in self.found]
        if None in table and not self.is_empty():
            raise LikelyError(self._not_numbers())
        return np.array([*table, None], np.float64)[self.values]

    def distinct(self) -> tuple[Array, list[Any]]:
        """A code per row (-1 where missing), and the value each code stands for."""
        if self.found is not None:
            return self.values, list(self.found)
        codes, values = distinct(self.values)
        if self.type in UNITS:
            values = self._moments(np.array(values, self.values.dtype))
        return codes, [self.type.typed(value) for value in values]

    def bag(self, words: Words) -> tuple[Any, list[str]]:
        """The words of each distinct text, counted (CSR), and which they are. Read once for each way to."""
        if words not in self.read:
            self.read[words] = words.bag([str(text) for text in self.found or ()])
        return self.read[words]

    def missing(self) -> Array:
        """Which rows have no value, (n,)."""
        return np.asarray(self.values < 0 if self.found is not None else self.values != self.values)

    def is_empty(self) -> bool:
        """Whether nothing but missing values came in."""
        return bool(self.missing().all())

    def item(self, row: int) -> Any:
        """The value in one row as a Python object; None if missing."""
        value = self.values[row]
        if self.found is not None:
            return None if value < 0 else self.found[value]
        if value != value:
            return None
        return self._moments(value[None])[0] if self.type in UNITS else self.type.typed(value.item())

    def items(self) -> list[Any]:
        """The values of all rows as Python objects; None where missing."""
        if self.found is not None:
            table = [*self.found, None]  # the code of what is missing, -1, is the last place
            return [table[code] for code in self.values.tolist()]
        told = ~self.missing()
        values = self.values[told]
        known = self._moments(values) if self.type in UNITS else map(self.type.typed, values.tolist())
        out = np.full(len(told), None, object)
        out[told] = np.fromiter(known, object, len(values))
        return out.tolist()

    def example(self) -> Any:
        """The first value that is not missing; None if all are."""
        return next((v for row in range(len(self.values)) if (v := self.item(row)) is not None), None)

    def _moments(self, times: Array) -> list[Any]:
        """Times as Python's; NumPy would give bare integers for nanoseconds."""
        moments = times.astype(UNITS[self.type][0]).tolist()
        if self.type is Type.TIME:
            return [(datetime.min + passed).time() for passed in moments]
        return [moment.replace(tzinfo=UTC) for moment in moments] if self.zone is not None else moments

    def odd_row(self) -> int | None:
        """The first row whose value is no number where others are: it made texts of a column of numbers."""
        odd = np.array([*(not _reads_as_number(value) for value in self.found or ()), False])
        return int(np.argmax(odd[self.values])) if odd.any() and not odd[:-1].all() else None

    def _not_numbers(self) -> str:
        odd = self.odd_row()
        row = int(np.argmax(self.values >= 0)) if odd is None else odd
        return (
            f"column {self.name!r} should hold numbers, but row {row} holds {self.item(row)!r}: "
            "convert the column, mark such values as missing, or declare another kind."
        )


def _reads_as_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def as_float(number: Any) -> float:
    """A number of any size as a float: infinity if it is beyond all of them."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
