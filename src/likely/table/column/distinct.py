"""The distinct values of a column, and for every row which of them it holds: each library's own fast way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pandas import Series as PandasSeries
    from polars import Series as PolarsSeries
    from pyarrow import ChunkedArray

Array = NDArray[Any]


def is_missing(value: object) -> bool:
    """Whether a Python value stands for nothing: None, NaN, NaT, pandas.NA.

    >>> is_missing(float("nan")), is_missing(None), is_missing("")
    (True, True, False)
    """
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError, ArithmeticError):
        # pandas.NA compares to NA, which is neither true nor false; a signalling Decimal refuses
        return type(value).__name__ == "NAType" or str(value) == "sNaN"


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
