"""Matrices, dense and sparse: what is learnt of them and handed out in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from backends import NAN, learnt
from scipy import sparse

from likely.errors import LikelyError
from likely.table.column.block import Numbers
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

SPARSE = [
    make
    for name in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")
    for make in (getattr(sparse, f"{name}_array"), getattr(sparse, f"{name}_matrix"))
]
CELLS = np.array([[0.0, 3.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 5.0]])


def dense(block: Any, n: int) -> np.ndarray[Any, Any]:
    part = block.rows(0, n)
    return part if isinstance(part, np.ndarray) else part.toarray()


@pytest.mark.parametrize("make", SPARSE, ids=lambda make: make.__name__)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "bool"])
def test_sparse_as_dense(make: Any, dtype: str) -> None:
    cells = CELLS.astype(dtype)
    frame, schema = learnt(make(cells))
    assert (frame.library, frame.names, frame.n) == ("scipy", ("x0", "x1", "x2"), 3)
    kind = Kind.BOOLEAN if dtype == "bool" else Kind.QUANTITATIVE
    assert [c.kind for c in schema.columns] == [kind] * 3
    block = schema.numbers(frame, range(3))
    assert not isinstance(block.rows(0, 3), np.ndarray)
    assert block.rows(1, 3).dtype == np.float64
    assert (dense(block, 3) == cells).all()
    assert (dense(schema.numbers(frame, [2, 0]), 3) == cells[:, [2, 0]]).all()
    frame, schema = learnt(make(cells), "categorical")
    assert [c.levels for c in schema.columns] == [tuple(np.unique(column).tolist()) for column in cells.T]
    expected = np.stack([np.unique(column, return_inverse=True)[1] for column in cells.T], axis=1)
    assert (schema.codes(frame, range(3)).rows(0, 3) == expected).all()
    assert frame.raw("x1").item(2) == cells[2, 1]


@pytest.mark.parametrize(
    "dtype", ["float64", "float32", "float16", "longdouble", "int64", "uint8", "bool", ">f8"]
)
@pytest.mark.parametrize("layout", ["C", "F", "reversed", "strided", "frozen"])
def test_dense_numbers(dtype: str, layout: str) -> None:
    cells = np.arange(12).reshape(4, 3).astype(dtype)
    table = {
        "C": cells,
        "F": np.asfortranarray(cells),
        "reversed": cells[::-1, ::-1].copy()[::-1, ::-1],
        "strided": np.repeat(np.repeat(cells, 2, 0), 2, 1)[::2, ::2],
        "frozen": cells.copy(),
    }[layout]
    table.flags.writeable = layout != "frozen"
    frame, schema = learnt(table)
    assert (frame.library, frame.named, frame.n) == ("numpy", False, 4)
    for chosen in ([0, 1, 2], [1, 2], [2, 0], [1]):
        rows = schema.numbers(frame, chosen).rows(1, 3)
        assert rows.dtype == np.float64
        assert (rows == cells[1:3, chosen]).all()


def test_float64_rows_are_views() -> None:
    """Fitting does not copy the table."""
    cells = np.zeros((10, 4))
    frame, schema = learnt(cells)
    assert np.shares_memory(schema.numbers(frame, range(4)).rows(2, 5), cells)
    assert np.shares_memory(schema.numbers(frame, [1, 2]).rows(2, 5), cells)
    assert not np.shares_memory(schema.numbers(frame, [1, 3]).rows(2, 5), cells)
    assert np.shares_memory(frame.raw("x1").numbers(), cells)
    whole = np.zeros((10, 4), np.int64)
    frame, schema = learnt(whole, "categorical")
    assert np.shares_memory(schema.codes(frame, range(4)).rows(2, 5), whole)
    whole[3, 2] = 7
    assert schema.codes(frame, range(4)).rows(2, 5).tolist() == [[0] * 4, [0, 0, -2, 0], [0] * 4]


def test_columns_of_frames_are_views() -> None:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    cells = np.arange(5.0)
    for table in (
        {"a": cells},
        pd.DataFrame({"a": cells}, copy=False),
        pl.DataFrame({"a": cells}),
        pa.table({"a": cells}),
    ):
        original = table["a"].to_numpy() if hasattr(table, "columns") else cells
        assert np.shares_memory(Frame.of(table).raw("a").numbers(), original)


def test_blocks_are_used_again_only_when_asked() -> None:
    frame, schema = learnt({"a": [1, 2, 3, 4]})
    block = schema.numbers(frame, [0])
    first = block.rows(0, 2)
    assert first.tolist() == [[1.0], [2.0]]
    block.rows(2, 4)
    assert first.tolist() == [[3.0], [4.0]]


@pytest.mark.parametrize(
    ("kind", "bad", "said"),
    [
        ("boolean", 2, r"column 'x1' should hold true or false \(1 or 0\), but row 1 holds 2.*correct"),
        ("count", -1, r"column 'x1' should hold counts \(whole numbers from 0\), but row 1 holds -1"),
        (
            "count",
            1.5,
            r"column 'x1' should hold counts .* row 1 holds 1.5: correct .* missing, .* another kind",
        ),
    ],
)
@pytest.mark.parametrize("make", [np.asarray, np.asfortranarray, sparse.csr_array, sparse.coo_matrix])
def test_values_of_another_kind(kind: str, bad: float, said: str, make: Any) -> None:
    cells = np.array([[0.0, 1.0], [1.0, bad], [NAN, bad]])
    with pytest.raises(LikelyError, match=said):
        learnt(make(cells), kind)
    with pytest.raises(LikelyError, match=said):
        learnt(make(cells), {"x1": kind})
    _, schema = learnt(make(np.array([[0.0, 1.0]])), kind)
    with pytest.raises(LikelyError, match=said):
        schema.numbers(Frame.of(make(cells)), range(2))
    assert schema.numbers(Frame.of(make(cells[:1])), [0]).rows(0, 1).shape == (1, 1)


def test_kinds_of_some_columns_of_a_matrix() -> None:
    cells = np.array([[0, 5, 2, 7], [1, 9, 2, 7]])
    kinds = {"x0": "boolean", "x1": "ordinal", "x2": [2, 3], "x3": None}
    frame, schema = learnt(cells, kinds)
    assert [str(c.kind) for c in schema.columns] == ["boolean", "ordinal", "ordinal", "quantitative"]
    assert schema.columns[1].levels == (5, 9)
    assert schema.columns[2].levels == (2, 3)
    assert schema.codes(frame, [1, 2]).rows(0, 2).tolist() == [[0, 0], [1, 0]]
    assert schema.codes(frame, [2, 1]).rows(0, 2).tolist() == [[0, 0], [0, 1]]
    assert schema.numbers(frame, [0, 3]).rows(0, 2).tolist() == [[0, 7], [1, 7]]
    with pytest.raises(LikelyError, match="column 'x1' is declared text, but holds whole numbers: convert"):
        learnt(cells, {"x1": "text"})


def test_a_wide_bag_of_words_is_not_looked_at_column_by_column() -> None:
    words = np.random.default_rng(0).integers(0, 100_000, 5000)
    bag = sparse.coo_array((np.ones(5000), (np.arange(5000) % 50, words)), shape=(50, 100_000))
    frame, schema = learnt(bag, "count")
    assert len(schema.columns) == 100_000
    assert frame.seen == {}
    assert schema.numbers(frame, range(100_000)).rows(0, 50).sum() == bag.sum()
    assert frame.seen == {}


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e200, -1e200])
@pytest.mark.parametrize(
    "make", [np.asarray, sparse.csr_array, lambda cells: {"x0": cells[:, 0], "x1": cells[:, 1]}]
)
def test_extremes(value: float, make: Any) -> None:
    cells = np.array([[0.0, 1.0], [NAN, 1e149], [3.0, value], [value, 0.0]])
    frame, schema = learnt(make(cells))
    block = schema.numbers(frame, [0, 1])
    block.refuse_extremes(0, 2)
    word = {np.inf: "contains infinity", -np.inf: "contains -infinity"}.get(value, f"contains {value:g}")
    word = word.replace("+", r"\+")
    with pytest.raises(LikelyError, match=rf"{word}.*: column 'x1', row 2\. Correct it, mark it as missing"):
        block.refuse_extremes(1, 4)
    if abs(value) < np.inf:
        with pytest.raises(LikelyError, match=r"value too large for dtype\('float64'\)"):
            block.refuse_extremes(3, 4)


def test_which_cells_are_missing() -> None:
    cells = np.array([[1.0, NAN], [NAN, 2.0]])
    for table in (cells, sparse.csr_array(cells), {"x0": cells[:, 0], "x1": cells[:, 1]}):
        frame, schema = learnt(table)
        gaps = schema.missing(frame, [0, 1]).rows(0, 2)
        assert (gaps if isinstance(gaps, np.ndarray) else gaps.toarray()).tolist() == [[0, 1], [1, 0]]
    frame, schema = learnt(np.array([[1, 2]]))
    assert schema.missing(frame, [1]).rows(0, 1).tolist() == [[0]]


def test_no_columns_and_no_rows() -> None:
    for shape in ((0, 3), (3, 0), (0, 0)):
        for dtype in ("float64", "int64", "bool", "object"):
            frame, schema = learnt(np.empty(shape, dtype), "categorical")
            assert schema.codes(frame, range(shape[1])).rows(0, shape[0]).shape == shape
            frame, schema = learnt(np.empty(shape, dtype))
            if dtype != "object":
                assert schema.numbers(frame, range(shape[1])).rows(0, shape[0]).shape == shape
    assert isinstance(Schema((), False, "numpy").numbers(Frame.of(np.empty((2, 0))), []), Numbers)


def test_type_of_a_matrix_at_predict_time() -> None:
    _, schema = learnt(np.array([[1.5, 2.0]]))
    with pytest.raises(
        LikelyError, match=r"column 'x0' held numbers .* now holds true/false values \(such as True\)"
    ):
        schema.numbers(Frame.of(np.array([[True, True]])), range(2))
    schema.numbers(Frame.of(np.array([[1, 2]])), range(2))
    _, schema = learnt(np.array([["a", "b"]]))
    with pytest.raises(
        LikelyError, match=r"column 'x0' held text .* now holds numbers \(such as 1.0\): convert"
    ):
        schema.codes(Frame.of(np.array([[1.0, 2.0]])), range(2))
    # nothing but missing values fits everything
    assert schema.codes(Frame.of(np.array([[NAN, NAN]])), range(2)).rows(0, 1).tolist() == [[-1, -1]]
