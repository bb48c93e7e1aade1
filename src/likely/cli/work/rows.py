"""One row of FILE, as a model needs it."""

from __future__ import annotations

from typing import Any

from likely.errors import LikelyError


def row_of(file: str, row: int, model: Any) -> Any:
    """Row number `row` (the first is 1) as a table of its own; no more of the file is read than needed."""
    import numpy as np

    from likely.table.batch.batches import batches
    from likely.table.rows import take

    seen = 0
    for batch in batches(file, model.record_.schema):
        if row <= batch.start + batch.n:
            return take(batch.table, np.array([row - 1 - batch.start]))
        seen = batch.start + batch.n
    raise LikelyError(f"--row {row}: {file} has {seen} rows, and the first is 1.")
