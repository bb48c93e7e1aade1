"""Rows as people write them down, one by one -> columns by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def columns_of(table: Any) -> Any:
    """A record, or a list of records, as columns; any other table as it is.

    A record is a dict of single values, or a row of pandas (a Series whose index names the columns); rows of
    Polars and PyArrow come as dicts, by `row(i, named=True)` and `to_pylist()`. What a record of several does
    not name is missing.

    >>> columns_of({"sex": "female", "age": 31})
    {'sex': ['female'], 'age': [31]}
    >>> columns_of([{"sex": "female", "age": 31}, {"sex": "male"}])
    {'sex': ['female', 'male'], 'age': [31, None]}
    >>> columns_of({"sex": ["female", "male"]})
    {'sex': ['female', 'male']}
    """
    if is_record(table):
        return {
            name: [value[()] if isinstance(value, np.ndarray) else value] for name, value in table.items()
        }
    if are_records(table):
        names = dict.fromkeys(name for record in table for name in record)
        return {name: [record.get(name) for record in table] for name in names}
    if _is_pandas_row(table):
        return table.to_frame().T.infer_objects()
    return table


def as_given(columns: Mapping[Any, Any], table: Any) -> Any:
    """Columns in the form of the table they were made of: a record, or records, or as they are.

    >>> as_given({"age": [31]}, {"age": None}), as_given({"age": [31, 4]}, [{"age": 31}, {}])
    ({'age': 31}, [{'age': 31}, {'age': 4}])
    """
    if is_record(table):
        return {name: column[0] for name, column in columns.items()}
    if are_records(table):
        return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return columns


def is_record(table: object) -> bool:
    """Whether a table is one row: names, and a single value for each."""
    # Before others are mappings, too: SciPy has a sparse matrix of keys.
    if not isinstance(table, Mapping) or hasattr(table, "tocsr"):
        return False
    return len(table) > 0 and all(_is_value(value) for value in table.values())


def are_records(table: object) -> bool:
    """Whether a table is a list of rows with names."""
    return isinstance(table, list | tuple) and len(table) > 0 and all(isinstance(r, Mapping) for r in table)


def _is_value(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 0
    return isinstance(value, str | bytes) or not hasattr(value, "__len__")


def _is_pandas_row(table: Any) -> bool:
    """Whether it is a row of a pandas frame, rather than a column: its index is of names."""
    if type(table).__name__ != "Series" or not hasattr(table, "iloc"):
        return False
    return len(table) > 0 and all(isinstance(name, str) for name in table.index)
