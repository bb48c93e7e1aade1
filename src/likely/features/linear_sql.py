"""Sums of multiples of columns as SQL."""

from __future__ import annotations

from collections.abc import Sequence

from likely.export.sql_text import sql_number, sql_value
from likely.stats.groups import Floats
from likely.table.column.column import Column


def linear_sql(columns: Sequence[Column], shift: Floats, matrix: Floats) -> list[str]:
    """Each row of a matrix (m, d) times the columns less their shifts, as an expression; NULL if one is.

    >>> import numpy as np
    >>> linear_sql([Column.of_numbers("a"), Column.of_numbers("b")], np.zeros(2), np.array([[2.0, -1.0]]))
    ['2.0e0 * (CAST("a" AS DOUBLE) - 0.0e0) + -1.0e0 * (CAST("b" AS DOUBLE) - 0.0e0)']
    """
    parts = [
        f"(CAST({sql_number(column)} AS DOUBLE) - {sql_value(float(by))})"
        for column, by in zip(columns, shift, strict=True)
    ]
    return [
        " + ".join(f"{sql_value(float(weight))} * {part}" for weight, part in zip(row, parts, strict=True))
        for row in matrix
    ]
