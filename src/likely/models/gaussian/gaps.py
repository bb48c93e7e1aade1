"""Gaps in columns that vary together: what they cost, and which column is to blame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import MultivariateNormal, Normal
from likely.engine import Chunk, Engine, ReduceTask
from likely.models.groups.record import GroupRecord
from likely.table.frame import Frame

Floats = NDArray[np.float64]

FIRST = 4096  # rows that are looked at before all: they have a value, as a rule
FEW = 0.5  # of the rows: of fewer complete ones there is a word


def apart(frame: Frame, families: Mapping[str, Any], engine: Engine) -> dict[str, Any]:
    """The families, with columns of which nothing is known on their own.

    Only complete rows tell how columns vary together: in a joint distribution such a column would
    leave none.
    """
    never = [
        name for name, family in families.items() if _joint(family) and not _ever_known(frame, name, engine)
    ]
    return {**families, **dict.fromkeys(never, Normal)}


def few_complete(record: GroupRecord, share_missing: Callable[[str], float]) -> str | None:
    """What to say of a table of which few rows tell how columns vary together."""
    total = float(record.tally.groups.sum())
    for part in record.parts:
        if not _joint(part.family):
            continue
        complete = float(part.statistic.n.sum())
        if complete >= FEW * total:
            continue
        names = [record.schema.columns[j].name for j in part.columns]
        gaps = [share_missing(name) for name in names]
        most = int(np.argmax(gaps))
        which = f"all {len(names)} columns that vary together"
        told = f"only {complete:.4g} of {total:.4g} rows have {which}: the others teach nothing of them"
        if not complete:
            told = f"no row has {which}: nothing is learnt of them"
        return (
            f"{told}. Column {names[most]!r} is missing in {gaps[most]:.0%} of the rows: leave it out, "
            "fill the gaps in first (likely.Impute), or use covariance='diagonal'."
        )
    return None


def _joint(family: object) -> bool:
    return isinstance(family, type) and issubclass(family, MultivariateNormal)


def _ever_known(frame: Frame, name: str, engine: Engine) -> bool:
    if frame.matrix is not None and not isinstance(frame.matrix, np.ndarray):
        return True  # what a sparse matrix does not hold is 0
    cells = _cells(frame, name)
    if not np.isnan(cells[:FIRST]).all():
        return True
    return engine.reduce(Chunk(cells, frame.n, 1), CountKnown()) > 0


@dataclass(frozen=True, slots=True)
class CountKnown(ReduceTask[Floats, int]):
    """How many cells of a column are not missing."""

    def step(self, data: Floats, start: int, stop: int) -> int:
        """Of some rows."""
        return int((~np.isnan(data[start:stop])).sum())


def _cells(frame: Frame, name: str) -> Any:
    """A column of numbers, NaN where missing."""
    if frame.matrix is None or frame.matrix.dtype.kind == "O":
        return frame.raw(name).numbers()
    return frame.values(name)
