"""Answers back into values and tables of the user's library."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from backends import BACKENDS, CASES, NAN, Case, learnt

from likely.table.build import to_table, values_of
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

LIBRARIES = ("pandas", "polars", "pyarrow", "dict")
MAKERS = {"pandas": "pandas", "polars": "Polars", "pyarrow": "PyArrow", "dict": "dict of lists"}


def drawn(frame: Frame, schema: Schema) -> Any:
    """The codes or numbers of the only column."""
    coded = schema.columns[0].levels is not None
    block: Any = schema.codes(frame, [0]) if coded else schema.numbers(frame, [0])
    return block.rows(0, frame.n)[:, 0].copy()


def back(frame: Frame, schema: Schema, library: str) -> tuple[Any, Frame]:
    """The table made of codes or numbers, and what it is read as."""
    column = schema.columns[0]
    table = to_table({column.name: values_of(column, drawn(frame, schema), library)}, library)
    return table, Frame.of(table)


@pytest.mark.parametrize("case", [case for case in CASES if case.kind is not Kind.TEXT], ids=str)
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("declared", [None, "categorical"])
@pytest.mark.parametrize("gaps", [True, False], ids=["gaps", "no gaps"])
def test_round_trip(case: Case, library: str, declared: str | None, gaps: bool) -> None:
    """What comes back is read as the same column: kind, type, levels, values."""
    cells = case.cells if gaps else tuple(c for c in case.cells if c is not None)
    some = Case(**{**{f: getattr(case, f) for f in case.__dataclass_fields__}, "cells": cells})
    frame, schema = learnt(BACKENDS[MAKERS[library]](some), declared)
    table, again = back(frame, schema, library)
    assert again.library == library
    found = Schema.learn(again, declared)
    whole = case.type.value == "whole numbers" and declared is None  # a draw of these is a number
    assert found.columns[0].kind is schema.columns[0].kind
    assert whole or found.columns[0].type is schema.columns[0].type
    assert found.columns[0].levels == schema.columns[0].levels
    assert found.columns[0].zone == schema.columns[0].zone
    items = [again.raw("a").item(row) for row in range(again.n)]
    assert items == [frame.raw("a").item(row) for row in range(frame.n)]
    if library == "polars" and not whole:
        assert table["a"].null_count() == sum(c is None for c in cells)


@pytest.mark.parametrize("ordered", [True, False])
def test_categories_come_back_with_all_levels(ordered: bool) -> None:
    column = pd.Categorical(["b", None, "a"], ["c", "b", "a"], ordered=ordered)
    table, _ = back(*learnt(pd.DataFrame({"a": column})), "pandas")
    assert table["a"].cat.categories.tolist() == ["c", "b", "a"]
    assert table["a"].cat.ordered is ordered
    assert table["a"].isna().tolist() == [False, True, False]
    table, _ = back(*learnt(pd.DataFrame({"a": pd.Categorical([30, 10], [30, 20, 10])})), "pandas")
    assert table["a"].cat.categories.tolist() == [30, 20, 10]
    dictionary = pa.DictionaryArray.from_arrays(pa.array([1, None, 0]), ["a", "b"], ordered=ordered)
    table, _ = back(*learnt(pa.table({"a": dictionary})), "pyarrow")
    assert pa.types.is_dictionary(table["a"].type)
    assert table["a"].type.ordered is ordered
    assert table["a"].to_pylist() == ["b", None, "a"]
    dtype = pl.Enum(["c", "b", "a"]) if ordered else pl.Categorical()
    table, _ = back(*learnt(pl.DataFrame({"a": pl.Series(["b", None, "a"], dtype=dtype)})), "polars")
    assert table["a"].dtype == dtype
    assert table["a"].to_list() == ["b", None, "a"]


def test_categories_where_a_library_has_none() -> None:
    texts = learnt({"a": pd.Categorical(["b", "a"], ["b", "a"])})[1].columns[0]
    assert values_of(texts, [1, 0, -1], "dict").tolist() == ["a", "b", None]
    numbers = learnt({"a": pd.Categorical([30, 10], [30, 10])})[1].columns[0]
    assert values_of(numbers, [1, 0], "polars").tolist() == [10, 30]
    assert values_of(numbers, [1, -1], "numpy").tolist() == [10, None]


def test_types_of_the_libraries() -> None:
    table = {
        "day": [dt.date(2020, 1, 1), None],
        "time": [dt.datetime(2020, 1, 1), None],
        "zoned": [dt.datetime(2020, 1, 1, tzinfo=dt.UTC), None],
        "span": [dt.timedelta(1), None],
        "clock": [dt.time(1), None],
        "truth": [True, None],
        "count": [1, None],
        "number": [1.5, None],
        "text": ["x", None],
    }
    schema = Schema.learn(Frame.of(table), {"count": "count"})
    drawn = {"text": [0, -1]} | {
        c.name: c.numbers(Frame.of(table).raw(c.name)) for c in schema.columns if c.levels is None
    }

    def made(library: str) -> Any:
        return to_table({c.name: values_of(c, drawn[c.name], library) for c in schema.columns}, library)

    assert [str(t) for t in made("polars").dtypes] == [
        "Date",
        "Datetime(time_unit='us', time_zone=None)",
        "Datetime(time_unit='us', time_zone='UTC')",
        "Duration(time_unit='us')",
        "Time",
        "Boolean",
        "Int64",
        "Float64",
        "String",
    ]
    assert [str(t) for t in made("pyarrow").schema.types] == [
        "date32[day]",
        "timestamp[us]",
        "timestamp[us, tz=UTC]",
        "duration[us]",
        "time64[us]",
        "bool",
        "int64",
        "double",
        "string",
    ]
    assert [str(t) for t in made("pandas").dtypes] == [
        "object",
        "datetime64[us]",
        "datetime64[us, UTC]",
        "timedelta64[us]",
        "object",
        "boolean",
        "Int64",
        "float64",
        "str" if pd.__version__ >= "3" else "object",
    ]
    for library in ("polars", "pyarrow"):
        frame = made(library)
        columns = frame.to_dict(as_series=False) if library == "polars" else frame.to_pydict()
        assert columns == table
    assert {name: type(values) for name, values in made("dict").items()} == dict.fromkeys(table, np.ndarray)


def test_counts_and_truths_without_gaps() -> None:
    for library in LIBRARIES:
        for kind, expected in (("count", int), ("boolean", bool)):
            schema = learnt({"a": [1, 0]}, kind)[1]
            table = Frame.of(to_table({"a": values_of(schema.columns[0], [1.0, 0.0], library)}, library))
            assert [type(table.raw("a").item(row)) for row in range(2)] == [expected] * 2


def test_the_level_of_missing_cells_is_missing() -> None:
    schema = learnt({"a": ["x", None]}, missing_level=True)[1]
    assert values_of(schema.columns[0], [0, 1], "dict").tolist() == ["x", None]
    schema = learnt({"a": [3, None]}, "categorical", missing_level=True)[1]
    assert values_of(schema.columns[0], [0, 1], "dict").tolist() == [3, None]


def test_a_column_without_levels_is_missing_throughout() -> None:
    column = learnt({"a": [None]})[1].columns[0]
    for library in LIBRARIES:
        frame = Frame.of(to_table({"a": values_of(column, [-1, -1], library)}, library))
        assert [frame.raw("a").item(row) for row in range(2)] == [None, None]


def test_no_rows() -> None:
    for case in CASES:
        column = learnt({"a": list(case.cells)})[1].columns[0]
        for library in LIBRARIES:
            if column.kind is not Kind.TEXT:
                assert Frame.of(to_table({"a": values_of(column, [], library)}, library)).n == 0


def test_tables_of_plain_columns() -> None:
    columns = {"class": np.array(["a", None], object), "p": np.array([0.5, NAN]), "n": np.array([1, 2])}
    assert to_table(columns, "numpy") == columns
    assert to_table(columns, "polars").to_dict(as_series=False) == {
        "class": ["a", None],
        "p": [0.5, None],
        "n": [1, 2],
    }
    assert to_table(columns, "pyarrow").to_pydict() == {"class": ["a", None], "p": [0.5, None], "n": [1, 2]}
    assert to_table(columns, "pandas")["p"].tolist() == pytest.approx([0.5, NAN], nan_ok=True)


@pytest.mark.parametrize("library", LIBRARIES)
def test_whole_numbers_beyond_64_bits_stay_numbers(library):
    """They came out as -9223372036854775808."""
    large = np.array([1e140, -3e19, 2.0**63])
    column = Column.learn(as_raw("a", large))
    assert np.asarray(values_of(column, large, library)).tolist() == large.tolist()
    counts = Column.learn(as_raw("a", np.array([2**63 + 2048, 5], np.uint64)))
    assert np.asarray(values_of(counts, [2.0**63 + 2048, 5.0], library)).tolist() == [2.0**63 + 2048, 5]
