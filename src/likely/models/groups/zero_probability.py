"""Rows that no class allows: how many, which cell is to blame, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.models.parts.part import Part
from likely.table.frame import Frame

if TYPE_CHECKING:
    from likely.models.groups.record import GroupRecord


def impossible_rows(record: GroupRecord, frame: Frame, gone: NDArray[np.bool_]) -> str:
    """The notice about rows of probability 0, which names what the first of them holds.

    >>> import likely, warnings
    >>> model = likely.NaiveBayes(families="uniform").fit({"x": [1.0, 2.0, 3.0, 5.0]}, list("aabb"))
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     found = model.predict_proba({"x": [2.0, 99.0]})
    >>> print(said[0].message)
    1 row has probability 0 in every class: the base rate is returned. In row 1 column 'x' (uniform) holds a \
value that a class rules out: name another family for it (families=).
    """
    n, row = int(gone.sum()), int(gone.argmax())
    said = f"{n} row{'s have' if n > 1 else ' has'} probability 0 in every class: the base rate is returned."
    for part, column in _blamed(record, frame, row):
        cell = f"In row {row} column {record.schema.columns[column].name!r} ({part.family.name}) holds"
        if part.prior is not None and not part.family.counts_levels:
            return f"{said} {cell} a value that a class rules out: name another family for it (families=)."
        # A prior smooths by its mean; its mode may be where the data are.
        steps = ["give a prior (prior='default')"] if part.prior is None else []
        steps += ["take estimate='mean'"] if record.settings.estimate in ("ml", "map") else []
        steps = steps or ["give a prior that leaves no level out"]
        return f"{said} {cell} what a class never had: {' and '.join(steps)} to smooth the zeros away."
    return said


def _blamed(record: GroupRecord, frame: Frame, row: int) -> Iterator[tuple[Part, int]]:
    """The columns whose cell in this row has probability 0 in a class."""
    for part in record.core.parts:
        cells = part.block(frame).rows(row, row + 1)
        never = np.isneginf(part.distribution.relative_terms(cells)).any(axis=(0, 1))
        for j in np.flatnonzero(never):
            yield part, part.columns[j]
