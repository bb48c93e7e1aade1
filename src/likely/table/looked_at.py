"""A table of columns that were read already, as of one whose rows are not in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likely.errors import LikelyError
from likely.table.column.raw import Raw
from likely.table.frame import Frame


def looked_at(
    columns: Mapping[str, Raw], n: int, library: str, unread: str = "it cannot be read again."
) -> Frame:
    """Columns by name, of a table of n rows; `unread` is what is said where other cells are wanted."""

    def nothing(name: str) -> Any:
        raise LikelyError(f"column {name!r} is not in memory: {unread}")

    position = {name: place for place, name in enumerate(columns)}
    return Frame(tuple(columns), n, library, True, get=nothing, position=position, seen=dict(columns))
