"""Columns that name rows rather than describe them."""

from __future__ import annotations

from collections.abc import Sequence

from likely.errors import notice
from likely.table.column.column import Column
from likely.table.frame import Frame

MANY = 20  # values; fewer need not come back often to say something


def name_identifiers(frame: Frame, columns: Sequence[Column]) -> None:
    """Say which columns of levels are names of rows rather than properties."""
    for column in columns:
        coded = column.levels is not None and column.words is None
        if coded and frame.n > MANY and len(column.known) > frame.n / 2:
            notice(
                f"column {column.name!r} has {len(column.known)} different values in {frame.n} rows, as "
                f"names do: --drop {column.name!r} leaves it out; --kind {column.name!r}=text reads words."
            )
