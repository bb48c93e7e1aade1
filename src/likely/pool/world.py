"""A pool as a world that can be asked about its target, given values of columns."""

from __future__ import annotations

from likely.ask.target_world import TargetWorld
from likely.engine import Engine
from likely.pool.record import PoolRecord


def pool_world(record: PoolRecord, engine: Engine) -> TargetWorld:
    """The target, and columns that can be told; of those that are not told the average is taken."""
    return TargetWorld(
        "Classifier",
        record.schema,
        record.target,
        lambda frame, untold: record.posterior(frame, engine, untold),
    )
