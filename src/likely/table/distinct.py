"""The distinct values of a column, and for every row which of them it holds: each library's own fast way."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def is_missing(value: Any) -> bool:
    """Whether a Python value stands for nothing: None, NaN, NaT, pandas.NA.

    >>> is_missing(float("nan")), is_missing(None), is_missing("")
    (True, True, False)
    """
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA compares to NA, which is neither true nor false
        return type(value).__name__ == "NAType"


def distinct(values: Any) -> tuple[Array, list[Any]]:
    """A code per row (-1 where missing) and the value each code stands for, in no set order.

    >>> codes, found = distinct(np.array(["b", None, "a", "b"], object))
    >>> codes.tolist(), found
    ([0, -1, 1, 0], ['b', 'a'])
    """
    if isinstance(values, np.ndarray):
        return _of_objects(values) if values.dtype == object else _of_numbers(values)
    match type(values).__module__.split(".")[0]:
        case "polars":
            return _of_polars(values)
        case "pyarrow":
            return _of_arrow(values)
        case _:
            return _of_pandas(values)


def smallest(codes: Array, n: int) -> Array:
    """The codes -1 to n-1 in the smallest integers that hold them."""
    return codes.astype(np.int8 if n <= 127 else np.int16 if n <= 32767 else np.int32, copy=False)


def _of_objects(values: Array) -> tuple[Array, list[Any]]:
    cells = values.tolist()
    found = [v for v in dict.fromkeys(cells) if not is_missing(v)]
    place = {v: i for i, v in enumerate(found)}
    codes = np.fromiter((place.get(v, -1) for v in cells), np.int32, len(cells))
    return smallest(codes, len(found)), found


def _of_numbers(values: Array) -> tuple[Array, list[Any]]:
    found, codes = np.unique(values, return_inverse=True)  # NaNs are one, and last
    if found.dtype.kind == "f" and len(found) and np.isnan(found[-1]):
        found = found[:-1]
        codes = np.where(codes == len(found), -1, codes)
    return smallest(codes, len(found)), found.tolist()


def _of_pandas(values: Any) -> tuple[Array, list[Any]]:
    if hasattr(values, "cat"):
        return np.asarray(values.cat.codes), values.cat.categories.tolist()
    codes, found = values.factorize()
    return smallest(codes, len(found)), found.tolist()


def _of_polars(values: Any) -> tuple[Array, list[Any]]:
    import polars as pl

    if isinstance(values.dtype, pl.Enum):
        found = values.dtype.categories
    else:
        values = values.cast(pl.String)
        found = values.drop_nulls().unique()
        values = values.cast(pl.Enum(found))
    codes = values.to_physical()
    n = len(found)
    if codes.null_count():
        codes = codes.cast(pl.Int64).fill_null(-1)
    return smallest(codes.to_numpy(), n), found.to_list()


def _of_arrow(values: Any) -> tuple[Array, list[Any]]:
    import pyarrow as pa

    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    whole = values.unify_dictionaries().combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if isinstance(whole, pa.ChunkedArray):  # combine_chunks leaves an empty column chunked
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], values.type)
    found = whole.dictionary.to_pylist()
    codes = whole.indices.fill_null(-1) if whole.null_count else whole.indices
    return smallest(codes.to_numpy(zero_copy_only=False), len(found)), found
