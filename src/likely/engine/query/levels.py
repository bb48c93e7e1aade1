"""Queries that count the values of a column in each class; columns of too many values are refused before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.engine.query.sums import HEAD, OWN, floats, grouped
from likely.errors import LikelyError
from likely.table.column.raw import Raw
from likely.table.frame import Frame, free_name
from likely.table.lazy.table import LazyTable

if TYPE_CHECKING:
    from narwhals.stable.v2 import LazyFrame

Floats = NDArray[np.float64]

MOST_LEVELS = 100_000  # of a column: more would not be levels, and cost gigabytes to fetch
MOST_FETCHED = 20 * MOST_LEVELS  # pairs of class and level
SUSPICIOUS = HEAD // 4  # different values in the head, from which a column is counted before it is fetched


@dataclass(frozen=True, slots=True)
class LevelCounts:
    """How often each value of a column came with each class: a line for each pair that occurs."""

    group: Raw
    level: Raw
    n: Floats


def level_query(table: LazyTable, target: str | None, name: str) -> LazyFrame[Any]:
    """How often each value of a column comes with each class."""
    import narwhals.stable.v2 as nw

    return grouped(table, target, x=nw.col(name)).group_by(OWN, "x").agg(nw.len().alias("n"))


def level_queries(
    table: LazyTable, target: str | None, names: Sequence[str], head: Frame
) -> list[LazyFrame[Any]]:
    """The same of several columns; those that look in the head as if they had too many are counted first."""
    many = [name for name in names if len(head.raw(name).distinct()[1]) > SUSPICIOUS]
    refuse_too_many_levels(table, many)
    return [level_query(table, target, name).head(MOST_FETCHED + 1) for name in names]


def read_levels(names: Sequence[str], answers: Sequence[Frame]) -> dict[str, LevelCounts]:
    """The answers to `level_queries`."""
    counts = {}
    for name, answer in zip(names, answers, strict=True):
        level = answer.raw("x")
        if answer.n > MOST_FETCHED or len(level.distinct()[1]) > MOST_LEVELS:
            raise too_many_levels(name, len(level.distinct()[1]))
        counts[name] = LevelCounts(answer.raw(OWN), replace(level, name=name), floats(answer, "n"))
    return counts


def joint_counts(table: LazyTable, families: Sequence[Sequence[str]]) -> Iterator[tuple[Frame, Floats]]:
    """The values of columns that come together, and how often: an answer for each family of columns."""
    import narwhals.stable.v2 as nw

    n = free_name("n", table.names)
    for family in families:  # one by one: together they take Polars more memory, and no less time
        answer = table.answer(table.frame.group_by(*family).agg(nw.len().alias(n)))
        yield answer, floats(answer, n)


def refuse_too_many_levels(table: LazyTable, names: Sequence[str]) -> None:
    """Refuse columns that are no levels, before their values are fetched."""
    import narwhals.stable.v2 as nw

    for name in names:
        distinct = table.answer(table.frame.select(nw.col(name)).unique().select(nw.len().alias("n")))
        if (k := int(floats(distinct, "n")[0])) > MOST_LEVELS:
            raise too_many_levels(name, k)


def too_many_levels(name: str, k: int) -> LikelyError:
    """What to say of a column that names the rows, rather than to be one of few levels."""
    return LikelyError(
        f"column {name!r} has {k} different values or more, and a column of levels may have {MOST_LEVELS}: "
        "leave it out, cut it to fewer levels, or convert it to numbers."
    )
