"""Codes of levels: every path gives what looking each value up in a list gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from backends import NAN, coded, codes, learnt
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from seeds import examples

from likely.table.column.levels import number_codes, whole_levels
from likely.table.frame import Frame
from likely.table.schema import Schema

DTYPES = (
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    ">i8",
    ">u8",
    "<u2",
    "bool",
)


def by_hand(values: Any, levels: Any, missing: int = -1) -> list[int]:
    """What the codes must be."""
    place = {level: i for i, level in enumerate(levels)}
    return [missing if v is None or v != v else place.get(v, -2) for v in values]


@st.composite
def integers(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    if dtype.kind == "b":
        return np.array(draw(st.lists(st.booleans(), max_size=20)), bool)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    near = draw(st.integers(low, high - 5 if high - 5 > low else high))
    some = st.one_of(st.integers(low, high), st.integers(near, min(near + 5, int(high))))
    return np.array(draw(st.lists(some, max_size=20)), dtype)


@given(integers(), integers())
@settings(max_examples=examples(400), deadline=None)
def test_integers(known: Any, new: Any) -> None:
    levels, mine = coded(known)
    assert list(levels) == sorted(set(known.tolist()))
    assert [type(level) for level in levels] == [type(v) for v in sorted(set(known.tolist()))]
    assert mine == by_hand(known.tolist(), levels)
    if (known.dtype == bool) >= (new.dtype == bool):  # truth values where numbers were are refused
        assert coded(known, new)[1] == by_hand(new.tolist(), levels)


floats = st.lists(
    st.one_of(
        st.floats(width=32),
        st.integers(-3, 3).map(float),
        st.sampled_from([NAN, 1e9, 1e9 + 5, 0.5, -0.5, 2.0**53, 2.0**63, -(2.0**63), 1e300]),
    ),
    max_size=20,
)


@given(floats, floats, st.sampled_from(["float32", "float64", "longdouble"]), st.booleans())
@settings(max_examples=examples(400), deadline=None)
def test_floats(known: list[float], new: list[float], dtype: str, missing_level: bool) -> None:
    with np.errstate(over="ignore"):
        first, second = np.array(known, dtype), np.array(new, dtype)
    frame, schema = learnt({"a": first}, "categorical", missing_level)
    levels = sorted({v for v in map(float, first) if not math.isnan(v)})
    assert list(schema.columns[0].known) == levels
    missing = len(levels) if missing_level else -1
    assert codes(frame, schema) == by_hand(map(float, first), levels, missing)
    assert codes(Frame.of({"a": second}), schema) == by_hand(map(float, second), levels, missing)


@given(floats, integers())
@settings(max_examples=examples(200), deadline=None)
def test_integers_where_floats_were_and_the_other_way_round(some: list[float], whole: Any) -> None:
    if whole.dtype == bool:
        whole = whole.astype(np.int8)
    levels, mine = coded(np.array(some, np.float64), whole)
    assert mine == by_hand(whole.tolist(), levels)
    levels, mine = coded(whole, np.array(some, np.float64))
    assert mine == by_hand(some, levels)


@given(st.lists(st.one_of(st.none(), st.text(max_size=3)), max_size=20), st.lists(st.text(max_size=3)))
@settings(max_examples=examples(100), deadline=None)
def test_texts(known: list[str | None], new: list[str]) -> None:
    levels, mine = coded(known)
    assert list(levels) == sorted({v for v in known if v is not None})
    assert mine == by_hand(known, levels)
    assert coded(known, new)[1] == by_hand(new, levels)


@st.composite
def matrices(draw: st.DrawFn, d: int) -> np.ndarray[Any, Any]:
    dtype = np.dtype(draw(st.sampled_from([*DTYPES, "float32", "float64"])))
    shape = (draw(st.integers(0, 8)), d)
    lows = draw(st.lists(st.sampled_from([0, 1, 5, 100]), min_size=shape[1], max_size=shape[1]))
    cells = draw(st.lists(st.integers(0, 4), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    matrix = np.array(cells, np.int64).reshape(shape) + np.array(lows)
    if dtype.kind == "b":
        return matrix % 2 == 1
    array = matrix.astype(dtype)
    if dtype.kind == "f" and array.size and draw(st.booleans()):
        array.flat[draw(st.integers(0, array.size - 1))] = draw(st.sampled_from([NAN, 0.5, np.inf]))
    if dtype.kind in "iu" and array.size and draw(st.booleans()):
        worst = draw(st.sampled_from([np.iinfo(dtype).min, np.iinfo(dtype).max]))
        array.flat[draw(st.integers(0, array.size - 1))] = worst
    return array


def layouts(matrix: np.ndarray[Any, Any]) -> list[Any]:
    n, d = matrix.shape
    wide = np.zeros((2 * n, d + 2), matrix.dtype)
    wide[::2, 1:-1] = matrix
    frozen = matrix.copy()
    frozen.flags.writeable = False
    found = [matrix, np.asfortranarray(matrix), wide[::2, 1:-1], np.flip(np.flip(matrix).copy()), frozen]
    native = matrix.dtype.newbyteorder("=")
    return [*found, *(make(matrix.astype(native)) for make in (sparse.csr_array, sparse.csc_matrix))]


@given(st.integers(1, 4), st.data(), st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_matrices(d: int, data: st.DataObject, missing_level: bool) -> None:
    """All columns at once are coded as one by one, in any layout, whichever columns are asked for."""
    known, new = data.draw(matrices(d)), data.draw(matrices(d))
    one_by_one = Schema.learn(
        Frame.of({f"x{j}": known[:, j] for j in range(d)}), "categorical", missing_level
    )
    fits = (known.dtype == bool) >= (new.dtype == bool)  # truth values where numbers were are refused
    chosen = data.draw(st.lists(st.integers(0, d - 1), min_size=1, unique=True))
    for other in [known, new] if fits else [known]:
        for a, b in zip(layouts(known), layouts(other), strict=True):
            schema = Schema.learn(Frame.of(a), "categorical", missing_level)
            assert [c.levels for c in schema.columns] == [c.levels for c in one_by_one.columns]
            block = schema.codes(Frame.of(b), chosen)
            rows = np.concatenate(
                [block.rows(i, i + 1).copy() for i in range(len(other))] or [block.rows(0, 0)]
            )
            for place, j in enumerate(chosen):
                column = schema.columns[j]
                assert rows[:, place].tolist() == by_hand(
                    other[:, j].tolist(), column.known, column.missing_code
                )
                assert (block.rows(0, len(other))[:, place] == rows[:, place]).all()


small = st.lists(st.tuples(st.integers(-3, 6), st.integers(-3, 6)), max_size=12)


@given(
    small,
    st.sampled_from([(3, 3), (3, 5), (1, 4)]),
    st.sampled_from([(0, 0), (1, 1), (-2, -2), (0, 1)]),
    st.sampled_from("iuf"),
)
@settings(max_examples=examples(300), deadline=None)
def test_levels_without_gaps(cells: Any, ks: tuple[int, int], lows: tuple[int, int], kind: str) -> None:
    """Where the values are nearly the codes, no value outside is taken for one: not -1, nor -2."""
    full = np.array([[min(i, k - 1) for k in ks] for i in range(5)]) + lows
    _, schema = learnt(full, "categorical")
    new = np.array(cells, np.int64).reshape(-1, 2).astype(f"{kind}8")
    block = schema.codes(Frame.of(new), [0, 1])
    for start in (0, len(new) // 2):
        rows = block.rows(start, len(new))
        for j, (k, low) in enumerate(zip(ks, lows, strict=True)):
            assert rows[:, j].tolist() == by_hand(new[start:, j].tolist(), range(low, low + k))


@pytest.mark.parametrize("low", [0, 1, -3, 10**9, -(10**9), 2**62, -(2**63) + 1])
def test_integers_far_from_nothing(low: int) -> None:
    known = np.array([low + 5, low, low + 2])
    levels, mine = coded(known)
    assert levels == (low, low + 2, low + 5)
    assert mine == [2, 0, 1]
    edges = [low - 1, low + 6, low + 1, -(2**63), 2**63 - 1, 0]
    inside = [v for v in edges if -(2**63) <= v < 2**63]
    assert coded(known, np.array(inside))[1] == by_hand(inside, levels)


def test_unsigned_beyond_signed() -> None:
    """Neither half of the unsigned integers is taken for the negative ones."""
    top = np.array([2**64 - 5, 2**64 - 4, 2**63], np.uint64)
    assert coded(top) == ((2**63, 2**64 - 5, 2**64 - 4), [1, 2, 0])
    assert coded(top, np.array([-5, -4, -(2**63)]))[1] == [-2, -2, -2]
    assert coded(np.array([-5, -4]), top)[1] == [-2, -2, -2]
    assert coded(np.array([0, 1]), top)[1] == [-2, -2, -2]
    near = np.array([[2**53, 2**53 + 1]], np.uint64).T
    assert coded(near[:, 0])[1] == [0, 1]


def test_numbers_far_apart_have_no_table() -> None:
    assert whole_levels(np.array([[0], [2**40]])) is None
    assert number_codes(np.zeros((3, 1)), [[0, 2**40]], [-1]) is None
    assert number_codes(np.zeros((3, 1)), [[0.5]], [-1]) is None
    assert coded(np.array([2**40, 0, 2**62, 0]))[1] == [1, 0, 2, 0]
    assert coded(np.array([0.5, 1e300, 0.5, NAN]))[1] == [0, 1, 0, -1]
    # few rows get no large table, many do, and the codes are the same
    levels = (0, 50_000)
    for n in (2, 60_000):
        assert coded(np.array([0, 50_000] * (n // 2)))[0] == levels
    assert coded(np.array([0, 50_000]), np.arange(60_000))[1][:2] == [0, -2]


def test_levels_found_late() -> None:
    """Learning stops early only when every number in the range has been seen."""
    values = np.zeros((100_000, 2), np.int64)
    values[:3, 0] = [0, 1, 3]
    values[-1] = [2, 7]
    assert whole_levels(values) == [[0, 1, 2, 3], [0, 7]]
    assert whole_levels(np.asfortranarray(values)) == [[0, 1, 2, 3], [0, 7]]
    assert whole_levels(values.astype(float)) == [[0, 1, 2, 3], [0, 7]]
    values[-1, 1] = -7
    assert whole_levels(values) == [[0, 1, 2, 3], [-7, 0]]
    fractions = values.astype(float)
    fractions[-1, 0] = 0.5
    assert whole_levels(fractions) is None


def test_missing_as_a_level() -> None:
    frame, schema = learnt({"a": ["x", None], "b": [3.0, NAN], "c": [1, 2]}, {"b": "categorical"}, True)
    assert schema.columns[0].levels == ("x", None)
    assert schema.columns[1].levels == (3.0, None)
    assert schema.columns[2].levels is None
    assert codes(frame, schema, 0) == [0, 1]
    assert codes(frame, schema, 1) == [0, 1]
    assert codes(Frame.of({"a": ["y", None], "b": [NAN, 4.0], "c": [1, 2]}), schema, 0) == [-2, 1]
    matrix = np.array([[1.0, NAN], [NAN, 2.0]])
    frame, schema = learnt(matrix, "categorical", True)
    assert [c.levels for c in schema.columns] == [(1.0, None), (2.0, None)]
    assert schema.codes(frame, [0, 1]).rows(0, 2).tolist() == [[0, 1], [1, 0]]


def test_many_levels() -> None:
    names = [f"level {i}" for i in range(100_000)]
    levels, mine = coded(names)
    assert list(levels) == sorted(names)
    place = {level: i for i, level in enumerate(levels)}
    assert mine == [place[name] for name in names]


@pytest.mark.parametrize("late", [7, -3])
@pytest.mark.parametrize("column", [0, 1])
def test_a_number_that_comes_late_is_a_level(late: int, column: int) -> None:
    """All columns have the same range for thousands of rows, and then one of them has not."""
    cells = np.tile(np.array([[0, 2], [2, 0], [1, 1]]), (30_000, 1))
    cells[-5, column] = late
    found = whole_levels(cells)
    expected = [[0, 1, 2], [0, 1, 2]]
    expected[column] = sorted([*expected[column], late])
    assert found == expected
