"""What may be called a table, and what is said of what may not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from backends import codes, learnt, numbers
from scipy import sparse

from likely.errors import LikelyError
from likely.table.frame import Frame


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]), "a"),
        (pd.DataFrame([[1, 2]], columns=[0, 0]), "0"),
        (pa.Table.from_arrays([pa.array([1])] * 3, ["a", "b", "a"]), "a"),
        ({1: [1], "1": [2]}, "1"),
    ],
    ids=["pandas", "pandas numbers", "PyArrow", "dict"],
)
def test_names_used_twice(table: Any, name: str) -> None:
    with pytest.raises(LikelyError, match=f"column name '{name}' occurs 2 times: rename"):
        Frame.of(table)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (3, "a int is not a table: give a pandas, Polars or PyArrow frame"),
        ("text", "a str is not a table"),
        (None, "a NoneType is not a table"),
        ({1, 2}, "a set is not a table"),
        (np.zeros(3), r"Expected 2D array, got 1D array instead \(shape \(3,\)\). Reshape your data"),
        (np.zeros((2, 2, 2)), "Expected 2D array, got 3D array"),
        (np.float64(3), "Expected 2D array, got 0D array"),
        ([], "Expected 2D array, got 1D array"),
        ([1, 2], "Expected 2D array, got 1D array"),
        (pd.Series([1, 2]), "Expected 2D array, got 1D array"),
        (pl.Series([1, 2]), "Expected 2D array, got 1D array"),
        (sparse.coo_array([1, 2]), "Expected 2D array, got 1D array"),
        ([[1, 2], [3]], "rows of the table are of different lengths"),
        (
            np.zeros(3, [("a", "i4"), ("b", "f8")]),
            "a structured array is not a table: give a dict of columns",
        ),
        (np.zeros((2, 1), [("a", "i4")]), "a structured array is not a table"),
        (np.array([[1j]]), "Complex data not supported"),
        (sparse.csr_array([[1j]]), "Complex data not supported"),
        (
            {"a": [1, 2], "b": [1]},
            "column 'b' has 1 values and column 'a' has 2: all columns must be of the same",
        ),
        ({"a": 3, "b": [1]}, "column 'a' is 3: give a list or an array, one value a row"),
        ({"a": "xyz", "b": [1]}, "column 'a' is 'xyz': give a list"),
        ({"b": [1], "a": np.float64(2)}, "column 'a' is np.float64"),
        (
            pd.DataFrame([[1, 2]], columns=["a", 1]),
            r"only supported if all input features have string names.*Rename",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_table(table: Any, said: str) -> None:
    with pytest.raises(LikelyError, match=said):
        Frame.of(table)


def test_two_dimensions_in_a_column() -> None:
    with pytest.raises(LikelyError, match="column 'a' has 2 dimensions: give one value a row"):
        Frame.of({"a": np.zeros((2, 2))}).raw("a")


def test_rows_as_lists_keep_the_types_of_columns() -> None:
    frame, schema = learnt([["x", 1, 2.5, None], ["y", 2, None, True]])
    assert [str(c.kind) for c in schema.columns] == ["categorical", "quantitative", "quantitative", "boolean"]
    assert numbers(frame, schema, 1) == [1, 2]
    assert frame.library == "numpy"
    assert learnt([[1, 2], [3, 4]])[0].matrix.dtype == np.int64
    assert learnt(((1.5, 2), (3, 4)))[0].matrix.dtype == np.float64


def test_masked_arrays() -> None:
    table = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    frame, schema = learnt(table)
    assert numbers(frame, schema, 1) == pytest.approx([np.nan, 4.0], nan_ok=True)
    assert table.data[0, 1] == 2.0
    frame, schema = learnt(np.ma.array([[1], [3]], mask=[[True], [False]]), "categorical")
    assert codes(frame, schema) == [-1, 0]
    assert learnt(np.ma.array([[1], [3]]))[0].matrix.dtype == np.int64


def test_names_that_are_no_texts() -> None:
    """Numbers from 0 in order are places; others are names, said as text."""
    places = Frame.of(pd.DataFrame([[1, "x"]]))
    assert (places.names, places.named, places.library) == (("x0", "x1"), False, "pandas")
    for columns in ([3, 4], pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]), [1.5, 2.5], [1, 0]):
        frame = Frame.of(pd.DataFrame([[1, "x"]], columns=columns))
        assert (frame.names, frame.named, frame.library) == (tuple(map(str, columns)), True, "pandas")
        assert frame.raw(str(columns[1])).item(0) == "x"
    assert Frame.of({1: [5]}).names == ("1",)


def test_a_record_batch_is_a_table() -> None:
    frame = Frame.of(pa.record_batch({"a": [1, 2], "b": ["x", None]}))
    assert (frame.names, frame.n, frame.library) == (("a", "b"), 2, "pyarrow")
    assert frame.raw("b").item(1) is None


def test_a_frame_is_taken_as_it_is() -> None:
    frame = Frame.of({"a": [1]})
    assert Frame.of(frame) is frame
    assert Frame.of({}).names == ()


def test_without_the_target() -> None:
    for make in (dict, pd.DataFrame, pl.DataFrame, pa.table):
        frame = Frame.of(make({"a": [1], "y": [2], "b": [3]})).without("y")
        assert frame.names == ("a", "b")
        assert frame.position == {"a": 0, "b": 1}
        assert frame.raw("b").item(0) == 3
    with pytest.raises(
        LikelyError, match="the target 'y' must be given as values: the table has no column names"
    ):
        Frame.of(np.zeros((1, 2))).without("y")


def test_renamed() -> None:
    for table in (
        {"a": [1], "b": [2]},
        np.array([[1, 2]]),
        np.array([[1, "x"]], object),
        pl.DataFrame({"a": [1], "b": [2]}),
    ):
        frame = Frame.of(table)
        other = frame.renamed(("u", "v"))
        assert other.names == ("u", "v")
        assert other.raw("v").name == "v"
        assert other.raw("v").item(0) == frame.raw(frame.names[1]).item(0)
        assert other.renamed(("u", "v")) is other


def test_columns_are_looked_at_once() -> None:
    frame = Frame.of(pl.DataFrame({"a": ["x", "y"]}))
    assert frame.raw("a") is frame.raw("a")


def test_other_arrays() -> None:
    class Elsewhere:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([[1.0, 2.0]])

    assert Frame.of(Elsewhere()).n == 1


@pytest.mark.filterwarnings("ignore:a lazy table of")
def test_lazy_tables_of_a_database() -> None:
    duckdb = pytest.importorskip("duckdb")
    frame, schema = learnt(duckdb.sql("select 1 as a, 'x' as b"))
    assert frame.names == ("a", "b")
    assert [str(c.kind) for c in schema.columns] == ["quantitative", "categorical"]
