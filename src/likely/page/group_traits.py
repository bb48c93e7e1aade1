"""Hidden groups in words: what each column is like in each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import short
from likely.models.groups.record import GroupRecord
from likely.page.columns import ShownColumn, text_of

Floats = NDArray[np.float64]


def group_traits(record: GroupRecord, columns: tuple[ShownColumn, ...]) -> list[dict[str, Any]]:
    """One record a group: its name, and a line for each column."""
    by_column: dict[int, list[str]] = {}
    for part in record.core.parts:
        if not part.describes_cells or part.first.words is not None:
            continue
        for place, j in enumerate(part.columns):
            table = part.level_table(place)
            if table is not None:
                by_column[j] = [_likeliest(own, columns[j]) for own in table[1]]
            elif part.width == len(part.columns):
                values = part.parameters(place).values
                by_column[j] = [f"{short(own[0])} ± {short(own[1])}" for own in values]
    return [
        {
            "name": text_of(name),
            "traits": [
                {"column": text_of(columns[j].column.name), "text": said[g]}
                for j, said in sorted(by_column.items())
            ],
        }
        for g, name in enumerate(record.group_names)
    ]


def _likeliest(p: Floats, shown: ShownColumn) -> str:
    """The most probable option, and how probable it is."""
    if not shown.levels:
        return ""
    shares = [float(p[[i for i in own if i < len(p)]].sum()) for own in shown.levels]
    best = int(np.argmax(shares))
    return f"{shown.labels[best]} {shares[best]:.0%}"
