"""The same column in every library: makers of tables, and columns with what must be learnt of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from likely.table.column.kinds import Kind, Type
from likely.table.frame import Frame
from likely.table.schema import Schema

PANDAS_TEXT = "str" if pd.__version__ >= "3" else "string"  # pandas 2 makes words of gaps under "str"
NAN = float("nan")
BERLIN = dt.timezone(dt.timedelta(hours=1))


@dataclass(frozen=True)
class Case:
    """Cells of one type, and what they are as numbers (or as levels and codes)."""

    word: str
    cells: tuple[Any, ...]
    kind: Kind
    type: Type
    numbers: tuple[float, ...] | None = None
    levels: tuple[Any, ...] | None = None
    codes: tuple[int, ...] | None = None
    unit: str | None = None
    pandas: str = "object"
    arrow: Any = None

    def __str__(self) -> str:
        return self.word


CASES = (
    Case(
        "text",
        ("b", None, "a", "", "b", "ä"),
        Kind.CATEGORICAL,
        Type.STRING,
        levels=("", "a", "b", "ä"),
        codes=(2, -1, 1, 0, 2, 3),
        pandas=PANDAS_TEXT,
        arrow=pa.string(),
    ),
    Case(
        "long text",
        ("x" * 60, None, "y" * 60),
        Kind.TEXT,
        Type.STRING,
        levels=("x" * 60, "y" * 60),  # the vocabulary
        pandas="string",
        arrow=pa.large_string(),
    ),
    Case(
        "whole",
        (3, None, -1, 3),
        Kind.QUANTITATIVE,
        Type.INTEGER,
        (3.0, NAN, -1.0, 3.0),
        pandas="Int64",
        arrow=pa.int64(),
    ),
    Case(
        "small whole",
        (3, None, 127),
        Kind.QUANTITATIVE,
        Type.INTEGER,
        (3.0, NAN, 127.0),
        pandas="UInt8",
        arrow=pa.uint8(),
    ),
    Case(
        "number",
        (1.5, None, -2.0),
        Kind.QUANTITATIVE,
        Type.FLOAT,
        (1.5, NAN, -2.0),
        pandas="Float64",
        arrow=pa.float64(),
    ),
    Case(
        "short number",
        (1.5, None, -2.0),
        Kind.QUANTITATIVE,
        Type.FLOAT,
        (1.5, NAN, -2.0),
        pandas="float32",
        arrow=pa.float32(),
    ),
    Case(
        "truth",
        (True, None, False),
        Kind.BOOLEAN,
        Type.BOOLEAN,
        (1.0, NAN, 0.0),
        pandas="boolean",
        arrow=pa.bool_(),
    ),
    Case(
        "decimal",
        (Decimal("1.50"), None, Decimal("-2")),
        Kind.QUANTITATIVE,
        Type.FLOAT,
        (1.5, NAN, -2.0),
        arrow=pa.decimal128(10, 2),
    ),
    Case(
        "day",
        (dt.date(2020, 1, 1), None, dt.date(1960, 1, 2)),
        Kind.QUANTITATIVE,
        Type.DATE,
        (18262.0, NAN, -3652.0),
        unit="days since 1970-01-01",
        arrow=pa.date32(),
    ),
    Case(
        "moment",
        (dt.datetime(2020, 1, 1, 12, 0, 0, 250_000), None, dt.datetime(1960, 1, 1)),
        Kind.QUANTITATIVE,
        Type.DATETIME,
        (1577880000.25, NAN, -315619200.0),
        unit="seconds since 1970-01-01",
        pandas="datetime64[ns]",
        arrow=pa.timestamp("ns"),
    ),
    Case(
        "moment with a zone",
        (dt.datetime(2020, 1, 1, 13, tzinfo=BERLIN), None, dt.datetime(1960, 1, 1, tzinfo=dt.UTC)),
        Kind.QUANTITATIVE,
        Type.DATETIME,
        (1577880000.0, NAN, -315619200.0),
        unit="seconds since 1970-01-01",
        pandas="datetime64[us, Europe/Berlin]",
        arrow=pa.timestamp("ms", "Europe/Berlin"),
    ),
    Case(
        "duration",
        (dt.timedelta(seconds=1.5), None, dt.timedelta(days=-1)),
        Kind.QUANTITATIVE,
        Type.DURATION,
        (1.5, NAN, -86400.0),
        unit="seconds",
        pandas="timedelta64[ns]",
        arrow=pa.duration("ms"),
    ),
    Case(
        "time of day",
        (dt.time(1, 2, 3, 500_000), None, dt.time(0)),
        Kind.QUANTITATIVE,
        Type.TIME,
        (3723.5, NAN, 0.0),
        unit="seconds since midnight",
        arrow=pa.time64("us"),
    ),
    Case("nothing", (None, None), Kind.CATEGORICAL, Type.EMPTY, levels=(), codes=(-1, -1), arrow=pa.null()),
    Case("no text", (None, None), Kind.CATEGORICAL, Type.EMPTY, levels=(), codes=(-1, -1), arrow=pa.string()),
)


def _pandas(case: Case) -> Any:
    return pd.DataFrame({"a": pd.Series(case.cells, dtype=case.pandas)})


def _pandas_object(case: Case) -> Any:
    return pd.DataFrame({"a": pd.Series(case.cells, dtype=object)})


def _pandas_arrow(case: Case) -> Any:
    return pd.DataFrame({"a": pd.Series(case.cells, dtype=pd.ArrowDtype(case.arrow))})


def _pandas_view(case: Case) -> Any:
    """Every second row from the end, under an index in disorder."""
    cells = [cell for cell in case.cells[::-1] for _ in range(2)]
    n = len(cells)
    return pd.DataFrame({"a": pd.Series(cells, dtype=case.pandas, index=[7] * n)}).iloc[::-2]


def _polars(case: Case) -> Any:
    return pl.DataFrame({"a": pl.from_arrow(pa.array(case.cells, case.arrow))})


def _polars_sliced(case: Case) -> Any:
    return pl.concat([_polars(case), _polars(case), _polars(case)]).slice(len(case.cells), len(case.cells))


def _arrow(case: Case) -> Any:
    return pa.table({"a": pa.array(case.cells, case.arrow)})


def _arrow_in_chunks(case: Case) -> Any:
    """A chunk a row, an empty one, and each a slice of something longer."""
    chunks = [pa.array((cell, None, cell), case.arrow).slice(2) for cell in case.cells]
    return pa.table({"a": pa.chunked_array([pa.array([], case.arrow), *chunks])})


def _arrow_sliced(case: Case) -> Any:
    return pa.table({"a": pa.array(case.cells * 3, case.arrow)}).slice(len(case.cells), len(case.cells))


def _objects(case: Case) -> Any:
    column = np.empty(2 * len(case.cells), object)
    column[::-2] = case.cells
    return column[::-2]


BACKENDS: dict[str, Callable[[Case], Any]] = {
    "pandas": _pandas,
    "pandas object": _pandas_object,
    "pandas over Arrow": _pandas_arrow,
    "pandas view": _pandas_view,
    "Polars": _polars,
    "Polars lazy": lambda case: _polars(case).lazy(),
    "Polars sliced": _polars_sliced,
    "PyArrow": _arrow,
    "PyArrow chunks": _arrow_in_chunks,
    "PyArrow sliced": _arrow_sliced,
    "narwhals": lambda case: nw.from_native(_polars(case)),
    "dict of lists": lambda case: {"a": list(case.cells)},
    "dict of tuples": lambda case: {"a": case.cells},
    "dict of arrays": lambda case: {"a": _objects(case)},
    "dict of Series": lambda case: {"a": _polars(case)["a"]},
    "dict of Arrow arrays": lambda case: {"a": pa.array(case.cells, case.arrow)},
    "dict of pandas arrays": lambda case: {"a": pd.array(case.cells, dtype=case.pandas)},
    "NumPy objects": lambda case: _objects(case)[:, None],
    "rows": lambda case: [[cell] for cell in case.cells],
}


def learnt(table: Any, kinds: Any = None, missing_level: bool = False) -> tuple[Frame, Schema]:
    """A table and its schema."""
    frame = Frame.of(table)
    return frame, Schema.learn(frame, kinds, missing_level)


def codes(frame: Frame, schema: Schema, j: int = 0) -> list[int]:
    """The codes of one column."""
    return schema.codes(frame, [j]).rows(0, frame.n)[:, 0].tolist()


def numbers(frame: Frame, schema: Schema, j: int = 0) -> list[float]:
    """The numbers of one column."""
    part = schema.numbers(frame, [j]).rows(0, frame.n)
    return (part if isinstance(part, np.ndarray) else part.toarray())[:, 0].tolist()


def coded(values: Any, new: Any = None, kinds: Any = "categorical") -> tuple[tuple[Any, ...], list[int]]:
    """The levels of one column, and the codes of it (or of new values)."""
    frame, schema = learnt({"a": values}, kinds)
    frame = frame if new is None else Frame.of({"a": new})
    return schema.columns[0].levels or (), codes(frame, schema)
