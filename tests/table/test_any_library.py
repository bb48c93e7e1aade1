"""The same data in any library: same kinds, same levels, same codes, same numbers."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from backends import BACKENDS, CASES, NAN, Case, codes, learnt, numbers

from likely.errors import LikelyError
from likely.table.column.as_raw import as_raw
from likely.table.column.kinds import Kind, Type
from likely.table.frame import Frame
from likely.table.schema import Schema

# Some of the libraries are lazy: that their tables are collected is said, and is not what is asked here.
pytestmark = pytest.mark.filterwarnings("ignore:a lazy table of:likely.errors.LikelyWarning")
each_library = pytest.mark.parametrize("backend", BACKENDS)


@pytest.mark.parametrize("case", CASES, ids=str)
@each_library
def test_same_data_same_column(case: Case, backend: str) -> None:
    frame, schema = learnt(BACKENDS[backend](case))
    (column,) = schema.columns
    assert frame.n == len(case.cells)
    assert column.kind is case.kind
    assert column.type is case.type
    assert column.unit == case.unit
    assert column.levels == case.levels
    if case.codes is not None:
        assert codes(frame, schema) == list(case.codes)
    if case.numbers is not None:
        assert numbers(frame, schema) == pytest.approx(list(case.numbers), nan_ok=True)
    items = [frame.raw(column.name).item(row) for row in range(frame.n)]
    expected = [float(cell) if isinstance(cell, Decimal) else cell for cell in case.cells]
    assert items == expected
    assert [type(item) for item in items] == [type(cell) for cell in expected]


@pytest.mark.parametrize("case", [case for case in CASES if case.numbers is not None], ids=str)
@each_library
def test_declared_levels_are_values(case: Case, backend: str) -> None:
    """Numbers and times declared categorical: the levels are the values themselves, sorted."""
    frame, schema = learnt(BACKENDS[backend](case), "categorical")
    cells = [float(c) if isinstance(c, Decimal) else c for c in case.cells]
    levels = sorted({c for c in cells if c is not None})
    assert list(schema.columns[0].levels or ()) == levels
    assert codes(frame, schema) == [-1 if c is None else levels.index(c) for c in cells]
    if case.type is Type.BOOLEAN:
        assert schema.columns[0].levels == (False, True)
        assert all(isinstance(level, bool) for level in schema.columns[0].levels)


@pytest.mark.parametrize("case", CASES, ids=str)
@each_library
def test_no_rows_and_one_row(case: Case, backend: str) -> None:
    one = Case(**{**vars_of(case), "cells": case.cells[:1]})
    frame, schema = learnt(BACKENDS[backend](one))
    assert frame.n == 1
    if case.codes is not None and case.levels:
        assert schema.columns[0].levels == (case.levels[case.codes[0]],)
    if backend in ("rows",):
        return  # a list of no rows has no columns either
    none = Case(**{**vars_of(case), "cells": ()})
    frame, schema = learnt(BACKENDS[backend](none))
    assert frame.n == 0
    block: Any = schema.codes(frame, [0]) if schema.columns[0].levels is not None else None
    if block is None and schema.columns[0].kind is not Kind.TEXT:
        block = schema.numbers(frame, [0])
    assert block is None or block.rows(0, 0).shape == (0, 1)


def vars_of(case: Case) -> dict[str, Any]:
    return {name: getattr(case, name) for name in case.__dataclass_fields__}


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (pd.Categorical(["b", None, "a"], ["c", "b", "a"]), Kind.CATEGORICAL),
        (pd.Categorical(["b", None, "a"], ["c", "b", "a"], ordered=True), Kind.ORDINAL),
        (pl.Series(["b", None, "a"], dtype=pl.Enum(["c", "b", "a"])), Kind.ORDINAL),
        (pa.DictionaryArray.from_arrays(pa.array([1, None, 2]), ["c", "b", "a"], ordered=True), Kind.ORDINAL),
        (
            pd.Series(
                pa.DictionaryArray.from_arrays(
                    pa.array([1, None, 2], pa.int8()), ["c", "b", "a"], ordered=True
                ),
                dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string(), ordered=True)),
            ),
            Kind.ORDINAL,
        ),
    ],
    ids=["pandas", "pandas ordered", "Polars Enum", "Arrow ordered", "pandas over Arrow ordered"],
)
def test_declared_levels_stay(table: Any, kind: Kind) -> None:
    frame, schema = learnt({"a": table})
    assert schema.columns[0].kind is kind
    assert schema.columns[0].type is Type.CATEGORY
    assert schema.columns[0].levels == ("c", "b", "a")
    assert codes(frame, schema) == [1, -1, 2]


def _dictionaries() -> dict[str, Any]:
    first, second = pa.array(["b", None]).dictionary_encode(), pa.array(["a", "b"]).dictionary_encode()
    index = pa.array([0, None, 1, 0], pa.uint8())
    return {
        "chunks with different dictionaries": pa.chunked_array([first, second]),
        "sliced": pa.chunked_array([pa.array(["x", "b", None, "a", "b", "x"]).dictionary_encode()]).slice(
            1, 4
        ),
        "unsigned indices": pa.DictionaryArray.from_arrays(index, ["b", "a"]),
        "null in the dictionary": pa.DictionaryArray.from_arrays(pa.array([1, 0, 2, 1]), [None, "b", "a"]),
        "repeated in the dictionary": pa.DictionaryArray.from_arrays(
            pa.array([0, None, 1, 2]), ["b", "a", "b"]
        ),
        "chunks, null in one dictionary": pa.chunked_array(
            [pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.int32()), [None, "b"]), second]
        ),
        "run-end encoded": pa.RunEndEncodedArray.from_arrays([1, 2, 3, 4], pa.array(["b", None, "a", "b"])),
        "string view": pa.array(["b", None, "a", "b"], pa.string_view()),
        "Polars Categorical": pl.Series(["b", None, "a", "b"], dtype=pl.Categorical),
        "Polars Categorical sliced": pl.Series(["x", "b", None, "a", "b"], dtype=pl.Categorical)[1:],
        "pandas over an Arrow dictionary": pd.Series(
            ["b", None, "a", "b"], dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
        ),
        "NumPy strings": np.array(["b", None, "a", "b"], np.dtypes.StringDType(na_object=None)),
        "pandas CategoricalIndex": pd.CategoricalIndex(["b", None, "a", "b"]),
    }


@pytest.mark.parametrize("name", _dictionaries())
def test_categories_of_every_make(name: str) -> None:
    frame, schema = learnt({"a": _dictionaries()[name]})
    unobserved = ("x",) if name == "sliced" else ()
    assert schema.columns[0].kind is Kind.CATEGORICAL
    assert schema.columns[0].levels == ("a", "b", *unobserved)
    assert codes(frame, schema) == [1, -1, 0, 1]
    assert [frame.raw("a").item(row) for row in range(4)] == ["b", None, "a", "b"]


def test_categories_of_integers_and_of_intervals() -> None:
    frame, schema = learnt({"a": pd.Series(pd.Categorical([30, 10, None], [30, 20, 10]))})
    assert schema.columns[0].levels == (30, 20, 10)
    assert codes(frame, schema) == [0, 2, -1]
    assert codes(Frame.of({"a": [10, 20, 99]}), schema) == [2, 1, -2]
    bins = pd.cut(pd.Series([1.0, 5.0, None]), [0, 2, 4, 6])
    frame, schema = learnt({"a": bins})
    assert schema.columns[0].kind is Kind.ORDINAL
    assert len(schema.columns[0].levels or ()) == 3
    assert codes(frame, schema) == [0, 2, -1]
    assert numbers(*learnt({"a": pd.Categorical([30, None])}, "quantitative")) == pytest.approx(
        [30.0, NAN], nan_ok=True
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (pd.Series(pd.period_range("2020", periods=2, freq="M")), "Period"),
        (pd.Series(pd.interval_range(0, 2)), "Interval"),
        (pd.Series([b"x", None]), "bytes"),
        (pl.Series([b"x", None]), "bytes"),
        (np.array([b"x"]), "bytes"),
        (pa.array([b"x"]), "bytes"),
        ([UUID(int=1)], "UUID"),
        (pl.Series([UUID(int=1)], dtype=pl.Object), "UUID"),
    ],
)
def test_other_types_are_refused_unless_taken_as_text(values: Any, said: str) -> None:
    with pytest.raises(
        LikelyError, match=rf"column 'a' holds values of the type {said} .* in row 0.*convert"
    ):
        learnt({"a": values})
    frame, schema = learnt({"a": values}, {"a": "categorical"})
    assert codes(frame, schema)[0] == 0
    assert schema.columns[0].levels[0] == str(frame.raw("a").item(0))


@pytest.mark.parametrize(
    "values",
    [
        [[1], [2]],
        [{"x": 1}, None],
        [(1, 2), None],
        [{1}, None],
        pl.Series([[1], [2]]),
        pl.Series([[1, 2]], dtype=pl.Array(pl.Int64, 2)),
        pl.Series([{"x": 1}]),
        pa.array([[1], None]),
        pa.array([{"x": 1}]),
        pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())),
        pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_several_values_in_a_cell_are_refused(values: Any) -> None:
    with pytest.raises(
        LikelyError, match=r"column 'a' holds .* in row 0: every cell must be a string or a number"
    ):
        learnt({"a": values}, "categorical")


@pytest.mark.parametrize(
    "table",
    [
        {"a": [1j, 2]},
        {"a": np.array([1j])},
        pd.DataFrame({"a": [1j]}),
        {"a": pd.Series([1j, "x"], dtype=object)},
    ],
    ids=["list", "array", "pandas", "objects"],
)
def test_complex_numbers_are_refused(table: Any) -> None:
    with pytest.raises(LikelyError, match="Complex data not supported: column 'a'"):
        learnt(table, "categorical")


@pytest.mark.parametrize(
    ("values", "first", "second"),
    [
        (["x", 1], "'x' in row 0", "1 in row 1"),
        ([None, True, 2], "True in row 1", "2 in row 2"),
        ([1.5, dt.date(2020, 1, 1)], "1.5 in row 0", "datetime.date(2020, 1, 1) in row 1"),
        ([dt.date(2020, 1, 1), dt.datetime(2020, 1, 1)], "datetime.date(2020, 1, 1)", "0) in row 1"),
        (pd.Series(["x"] * 200 + [1], dtype=object), "'x' in row 0", "1 in row 200"),
    ],
)
def test_mixtures_are_refused_unless_taken_as_text(values: Any, first: str, second: str) -> None:
    with pytest.raises(LikelyError, match="column 'a' holds values of several types") as said:
        learnt({"a": values})
    assert first in str(said.value)
    assert second in str(said.value)
    assert "'categorical'" in str(said.value)
    frame, schema = learnt({"a": values}, "categorical")
    texts = [None if v is None else str(v) for v in values]
    levels = sorted({t for t in texts if t is not None})
    assert list(schema.columns[0].levels or ()) == levels
    assert codes(frame, schema) == [-1 if t is None else levels.index(t) for t in texts]
    # Rows that happen to hold one type are still taken as text.
    assert codes(Frame.of({"a": list(values)[-1:]}), schema) == [levels.index(texts[-1])]


def test_times_with_and_without_a_zone_do_not_mix() -> None:
    naive, aware = dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    with pytest.raises(LikelyError, match="column 'a' holds times both with and without a time zone"):
        learnt({"a": [naive, aware]})
    _, schema = learnt({"a": [aware]})
    with pytest.raises(
        LikelyError, match=r"column 'a' held times with a time zone \(UTC\) .* now holds times "
    ):
        schema.numbers(Frame.of({"a": [naive]}), [0])


@pytest.mark.parametrize(
    ("cells", "type_"),
    [
        (pl.Series([2**70, None], dtype=pl.Int128), Type.INTEGER),
        (pl.Series([1.5, None], dtype=pl.Float32), Type.FLOAT),
        (pa.array([Decimal("1.5"), None], pa.decimal256(50, 2)), Type.FLOAT),
        (pa.array([np.float16(1.5), None], pa.float16()), Type.FLOAT),
        (pa.array([dt.date(2020, 1, 1), None], pa.date64()), Type.DATE),
        (pa.array([dt.time(1), None], pa.time32("s")), Type.TIME),
        (pd.arrays.SparseArray([0.0, NAN]), Type.FLOAT),
        (pd.arrays.SparseArray([0, 1]), Type.INTEGER),
        (np.array(["2020-01", "NaT"], "datetime64[M]"), Type.DATE),
        (np.array(["2020-01-01T12", "NaT"], "datetime64[h]"), Type.DATETIME),
        (np.array([90, "NaT"], "timedelta64[m]"), Type.DURATION),
        ([np.datetime64("2020-01-01"), None], Type.DATETIME),
        ([np.timedelta64(3, "s"), None], Type.DURATION),
        ([pd.Timestamp("2020"), pd.NaT], Type.DATETIME),
        ([pd.Timedelta(1), pd.NaT], Type.DURATION),
        ([np.int64(3), pd.NA], Type.INTEGER),
        ([np.float32(3), None], Type.FLOAT),
        ([np.True_, None], Type.BOOLEAN),
        ([Decimal("sNaN"), Decimal(3)], Type.FLOAT),
        ([np.str_("x"), NAN], Type.STRING),
        (np.ma.array([1.5, 2.5], mask=[False, True]), Type.FLOAT),
        (np.ma.array([1, 2], mask=[False, True]), Type.INTEGER),
        (np.ma.array(["x", "y"], mask=[False, True]), Type.STRING),
        (np.ma.array(np.array(["2020", "2021"], "M8[D]"), mask=[False, True]), Type.DATE),
        (range(3), Type.INTEGER),
    ],
    ids=lambda value: value.name if isinstance(value, Type) else type(value).__name__,
)
def test_less_common_types(cells: Any, type_: Type) -> None:
    frame, schema = learnt({"a": cells})
    assert schema.columns[0].type is type_
    assert type(frame.raw("a").item(0)).__module__ in ("builtins", "datetime")
    if schema.columns[0].levels is None:
        assert len(numbers(frame, schema)) == frame.n


def test_whole_numbers_beyond_floats_stay_apart() -> None:
    """2**60 and 2**60 + 1 are the same float, but not the same level; 2**53 and 2**53 + 1 are the first."""
    for large in ([2**60, 2**60 + 1, None, 2**60], [2**53, 2**53 + 1, None, 2**53]):
        _stay_apart(large)
    assert learnt({"a": [10**400, 1]})[1].columns[0].type is Type.INTEGER
    assert numbers(*learnt({"a": [10**400, -(10**400), 1]})) == [np.inf, -np.inf, 1.0]
    assert numbers(*learnt({"a": [10**400, 0.5]})) == [np.inf, 0.5]


def _stay_apart(large: list[int | None]) -> None:
    for values in (
        large,
        pd.Series(large, dtype="Int64"),
        pl.Series(large),
        pa.array(large),
        pd.Series(large, dtype=object),
        pd.Series(large, dtype=pd.ArrowDtype(pa.int64())),
    ):
        frame, schema = learnt({"a": values}, "categorical")
        assert schema.columns[0].levels == (large[0], large[1])
        assert codes(frame, schema) == [0, 1, -1, 0]
        rounded = [NAN if v is None else float(v) for v in large]
        assert numbers(*learnt({"a": values})) == pytest.approx(rounded, nan_ok=True)


def test_missing_values_of_every_make_are_one() -> None:
    cells = ["x", None, NAN, pd.NA, pd.NaT, np.float64("nan"), Decimal("nan")]
    frame, schema = learnt({"a": cells})
    assert codes(frame, schema) == [0] + [-1] * 6
    assert numbers(*learnt({"a": pl.Series([1.0, None, NAN])}))[1:] == pytest.approx([NAN, NAN], nan_ok=True)
    both = pd.Series(pd.arrays.FloatingArray(np.array([1.0, NAN, 3.0]), np.array([False, False, True])))
    assert numbers(*learnt({"a": both})) == pytest.approx([1.0, NAN, NAN], nan_ok=True)


@pytest.mark.parametrize("dtype", ["float64", "Int64", "boolean", "datetime64[us]", "timedelta64[us]"])
def test_columns_of_a_type_without_values(dtype: str) -> None:
    """The type still says the kind, and the column fits whatever was learnt before."""
    frame, schema = learnt(pd.DataFrame({"a": pd.Series([None, None], dtype=dtype)}))
    assert schema.columns[0].kind is (Kind.BOOLEAN if dtype == "boolean" else Kind.QUANTITATIVE)
    assert np.isnan(numbers(frame, schema)).all()
    for learnt_from in (["x", "y"], [1, 2], [1.5], [True], [dt.date(2020, 1, 1)]):
        _, other = learnt({"a": learnt_from})
        if other.columns[0].levels is not None:
            assert codes(frame, other) == [-1, -1]
        else:
            assert np.isnan(numbers(frame, other)).all()


def test_nothing_but_missing_levels() -> None:
    frame, schema = learnt({"a": pd.Categorical([None, None], ["x", "y"])})
    assert schema.columns[0].levels == ("x", "y")
    assert codes(frame, schema) == [-1, -1]
    assert np.isnan(numbers(frame, learnt({"a": [1.5]})[1])).all()


def test_a_column_with_no_value_at_fit_takes_anything_later() -> None:
    _, schema = learnt({"a": [None, None]})
    assert schema.columns[0].levels == ()
    for values in (["x", None], [3, 4], [1.5, NAN], [True, False], [dt.date(2020, 1, 1), None]):
        assert set(codes(Frame.of({"a": values}), schema)) <= {-1, -2}


def test_raw_says_what_it_is() -> None:
    raw = as_raw("a", [None, "x"])
    assert raw.example() == "x"
    assert not raw.is_empty()
    assert as_raw("a", [None]).example() is None
    with pytest.raises(LikelyError, match=r"column 'a' should hold numbers, but row 1 holds 'x'.*convert"):
        raw.numbers()
    with pytest.raises(LikelyError, match="column 'a' has 2 dimensions"):
        as_raw("a", np.zeros((2, 2)))
    with pytest.raises(LikelyError, match=r"column 'a' has the type timedelta64\[M\]"):
        as_raw("a", np.array([1], "timedelta64[M]"))
    with pytest.raises(LikelyError, match="column 'a' has the type"):
        as_raw("a", np.zeros(2, "V3"))


def test_empty_strings_are_a_level() -> None:
    _, schema = learnt({"a": ["", "x"]})
    assert schema.columns[0].levels == ("", "x")


def test_average_length_decides_for_free_text() -> None:
    for length, kind in ((50, Kind.CATEGORICAL), (51, Kind.TEXT)):
        assert Schema.learn(Frame.of({"a": ["x" * length]})).columns[0].kind is kind
    # distinct values count once each, however often they occur
    repeated = ["y" * 90] * 50 + ["a", "b", "c"]
    assert Schema.learn(Frame.of({"a": repeated})).columns[0].kind is Kind.CATEGORICAL
