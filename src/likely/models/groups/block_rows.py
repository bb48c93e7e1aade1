"""The rows of blocks, fetched once to be looked at twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.table.block import Block, Codes, Missing, Numbers


@dataclass(frozen=True, slots=True)
class Held:
    """The rows of a block that were fetched: a block of itself."""

    held: Any

    def rows(self, start: int, stop: int) -> Any:
        """All that is held."""
        return self.held


def hold(blocks: Sequence[Block], start: int, stop: int) -> list[Held]:
    """The rows of every block; copies, where blocks share the memory that they are handed out in."""
    shared = sum(isinstance(block, Numbers | Missing) for block in blocks) > 1
    shared |= sum(isinstance(block, Codes) for block in blocks) > 1
    held = []
    for block in blocks:
        rows = block.rows(start, stop)
        held.append(Held(rows.copy(order="K") if shared and isinstance(rows, np.ndarray) else rows))
    return held
