"""Queries that count the values of a column in each class; columns of too many values are refused before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.engine.query.sums import OWN, floats, grouped
from likely.errors import LikelyError
from likely.table.column.raw import Raw
from likely.table.lazy.table import LazyTable

if TYPE_CHECKING:
    from narwhals.stable.v2 import LazyFrame

Floats = NDArray[np.float64]

MOST_LEVELS = 100_000  # of a column: more would not be levels, and cost gigabytes to fetch


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
