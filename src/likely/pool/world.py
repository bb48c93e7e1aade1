"""A pool as a world that can be asked about its target, given values of columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.ask.target_world import TargetWorld
from likely.engine import Engine
from likely.pool.reading.reading import coded
from likely.pool.record import PoolRecord

Floats = NDArray[np.float64]

AVERAGED = "columns that are not told are averaged over, as they are in rows that agree with what is told."


def pool_world(record: PoolRecord, engine: Engine) -> TargetWorld:
    """The target, and columns that can be told; of those that are not told the average is taken."""
    return TargetWorld(
        "Classifier",
        record.schema,
        record.target,
        lambda frame, untold: record.posterior(frame, engine, untold),
        lambda name: _counts(record, name),
    )


def _counts(record: PoolRecord, name: str | None) -> Floats | None:
    """The weight of the rows of each level of a column and each class, (k, c); of None, (1, c)."""
    if name is None:
        return record.class_counts[None]
    reading, j = record.reading, list(record.schema.names).index(name)
    if j not in coded(record.schema):
        return None
    own = reading.owner == int(np.flatnonzero(reading.source == j)[-1])
    seen = reading.tallies[own]
    whole = np.allclose(seen.sum(axis=0), record.class_counts)  # else the bins are of a sample of rows
    return seen[: len(record.schema.columns[j].known)] if whole else None
