"""Queries that add up columns of numbers in each class, and their answers as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.table.column.block import LIMIT
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.lazy.table import LazyTable

if TYPE_CHECKING:
    from narwhals.stable.v2 import Expr, LazyFrame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

HEAD = 1000  # rows that are looked at before queries are made: for a rough centre, decimals, many levels
OWN = "g"  # what the column of classes is called in our queries


@dataclass(frozen=True, slots=True)
class NumberSums:
    """Of columns of numbers around a centre, a line for each class that occurs."""

    group: Raw
    rows: Floats  # (k,)
    n: Floats  # (k, d) known cells
    total: Floats  # (k, d) of deviations
    squares: Floats  # (k, d)
    low: Floats  # (k, d) NaN where nothing is known
    high: Floats  # (k, d)


def grouped(table: LazyTable, target: str | None, **columns: Expr) -> LazyFrame[Any]:
    """The classes, and columns made of the table, under our own names."""
    import narwhals.stable.v2 as nw

    if target is not None:
        return table.frame.select(nw.col(target).alias(OWN), **columns)
    first = next(iter(table.names))  # a constant needs a column beside it in some engines
    return table.frame.select(nw.col(first).alias("f"), **columns).with_columns(nw.lit(0).alias(OWN))


def sums_query(
    table: LazyTable,
    target: str | None,
    numbers: Sequence[Expr],
    centre: Floats | Sequence[Expr],
    as_is: Sequence[str] = (),
) -> LazyFrame[Any]:
    """Counts, ends, and sums of deviations and of their squares, in each class.

    Never the engine's own variance: at a mean of 1e12 that has four digits, or none. Of the columns `as_is`
    the cells that hold anything are counted too, NaN and infinity among them.
    """
    import narwhals.stable.v2 as nw

    d = len(numbers)
    columns = {f"x{j}": number for j, number in enumerate(numbers)}
    columns |= {f"r{j}": nw.col(name) for j, name in enumerate(as_is)}
    from_centre = {f"d{j}": nw.col(f"x{j}") - _literal(centre[j]) for j in range(d)}
    squares = {f"q{j}": _square(table, nw.col(f"d{j}")) for j in range(d)}
    rows = grouped(table, target, **columns)
    rows = rows.with_columns(**from_centre).with_columns(**squares) if d else rows
    asked = [nw.len().alias("n"), *(nw.col(f"r{j}").count().alias(f"r{j}") for j in range(len(as_is)))]
    for j in range(d):
        asked.append(nw.col(f"x{j}").count().alias(f"n{j}"))
        asked += [nw.col(f"{what}{j}").sum().alias(f"{what}{j}") for what in "dq"]
        asked += [nw.col(f"x{j}").min().alias(f"l{j}"), nw.col(f"x{j}").max().alias(f"h{j}")]
    return rows.group_by(OWN).agg(*asked)


def _square(table: LazyTable, deviation: Expr) -> Expr:
    """A square; behind Ibis there may be a database that fails where it is too large, as PostgreSQL does."""
    import narwhals.stable.v2 as nw

    square = deviation * deviation
    return nw.when(deviation.abs() <= LIMIT).then(square) if table.engine == "ibis" else square


def _literal(centre: Any) -> Any:
    import narwhals.stable.v2 as nw

    return nw.lit(float(centre)) if isinstance(centre, int | float | np.floating) else centre


def read_sums(answer: Frame, d: int) -> NumberSums:
    """The answer to `sums_query`, of d columns."""
    by_column = [np.zeros((answer.n, d)) for _ in range(5)]
    for out, what in zip(by_column, ("n", "d", "q", "l", "h"), strict=True):
        for j in range(d):
            out[:, j] = floats(answer, f"{what}{j}")
    n, total, squares, low, high = by_column
    return NumberSums(
        answer.raw(OWN), floats(answer, "n"), n, np.nan_to_num(total), np.nan_to_num(squares), low, high
    )


def in_groups(codes: Ints, g: int, sums: NumberSums) -> tuple[Floats, Floats, Floats]:
    """Counts, totals and squares, each (g, d), with lines for classes that did not occur."""
    out = []
    for array in (sums.n, sums.total, sums.squares):
        wide = np.zeros((g, array.shape[1]))
        np.add.at(wide, codes, array)
        out.append(wide)
    return out[0], out[1], out[2]


def floats(answer: Frame, name: str) -> Floats:
    """A column of an answer; sums may come as decimals, and counts as whole numbers."""
    raw = answer.raw(name)
    if raw.is_empty():
        return np.full(answer.n, np.nan)
    return np.asarray(raw.numbers(), np.float64)


def infinite_cells(table: LazyTable, names: Sequence[str]) -> dict[str, int]:
    """In how many rows each column is infinite."""
    import narwhals.stable.v2 as nw

    if not names:
        return {}
    asked = {  # not a cast of the truth, which PostgreSQL refuses
        f"i{j}": nw.when(nw.col(name).abs() == float("inf")).then(nw.lit(1)).otherwise(nw.lit(0))
        for j, name in enumerate(names)
    }
    sums = [nw.col(f"i{j}").sum() for j in range(len(names))]
    answer = table.answer(table.frame.select(**asked).select(*sums))
    return {name: int(np.nan_to_num(floats(answer, f"i{j}")[0])) for j, name in enumerate(names)}
