"""Gaps in columns that vary together: what they cost, and which column is to blame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.dist import MultivariateNormal, Normal
from likely.models.groups.record import Record
from likely.table.frame import Frame

STEP = 4096  # rows that are looked at together: the first has a value, as a rule
FEW = 0.5  # of the rows: of fewer complete ones there is a word


def apart(frame: Frame, families: Mapping[str, Any]) -> dict[str, Any]:
    """The families, with columns of which nothing is known on their own.

    Only complete rows tell how columns vary together: in a joint distribution such a column would
    leave none.
    """
    never = [name for name, family in families.items() if _joint(family) and not _ever_known(frame, name)]
    return {**families, **dict.fromkeys(never, Normal)}


def few_complete(record: Record, frame: Frame) -> str | None:
    """What to say of a table of which few rows tell how columns vary together."""
    total = float(record.tally.groups.sum())
    for slot, seen in zip(record.slots, record.tally.parts, strict=True):
        if not _joint(slot.family):
            continue
        complete = float(seen.n.sum())  # type: ignore[attr-defined]
        if complete >= FEW * total:
            continue
        names = [record.schema.columns[j].name for j in slot.columns]
        gaps = [np.isnan(_cells(frame, name)).mean() for name in names]
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


def _joint(family: Any) -> bool:
    return isinstance(family, type) and issubclass(family, MultivariateNormal)


def _ever_known(frame: Frame, name: str) -> bool:
    if frame.matrix is not None and not isinstance(frame.matrix, np.ndarray):
        return True  # what a sparse matrix does not hold is 0
    cells = _cells(frame, name)
    return any(not np.isnan(cells[start : start + STEP]).all() for start in range(0, frame.n, STEP))


def _cells(frame: Frame, name: str) -> Any:
    """A column of numbers, NaN where missing."""
    if frame.matrix is None or frame.matrix.dtype.kind == "O":
        return frame.raw(name).numbers()
    return frame.values(name)
