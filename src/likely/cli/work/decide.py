"""The columns that `decide` adds to a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.cli.work.predict import new_name
from likely.table.batch.batches import Batch
from likely.table.frame import Frame


def decisions(decider: Any, batch: Batch) -> dict[str, Any]:
    """What to do about each row and what that is expected to cost, under names the table does not have."""
    taken = set(Frame.of(batch.rows).names)
    names = new_name("decision", taken), new_name("expected_cost", taken)
    if batch.n == 0:
        return dict(zip(names, (decider.classes_[:0], np.empty(0)), strict=True))
    return dict(zip(names, (decider.predict(batch.table), decider.expected_costs(batch.table)), strict=True))
